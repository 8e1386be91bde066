#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <optional>
#include <tuple>

#include "base/strings.h"
#include "observe/sysfs/pci_function.h"

namespace railgauge::observe {
namespace {

// The kernel knows 27 uncorrectable errors and prints a total; room for those to come.
constexpr std::uint32_t max_lines = 64;

struct Line {
  std::string_view name;
  std::uint64_t value = 0;
  std::uint32_t number = 0;
  bool operator<(const Line& other) const {
    return std::tie(name, number) < std::tie(other.name, other.number);
  }
};

bool is_name(std::string_view word) {
  if (word.empty() || word.size() > 32) return false;
  for (const char c : word)
    if (c <= ' ' || c > '~') return false;
  return true;
}

// "RxErr 0"
std::optional<Line> parse(std::string_view text, std::uint32_t number) {
  text = trim(text);
  const std::string_view name = text.substr(0, text.find_first_of(" \t\r\v\f"));
  const auto value = parse_int(text.substr(name.size()));
  if (!is_name(name) || !value || *value < 0) return std::nullopt;
  return Line{name, static_cast<std::uint64_t>(*value), number};
}

}  // namespace

void read_aer(const Entry& table, model::SourceRef here, model::Machine& machine,
              model::Counters& counters) {
  if (table.kind != Entry::Kind::file)
    return machine.remark(model::RemarkLevel::note,
                          "not read: " + (table.kind == Entry::Kind::refused
                                              ? std::string(table.bytes)
                                              : machine.sources.text(here) + " is a link"),
                          here);
  std::array<Line, max_lines> read;
  std::size_t count = 0;
  for (LineCursor lines(trim(table.bytes)); lines.next();) {
    if (lines.number() > max_lines) {
      machine.remark(model::RemarkLevel::warning,
                     fmt::format("more than {} lines; the rest is not read", max_lines),
                     here.at_line(lines.number()));
      break;
    }
    if (const auto line = parse(lines.line(), lines.number())) {
      read[count++] = *line;
    } else if (!lines.line().empty()) {
      machine.remark(model::RemarkLevel::warning,
                     "expected a counter like \"RxErr 0\", found " + quoted(lines.line()),
                     here.at_line(lines.number()));
      break;
    }
  }
  // In their order each counter is put behind the one before.
  std::sort(read.begin(), read.begin() + count);
  counters.reserve(count);
  for (std::size_t i = 0; i < count; ++i)
    counters[read[i].name].value.claim(read[i].value, here.at_line(read[i].number));
}

}  // namespace railgauge::observe
