#include "present/nccl_xml/xml_lines.h"

namespace railgauge::present {
namespace {

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else if (static_cast<unsigned char>(c) >= 0x20)
      out += c;
    else
      out += ' ';
  }
  return out;
}

}  // namespace

void XmlLines::finish_tag() {
  if (tag_pending_) text_ += ">\n";
  tag_pending_ = false;
}

void XmlLines::comment(std::string_view text) {
  finish_tag();
  std::string safe;  // "--" may not stand inside a comment
  for (const char c : text) {
    if (c == '-' && !safe.empty() && safe.back() == '-') safe += ' ';
    safe += static_cast<unsigned char>(c) >= 0x20 ? c : ' ';
  }
  text_ += std::string(2 * open_tags_.size(), ' ') + "<!-- " + safe + " -->\n";
}

void XmlLines::open(std::string_view tag, const XmlAttributes& attributes) {
  finish_tag();
  text_ += std::string(2 * open_tags_.size(), ' ') + "<" + std::string(tag);
  for (const auto& [name, value] : attributes) text_ += " " + name + "=\"" + escaped(value) + "\"";
  open_tags_.emplace_back(tag);
  tag_pending_ = true;
}

void XmlLines::close() {
  const std::string tag = std::move(open_tags_.back());
  open_tags_.pop_back();
  if (tag_pending_)
    text_ += "/>\n";
  else
    text_ += std::string(2 * open_tags_.size(), ' ') + "</" + tag + ">\n";
  tag_pending_ = false;
}

void XmlLines::single(std::string_view tag, const XmlAttributes& attributes) {
  open(tag, attributes);
  close();
}

}  // namespace railgauge::present
