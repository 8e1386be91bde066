#include "observe/lspci/flags.h"

#include "base/strings.h"

namespace railgauge::observe {
namespace {

// A word of the list without its comma, or empty when it is no flag.
std::string_view flag_word(std::string_view word) {
  while (!word.empty() && (word.back() == ',' || word.back() == ';')) word.remove_suffix(1);
  if (word.size() < 2 || (word.back() != '+' && word.back() != '-')) return {};
  return word;
}

}  // namespace

std::optional<bool> flag(std::string_view flags, std::string_view name) {
  for (const auto text : split_blank(flags)) {
    const auto word = flag_word(text);
    if (!word.empty() && word.substr(0, word.size() - 1) == name) return word.back() == '+';
  }
  return std::nullopt;
}

std::string set_flags(std::string_view flags) {
  std::string out;
  for (const auto text : split_blank(flags)) {
    const auto word = flag_word(text);
    if (word.empty() || word.back() != '+') continue;
    if (!out.empty()) out += ' ';
    out += word.substr(0, word.size() - 1);
  }
  return out.empty() ? "none" : out;
}

}  // namespace railgauge::observe
