#include "observe/nccl_log/marked_lines.h"

#include <algorithm>
#include <cstring>

namespace railgauge::observe {
namespace {

// A line of NCCL's with a thousand adapters is some 40 kB.
constexpr std::size_t longest_line_bytes = 1u << 20;
// What "NCCL INFO ", "NCCL WARN ", "NCCL version " and "RCCL version " share.
constexpr std::string_view common = "CCL ";

// Eight bytes at a time: counting lines costs a tenth of what finding words does.
std::uint32_t newlines(std::string_view text) {
  constexpr std::uint64_t ones = 0x0101010101010101;
  constexpr std::uint64_t tops = 0x8080808080808080;
  std::uint64_t count = 0;
  std::size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    std::uint64_t word = 0;
    std::memcpy(&word, text.data() + i, sizeof word);
    word ^= ones * '\n';
    // The top bit of each byte that is zero, without carries between bytes.
    const std::uint64_t zero = ~(((word & ~tops) + ~tops) | word | ~tops);
    count += (zero >> 7) * ones >> 56;
  }
  for (; i < text.size(); ++i) count += text[i] == '\n' ? 1 : 0;
  return static_cast<std::uint32_t>(count);
}

bool is_mark(std::string_view text, std::size_t at) {
  if (at == 0 || (text[at - 1] != 'N' && text[at - 1] != 'R')) return false;
  const std::string_view word = text.substr(at + common.size(), 8);
  return word.starts_with("INFO ") || word.starts_with("WARN ") || word.starts_with("version ");
}

std::size_t find(std::string_view text, std::size_t from) {
  while (from < text.size()) {
    const void* hit =
        ::memmem(text.data() + from, text.size() - from, common.data(), common.size());
    if (hit == nullptr) break;
    const auto at = static_cast<std::size_t>(static_cast<const char*>(hit) - text.data());
    if (is_mark(text, at)) return at;
    from = at + common.size();
  }
  return std::string_view::npos;
}

}  // namespace

void MarkedLines::take_whole(std::string_view text, const Use& use) {
  std::size_t counted = 0;
  for (auto at = find(text, 0); at != std::string_view::npos;) {
    const void* before = ::memrchr(text.data() + counted, '\n', at - counted);
    const std::size_t start =
        before == nullptr
            ? counted
            : static_cast<std::size_t>(static_cast<const char*>(before) - text.data()) + 1;
    const std::size_t end = std::min(text.find('\n', at), text.size());
    number_ += newlines(text.substr(counted, start - counted));
    counted = start;
    if (end - start > longest_line_bytes) {
      ++too_long_;
    } else {
      const std::size_t next = std::min(end + 1, text.size());
      const std::size_t next_end = std::min(text.find('\n', next), text.size());
      // The word begins one byte before what it shares with the others.
      use({text.substr(start, end - start), number_, at - 1 - start,
           text.substr(next, next_end - next)});
    }
    at = find(text, end);
  }
  number_ += newlines(text.substr(counted));
}

void MarkedLines::take(std::string_view piece, const Use& use) {
  const auto first = piece.find('\n');
  if (first == std::string_view::npos) {
    if (rest_.size() + piece.size() <= longest_line_bytes && !skipping_) {
      rest_.append(piece);
    } else {
      rest_.clear();
      skipping_ = true;
    }
    return;
  }
  if (skipping_ || !rest_.empty()) {
    if (skipping_) {
      ++too_long_;
      ++number_;
    } else {
      rest_.append(piece.substr(0, first + 1));
      take_whole(rest_, use);
    }
    rest_.clear();
    skipping_ = false;
    piece.remove_prefix(first + 1);
  }
  const auto last = piece.rfind('\n');
  const std::size_t whole = last == std::string_view::npos ? 0 : last + 1;
  take_whole(piece.substr(0, whole), use);
  rest_.assign(piece.substr(whole));
  if (rest_.size() > longest_line_bytes) {
    rest_.clear();
    skipping_ = true;
  }
}

void MarkedLines::end(const Use& use) {
  if (skipping_) ++too_long_;
  take_whole(rest_, use);
  rest_.clear();
}

}  // namespace railgauge::observe
