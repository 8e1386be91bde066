// The small substitution of data/machines/*.yaml: a row of cells stands for $1, $2 …, and "+n"
// after one adds n (hexadecimal), so that bus numbers need not be written out.
//   Cells row({"15", "0"});
//   row.fill("$1+4:00.0")     // "19:00.0"
// Bounded: an unknown cell or a sum that is no number stays as it is, and the reader of the address
// then complains.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

class Cells {
 public:
  Cells() = default;
  explicit Cells(std::vector<std::string> cells) : cells_(std::move(cells)) {}
  std::string fill(std::string_view text) const;

 private:
  std::vector<std::string> cells_;
};

// Every "$word" becomes `value`.
std::string replaced(std::string text, std::string_view word, std::string_view value);

}  // namespace railgauge::observe
