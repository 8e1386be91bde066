// The line of /dev/shm in the output of df, in any of its forms: -k, -P, -h, -m, -BG, with types.
#include <array>
#include <cmath>
#include <optional>

#include "base/strings.h"
#include "observe/system/host_text.h"

namespace railgauge::observe {
namespace {

std::optional<std::uint64_t> unit_bytes(char letter) {
  constexpr std::string_view letters = "KMGTPE";
  const auto at = letters.find(letter == 'k' ? 'K' : letter);
  if (at == std::string_view::npos) return std::nullopt;
  return std::uint64_t{1} << 10 * (at + 1);
}

// "1K-blocks", "1024-blocks", "512-blocks", "1M-blocks", "1G-blocks": bytes per block. "Size" says
// that each number has its own unit.
std::optional<std::uint64_t> block_bytes(std::string_view word) {
  if (!word.ends_with("-blocks")) return std::nullopt;
  word.remove_suffix(7);
  std::uint64_t unit = 1;
  if (!word.empty())
    if (const auto letter = unit_bytes(word.back())) {
      unit = *letter;
      word.remove_suffix(1);
    }
  const auto number = parse_int(word);
  if (!number || *number <= 0 || *number > 1 << 20) return std::nullopt;
  return static_cast<std::uint64_t>(*number) * unit;
}

// `block` is 0 where the header names no block. "67108864" in blocks, or "64M", "1.5T" (df -h),
// "0".
std::optional<std::uint64_t> size(std::string_view word, std::uint64_t block) {
  if (word.empty()) return std::nullopt;
  std::uint64_t unit = block;
  if (const auto own = unit_bytes(word.back())) {
    unit = *own;
    word.remove_suffix(1);
  } else if (block == 0 && word != "0") {
    return std::nullopt;
  }
  const auto number = parse_double(word);
  const double most = 1e18;
  if (!number || !(*number >= 0) || *number * static_cast<double>(unit) > most) return std::nullopt;
  return static_cast<std::uint64_t>(std::llround(*number * static_cast<double>(unit)));
}

}  // namespace

bool shared_memory_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  bool found = false;
  std::uint64_t block = 0;
  for (LineCursor lines(text); lines.next() && machine.remarks.size() < 100;) {
    const auto line = trim(lines.line());
    const bool header = line.starts_with("Filesystem");
    if ((!header && !line.ends_with("/dev/shm")) || line.size() > 1024) continue;
    const auto words = split_blank(line);
    if (header) {
      block = 0;
      for (const auto word : words)
        if (const auto bytes = block_bytes(word)) block = *bytes;
      continue;
    }
    // "tmpfs [type] size used available use% /dev/shm"
    if (words.size() < 6 || words.back() != "/dev/shm" || !words[words.size() - 2].ends_with('%'))
      continue;
    found = true;
    const auto here = source.at_line(lines.number());
    const auto all = size(words[words.size() - 5], block);
    const auto used = size(words[words.size() - 4], block);
    if (all && used) {
      machine.host.shm_bytes.claim(*all, here);
      machine.host.shm_used_bytes.claim(*used, here);
    } else {
      machine.remark(model::RemarkLevel::warning,
                     "expected the size and use of /dev/shm with a unit, or df's header that names "
                     "one, found " +
                         railgauge::quoted(line),
                     here);
    }
  }
  return found;
}

}  // namespace railgauge::observe
