#include <fmt/format.h>

#include "observe/sysfs/pci_function.h"

namespace railgauge::observe {
namespace {

// The kernel knows 27 uncorrectable errors and prints a total; room for those to come.
constexpr std::uint32_t max_lines = 64;

bool is_name(std::string_view word) {
  if (word.empty() || word.size() > 32) return false;
  for (const char c : word)
    if (c <= ' ' || c > '~') return false;
  return true;
}

}  // namespace

void read_aer(const std::string& path, const Recording& recording, model::Machine& machine,
              model::Counters& counters) {
  if (recording.find(path) == nullptr) return;
  const model::SourceRef here = machine.sources.add(path, model::Trust::kernel);
  const auto text = recording.text(path);
  if (!text) return machine.remark(model::RemarkLevel::note, "not read: " + text.why(), here);
  for (LineCursor lines(*text); lines.next();) {
    if (lines.number() > max_lines)
      return machine.remark(model::RemarkLevel::warning,
                            fmt::format("more than {} lines; the rest is not read", max_lines),
                            here.at_line(lines.number()));
    const auto words = split_blank(lines.line());
    const auto value = words.size() == 2 ? parse_int(words[1]) : std::nullopt;
    if (value && *value >= 0 && is_name(words[0]))
      counters[std::string(words[0])].value.claim(static_cast<std::uint64_t>(*value),
                                                  here.at_line(lines.number()));
    else if (!lines.line().empty())
      return machine.remark(model::RemarkLevel::warning,
                            "expected a counter like \"RxErr 0\", found " + quoted(lines.line()),
                            here.at_line(lines.number()));
  }
}

}  // namespace railgauge::observe
