// Lines of coloured text that never exceed the width, in Unicode or in plain ASCII.
//   Page page(style);
//   page.add({{"gpu0", Ink::bold}, {"  x16 Gen5 63 GB/s"}});
//   return page.text();
// Callers write Unicode; the page turns it into ASCII when the style asks for it.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "present/present.h"

namespace railgauge::present {

enum class Ink { plain, bold, dim, red, yellow, cyan };

struct Span {
  std::string text;
  Ink ink = Ink::plain;
};
using Line = std::vector<Span>;

// Columns a terminal uses for valid UTF-8: wide East Asian letters and emoji take two, combining
// marks none.
std::size_t display_width(std::string_view text);
std::size_t display_width(const Line& line);

class Page {
 public:
  explicit Page(const Style& style) : style_(style) {}

  void add(Line line);  // what does not fit is cut, marked "…"
  void blank() {        // never two, none at the top
    if (!out_.empty() && !out_.ends_with("\n\n")) out_ += '\n';
  }

  // `first`, then phrases two blanks apart; continuation lines start with `rest`. Both prefixes
  // must have the same width for the phrases to align.
  void flow(const Line& first, const Line& rest, const std::vector<Span>& phrases);

  // The words of a long text, broken at blanks.
  void prose(const Line& first, const Line& rest, std::string_view text, Ink ink);

  const std::string& text() const { return out_; }
  const Style& style() const { return style_; }
  std::string plain(std::string_view text) const;  // as it will be written: Unicode or ASCII

 private:
  std::size_t columns() const;
  void fill(const Line& first, const Line& rest, const std::vector<Span>& parts,
            std::string_view separator);
  Style style_;
  std::string out_;
};

// Pads with blanks to `width` columns.
std::string padded(std::string text, std::size_t width);

}  // namespace railgauge::present
