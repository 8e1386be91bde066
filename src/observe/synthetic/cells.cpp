#include "observe/synthetic/cells.h"

#include <fmt/format.h>

#include "base/characters.h"
#include "base/strings.h"

namespace railgauge::observe {
namespace {}  // namespace

std::string Cells::fill(std::string_view text) const {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto number =
        text[i] == '$' && i + 1 < text.size() && text[i + 1] >= '1' && text[i + 1] <= '9'
            ? static_cast<std::size_t>(text[i + 1] - '1')
            : cells_.size();
    if (number >= cells_.size()) {
      out += text[i];
      continue;
    }
    ++i;
    std::size_t end = i + 1;
    if (end < text.size() && text[end] == '+')
      for (++end; end < text.size() && is_hex_digit(text[end]);) ++end;
    const auto base = parse_hex(cells_[number]);
    const auto more = end > i + 2 ? parse_hex(text.substr(i + 2, end - i - 2)) : std::nullopt;
    if (base && more) {
      out += fmt::format("{:02x}", *base + *more);
      i = end - 1;
    } else {
      out += cells_[number];
    }
  }
  return out;
}

std::string replaced(std::string text, std::string_view word, std::string_view value) {
  for (std::size_t at = text.find(word); at != std::string::npos;
       at = text.find(word, at + value.size()))
    text.replace(at, word.size(), value);
  return text;
}

}  // namespace railgauge::observe
