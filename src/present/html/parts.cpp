#include "present/html/parts.h"

#include <fmt/format.h>

#include <span>

#include "base/embedded.h"
#include "base/strings.h"
#include "present/svg/canvas.h"

namespace railgauge::present_page {
std::span<const EmbeddedFile> embedded_files();  // see CMakeLists.txt
}

namespace railgauge::present {

std::string_view embedded_page(std::string_view name) {
  for (const EmbeddedFile& file : present_page::embedded_files())
    if (file.path.substr(file.path.rfind('/') + 1) == name) return file.bytes;
  return "";
}

std::string html_head(std::string_view title, std::initializer_list<std::string_view> styles) {
  std::string out =
      "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n<meta "
      "name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n<title>" +
      escaped(title) + "</title>\n<style>\n";
  for (const std::string_view style : styles) out += embedded_page(style);
  return out + "</style>\n</head>\n<body>\n";
}

std::string html_picture(const std::string& image) {
  constexpr double least_scale = 0.7;
  const std::string_view width_attribute = " width=\"";
  const auto at = image.find(width_attribute);
  const auto from = at == std::string::npos ? image.size() : at + width_attribute.size();
  const auto width = parse_int(std::string_view(image).substr(from, image.find('"', from) - from));
  return fmt::format("<div class=\"picture\" style=\"min-width:{:.0f}px\">\n{}</div>\n",
                     width ? least_scale * static_cast<double>(*width) : 0.0, image);
}

std::string json_for_script(const std::string& json) {
  std::string out;
  out.reserve(json.size());
  for (const char c : json) {
    if (c == '<')
      out += "\\u003c";
    else
      out += c;
  }
  return out;
}

}  // namespace railgauge::present
