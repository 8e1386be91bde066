#include "present/text/page.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

#include "base/strings.h"

namespace railgauge::present {
namespace {

// Below this nothing useful can be written; the text would only be dots.
constexpr std::size_t least_columns = 20;

struct Glyph {
  std::string_view unicode;
  std::string_view ascii;
};
constexpr std::array<Glyph, 14> glyphs{{{"×", "x"},
                                        {"→", "->"},
                                        {"←", "<-"},
                                        {"…", "..."},
                                        {"─", "-"},
                                        {"│", "|"},
                                        {"├", "|"},
                                        {"└", "`"},
                                        {"·", "-"},
                                        {"▼", "v"},
                                        {"↔", "<->"},
                                        {"✗", "x"},
                                        {"↑", "^"},
                                        {"°", ""}}};

std::size_t sequence_length(std::string_view text, std::size_t i) {
  std::size_t length = 1;
  while (i + length < text.size() && (static_cast<unsigned char>(text[i + length]) & 0xc0) == 0x80)
    ++length;
  return length;
}

std::uint32_t code_point(std::string_view sequence) {
  const auto lead = static_cast<unsigned char>(sequence[0]);
  std::uint32_t code = sequence.size() == 1   ? lead
                       : sequence.size() == 2 ? lead & 0x1fu
                       : sequence.size() == 3 ? lead & 0x0fu
                                              : lead & 0x07u;
  for (std::size_t i = 1; i < sequence.size(); ++i)
    code = code << 6 | (static_cast<unsigned char>(sequence[i]) & 0x3fu);
  return code;
}

// Ranges from Unicode's East Asian Width (W, F) and combining diacritical marks, coarse.
std::size_t columns_of(std::uint32_t code) {
  if ((code >= 0x300 && code <= 0x36f) || code == 0x200b || code == 0x200d ||
      (code >= 0xfe00 && code <= 0xfe0f))
    return 0;
  const bool wide = (code >= 0x1100 && code <= 0x115f) || (code >= 0x2e80 && code <= 0xa4cf) ||
                    (code >= 0xac00 && code <= 0xd7a3) || (code >= 0xf900 && code <= 0xfaff) ||
                    (code >= 0xfe30 && code <= 0xfe6f) || (code >= 0xff00 && code <= 0xff60) ||
                    (code >= 0x1f300 && code <= 0x1faff) || code >= 0x20000;
  return wide ? 2 : 1;
}

std::string_view escape(Ink ink) {
  switch (ink) {
    case Ink::plain: return "";
    case Ink::bold: return "\x1b[1m";
    case Ink::dim: return "\x1b[2m";
    case Ink::red: return "\x1b[31m";
    case Ink::yellow: return "\x1b[33m";
    case Ink::cyan: return "\x1b[36m";
  }
  return "";
}

std::string cut(std::string_view text, std::size_t width) {
  std::string out;
  std::size_t used = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto sequence = text.substr(i, sequence_length(text, i));
    used += columns_of(code_point(sequence));
    if (used > width) break;
    out += sequence;
    i += sequence.size();
  }
  return out;
}

}  // namespace

std::size_t display_width(std::string_view text) {
  std::size_t width = 0;
  for (std::size_t i = 0; i < text.size();) {
    const auto sequence = text.substr(i, sequence_length(text, i));
    width += columns_of(code_point(sequence));
    i += sequence.size();
  }
  return width;
}

std::size_t display_width(const Line& line) {
  std::size_t width = 0;
  for (const Span& span : line) width += display_width(span.text);
  return width;
}

std::string padded(std::string text, std::size_t width) {
  const std::size_t used = display_width(text);
  if (used < width) text.append(width - used, ' ');
  return text;
}

std::string Page::plain(std::string_view text) const {
  if (style_.unicode) return std::string(text);
  std::string out;
  for (std::size_t i = 0; i < text.size();) {
    const auto sequence = text.substr(i, sequence_length(text, i));
    i += sequence.size();
    if (sequence.size() == 1 && static_cast<unsigned char>(sequence[0]) < 0x80) {
      out += sequence;
      continue;
    }
    const auto known = std::find_if(glyphs.begin(), glyphs.end(),
                                    [&](const Glyph& g) { return g.unicode == sequence; });
    out += known == glyphs.end() ? std::string_view("?") : known->ascii;
  }
  return out;
}

std::size_t Page::columns() const {
  return std::max(least_columns, static_cast<std::size_t>(std::max(0, style_.columns)));
}

void Page::add(Line line) {
  for (Span& span : line) span.text = plain(span.text);
  while (!line.empty() && trim(line.back().text).empty()) line.pop_back();
  if (!line.empty()) line.back().text.erase(line.back().text.find_last_not_of(' ') + 1);
  const std::string dots = plain("…");
  std::size_t room = columns();
  const bool too_long = display_width(line) > room;
  if (too_long) room -= display_width(dots);
  for (const Span& span : line) {
    const std::string part = too_long ? cut(span.text, room) : span.text;
    const bool ends = part.size() < span.text.size();
    room -= std::min(room, display_width(part));
    const bool inked = style_.color && span.ink != Ink::plain;
    if (inked) out_ += escape(span.ink);
    out_ += part;
    if (ends) out_ += dots;
    if (inked) out_ += "\x1b[0m";
    if (ends) break;
  }
  out_ += '\n';
}

void Page::flow(const Line& first, const Line& rest, const std::vector<Span>& phrases) {
  fill(first, rest, phrases, "  ");
}

void Page::prose(const Line& first, const Line& rest, std::string_view text, Ink ink) {
  std::vector<Span> words;
  for (std::string_view word : split_blank(text)) words.push_back({std::string(word), ink});
  fill(first, rest, words, " ");
}

void Page::fill(const Line& first, const Line& rest, const std::vector<Span>& parts,
                std::string_view separator) {
  Line line = first;
  bool fresh = true;
  for (const Span& part : parts) {
    const std::size_t width = display_width(plain(part.text));
    Line probe = line;
    for (Span& span : probe) span.text = plain(span.text);
    if (!fresh && display_width(probe) + separator.size() + width > columns()) {
      add(std::move(line));
      line = rest;
      fresh = true;
    }
    if (!fresh) line.push_back({std::string(separator)});
    line.push_back(part);
    fresh = false;
  }
  add(std::move(line));
}

}  // namespace railgauge::present
