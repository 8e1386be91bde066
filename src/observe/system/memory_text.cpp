// /proc/meminfo: all its "kB" are KiB.
#include <optional>

#include "base/strings.h"
#include "observe/system/host_text.h"

namespace railgauge::observe {
namespace {

struct Line {
  std::uint64_t value = 0;
  model::SourceRef source;
};

// "MemTotal:       1056471812 kB", "HugePages_Total:       8"
std::optional<std::uint64_t> value_of(std::string_view line, std::string_view key, bool in_kib) {
  if (!line.starts_with(key) || line.size() > 128) return std::nullopt;
  const auto words = split_blank(line.substr(key.size()));
  if (words.size() != (in_kib ? 2u : 1u) || (in_kib && words[1] != "kB")) return std::nullopt;
  const auto number = parse_int(words[0]);
  if (!number || *number < 0 || *number > INT64_MAX / 1024) return std::nullopt;
  return static_cast<std::uint64_t>(*number) * (in_kib ? 1024 : 1);
}

std::optional<std::uint64_t> product(const std::optional<Line>& a, const std::optional<Line>& b) {
  if (!a || !b) return std::nullopt;
  if (b->value != 0 && a->value > UINT64_MAX / b->value) return std::nullopt;
  return a->value * b->value;
}

}  // namespace

bool memory_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  std::optional<Line> total, available, pages, pages_free, page_size, hugetlb;
  for (LineCursor lines(text); lines.next();) {
    const auto note = [&](std::optional<Line>& into, std::string_view key, bool in_kib) {
      if (const auto value = into ? std::nullopt : value_of(lines.line(), key, in_kib))
        into = Line{*value, source.at_line(lines.number())};
    };
    note(total, "MemTotal:", true);
    note(available, "MemAvailable:", true);
    note(pages, "HugePages_Total:", false);
    note(pages_free, "HugePages_Free:", false);
    note(page_size, "Hugepagesize:", true);
    note(hugetlb, "Hugetlb:", true);
  }
  if (!total) return false;
  model::HostFacts& host = machine.host;
  host.memory_bytes.claim(total->value, total->source);
  if (available) host.memory_available_bytes.claim(available->value, available->source);
  if (hugetlb)  // all sizes of pages together, since Linux 4.16
    host.huge_pages_bytes.claim(hugetlb->value, hugetlb->source);
  else if (const auto bytes = product(pages, page_size))
    host.huge_pages_bytes.claim(*bytes, pages->source);
  // The number of free pages is given for the default size alone.
  const auto reserved = product(pages, page_size);
  const auto free = product(pages_free, page_size);
  if (free && (!hugetlb || hugetlb->value == reserved))
    host.huge_pages_free_bytes.claim(*free, pages_free->source);
  return true;
}

}  // namespace railgauge::observe
