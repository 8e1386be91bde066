// Known names, found as whole words: "node07" in "node07:911" and in "node07-ib0", not in
// "mynode07". The longest name wins.
//   WordTable words;
//   words.add("node07", NameKind::host);
//   if (const auto* word = words.longest(text, start, segment_end)) …
// A first look at a word costs two reads: only words whose first segment starts like a known name
// and is as long are looked up.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "observe/privacy/pseudonyms.h"

namespace railgauge::observe::privacy {

struct KnownWord {
  NameKind kind = NameKind::host;
  std::string text;
};

class WordTable {
 public:
  // The kind that comes first in NameKind wins when a name is added twice. Returns false when the
  // name is too long to be one.
  bool add(std::string_view name, NameKind kind);

  // start..end is a segment of the text; null when no known name begins there.
  const KnownWord* longest(std::string_view text, std::size_t start, std::size_t end) const;

  // In order of kind and name, so that what depends on order is the same each time.
  std::vector<KnownWord> sorted() const;

 private:
  static constexpr std::size_t most_segments = 32;
  static constexpr std::size_t longest_name = 255;  // RFC 1035: a host with its domain

  // Every name, and every beginning of one that ends with a segment (without a word).
  std::unordered_map<std::string, KnownWord> beginnings_;
  std::array<std::uint64_t, 256> lengths_{};  // of first segments, by first byte
};

}  // namespace railgauge::observe::privacy
