// Finds the next of many words in a long text, at about one table look-up per byte whatever their
// number: what lets a reader pass over millions of lines that are not its own.
//   const Keywords words({{"Xid (", 0}, {"PCIe Bus Error", 1}});
//   for (auto hit = words.next(text, 0); hit; hit = words.next(text, hit->at + 1)) …
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

namespace railgauge::observe {

struct Keyword {
  std::string_view word;  // at least four bytes; must outlive the Keywords
  int group = 0;          // what the caller does with it
};

class Keywords {
 public:
  explicit Keywords(std::vector<Keyword> words);  // shorter words are never found

  struct Hit {
    std::size_t at = 0;
    int group = 0;
  };
  std::optional<Hit> next(std::string_view text, std::size_t from) const;

 private:
  static constexpr unsigned bits = 14;
  std::vector<Keyword> words_;
  // By a hash of four bytes: 0, or 1 + the place in chains_ of the words that begin with such.
  std::array<std::uint16_t, 1u << bits> table_{};
  std::vector<std::vector<std::size_t>> chains_;
};

}  // namespace railgauge::observe
