#include "observe/privacy/word_table.h"

#include <algorithm>
#include <vector>

#include "observe/privacy/characters.h"

namespace railgauge::observe::privacy {
namespace {

std::uint64_t length_bit(std::size_t length) {
  return std::uint64_t{1} << std::min<std::size_t>(length, 63);
}

// The end of the segment after the separators that follow `end`; 0 when there is none.
std::size_t next_segment(std::string_view text, std::size_t end) {
  std::size_t start = end;
  while (start < text.size() && start - end < 4 && !in_segment(text[start])) ++start;
  if (start >= text.size() || !in_segment(text[start])) return 0;
  return segment_end(text, start);
}

}  // namespace

bool WordTable::add(std::string_view name, NameKind kind) {
  if (name.empty() || name.size() > longest_name || !in_segment(name[0])) return false;
  std::vector<std::size_t> ends{segment_end(name, 0)};
  while (const std::size_t end = next_segment(name, ends.back())) ends.push_back(end);
  // "name-" would end with a separator: its last segment decides.
  if (ends.size() > most_segments || ends.back() != name.size()) return false;
  for (const std::size_t end : ends) beginnings_.try_emplace(std::string(name.substr(0, end)));
  KnownWord& word = beginnings_[std::string(name)];
  if (word.text.empty() || kind < word.kind) word = {kind, std::string(name)};
  lengths_[static_cast<unsigned char>(name[0])] |= length_bit(ends[0]);
  return true;
}

const KnownWord* WordTable::longest(std::string_view text, std::size_t start,
                                    std::size_t end) const {
  const auto lengths = lengths_[static_cast<unsigned char>(text[start])];
  if ((lengths & length_bit(end - start)) == 0) return nullptr;
  const KnownWord* best = nullptr;
  for (std::size_t segments = 0; segments < most_segments && end - start <= longest_name;
       ++segments) {
    const auto found = beginnings_.find(std::string(text.substr(start, end - start)));
    if (found == beginnings_.end()) break;
    if (!found->second.text.empty()) best = &found->second;
    end = next_segment(text, end);
    if (end == 0) break;
  }
  return best;
}

std::vector<KnownWord> WordTable::sorted() const {
  std::vector<KnownWord> words;
  for (const auto& [name, word] : beginnings_)
    if (!word.text.empty()) words.push_back(word);
  std::sort(words.begin(), words.end(), [](const KnownWord& a, const KnownWord& b) {
    return a.kind != b.kind ? a.kind < b.kind : a.text < b.text;
  });
  return words;
}

}  // namespace railgauge::observe::privacy
