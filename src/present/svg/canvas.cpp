#include "present/svg/canvas.h"

#include <fmt/format.h>

#include <algorithm>

#include "present/words.h"

namespace railgauge::present {
namespace {

// Mean advance of DejaVu Sans, the widest of the fonts that browsers fall back to, in em.
constexpr double mean_advance = 0.60;
constexpr double label_font_pixels = 10.5;

bool starts_sequence(char c) { return (static_cast<unsigned char>(c) & 0xc0) != 0x80; }

}  // namespace

std::string escaped(std::string_view text) {
  const std::string plain = clean(text);
  std::string out;
  out.reserve(plain.size());
  for (char c : plain) {
    switch (c) {
      case '<': out += "&lt;"; break;
      case '>': out += "&gt;"; break;
      case '&': out += "&amp;"; break;
      case '"': out += "&quot;"; break;
      case '\'': out += "&#39;"; break;
      default: out += c;
    }
  }
  return out;
}

double text_width(std::string_view text, double font_pixels) {
  std::size_t count = 0;
  for (char c : text) count += starts_sequence(c) ? 1 : 0;
  return static_cast<double>(count) * font_pixels * mean_advance;
}

std::string fitted(std::string_view text, double width, double font_pixels) {
  const std::string plain = clean(text);
  if (text_width(plain, font_pixels) <= width) return plain;
  const auto room = static_cast<std::size_t>(std::max(0.0, width / (font_pixels * mean_advance)));
  std::size_t count = 0;
  std::size_t end = 0;
  while (end < plain.size()) {
    if (starts_sequence(plain[end]) && ++count >= room) break;
    ++end;
  }
  return plain.substr(0, end) + "…";
}

void Canvas::box(const Rect& r, std::string_view css_class, double radius) {
  out_ += fmt::format(
      "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{:.1f}\" height=\"{:.1f}\" rx=\"{:g}\" "
      "class=\"{}\"/>\n",
      r.x, r.y, r.width, r.height, radius, css_class);
}

void Canvas::line(double x1, double y1, double x2, double y2, std::string_view css_class) {
  out_ +=
      fmt::format("<line x1=\"{:.1f}\" y1=\"{:.1f}\" x2=\"{:.1f}\" y2=\"{:.1f}\" class=\"{}\"/>\n",
                  x1, y1, x2, y2, css_class);
}

void Canvas::path(std::string_view commands, std::string_view css_class, double stroke_width) {
  out_ += fmt::format("<path d=\"{}\" class=\"{}\" stroke-width=\"{:g}\"/>\n", commands, css_class,
                      stroke_width);
}

void Canvas::label(double x, double y, std::string_view text, std::string_view css_class) {
  if (text.empty()) return;
  out_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"{}\">{}</text>\n", x, y, css_class,
                      escaped(text));
}

void Canvas::label_on_line(double x, double y, std::string_view text, std::string_view css_class) {
  const double width = text_width(text, label_font_pixels) + 6;
  box({x - width / 2, y - 11, width, 14}, "paper", 3);
  label(x, y, text, css_class);
}

void Canvas::open_group(std::string_view tooltip) {
  out_ += "<g>";
  if (!tooltip.empty()) out_ += "<title>" + escaped(tooltip) + "</title>";
  out_ += '\n';
}

void Canvas::open_mark(std::string_view css_class, std::string_view id, std::string_view href,
                       std::string_view tooltip) {
  out_ += fmt::format("<{} class=\"{}\"", href.empty() ? "g" : "a", css_class);
  if (!id.empty()) out_ += fmt::format(" id=\"{}\"", escaped(id));
  if (!href.empty())
    out_ += fmt::format(" href=\"{}\" aria-label=\"{}\"", escaped(href), escaped(tooltip));
  out_ += ">";
  if (!tooltip.empty()) out_ += "<title>" + escaped(tooltip) + "</title>";
  out_ += '\n';
}

}  // namespace railgauge::present
