// Writes SVG elements. Every text is cleaned and escaped here and nowhere else.
//   Canvas canvas;
//   canvas.box({10, 10, 80, 20}, "gpu");
//   canvas.label(50, 24, "gpu0", "id middle");
#pragma once

#include <string>
#include <string_view>

namespace railgauge::present {

struct Rect {
  double x = 0;
  double y = 0;
  double width = 0;
  double height = 0;
  double right() const { return x + width; }
  double bottom() const { return y + height; }
  double middle() const { return x + width / 2; }
};

class Canvas {
 public:
  void box(const Rect& rect, std::string_view css_class, double radius = 6);
  void line(double x1, double y1, double x2, double y2, std::string_view css_class);
  void path(std::string_view commands, std::string_view css_class, double stroke_width);
  void label(double x, double y, std::string_view text, std::string_view css_class);
  // A label on a patch of background, so that a line under it does not cut through the letters.
  void label_on_line(double x, double y, std::string_view text, std::string_view css_class);
  void open_group(std::string_view tooltip);  // with the full words of what is abbreviated inside
  void close_group() { out_ += "</g>\n"; }
  // A group that leads to `href`, by mouse and keyboard; a mere group when that is empty.
  void open_mark(std::string_view css_class, std::string_view id, std::string_view href,
                 std::string_view tooltip);
  void close_mark(bool leads_somewhere) { out_ += leads_somewhere ? "</a>\n" : "</g>\n"; }
  const std::string& elements() const { return out_; }

 private:
  std::string out_;
};

// `text` for element content and attribute values of XML and HTML: cleaned, < > & " ' escaped.
std::string escaped(std::string_view text);

// An upper guess of the width in pixels, for a wide sans-serif font.
double text_width(std::string_view text, double font_pixels);

// Cut to the width, marked "…".
std::string fitted(std::string_view text, double width, double font_pixels);

}  // namespace railgauge::present
