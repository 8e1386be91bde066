#include "observe/kernel_log/keywords.h"

#include <cstring>

namespace railgauge::observe {
namespace {

std::uint32_t hash_of(const char* four_bytes) {
  std::uint32_t value = 0;
  std::memcpy(&value, four_bytes, sizeof value);
  return value * 2654435769u;  // Knuth's multiplicative hash; the high bits are the good ones
}

}  // namespace

Keywords::Keywords(std::vector<Keyword> words) : words_(std::move(words)) {
  for (std::size_t i = 0; i < words_.size(); ++i) {
    if (words_[i].word.size() < 4) continue;
    std::uint16_t& place = table_[hash_of(words_[i].word.data()) >> (32 - bits)];
    if (place == 0) {
      chains_.emplace_back();
      place = static_cast<std::uint16_t>(chains_.size());
    }
    chains_[place - 1u].push_back(i);
  }
}

std::optional<Keywords::Hit> Keywords::next(std::string_view text, std::size_t from) const {
  if (text.size() < 4) return std::nullopt;
  const std::size_t end = text.size() - 3;
  for (std::size_t i = from; i < end; ++i) {
    const std::uint16_t place = table_[hash_of(text.data() + i) >> (32 - bits)];
    if (place == 0) continue;
    for (const std::size_t word : chains_[place - 1u])
      if (text.substr(i, words_[word].word.size()) == words_[word].word)
        return Hit{i, words_[word].group};
  }
  return std::nullopt;
}

}  // namespace railgauge::observe
