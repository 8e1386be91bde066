#include "observe/kernel_log/scanner.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

// rsyslog's and sysklogd's words for a line that came again.
constexpr std::string_view repeated_word = "message repeated ";
constexpr std::size_t longest_line = 16384;

std::vector<Form> all_forms() {
  return {aer_form(),
          aer_bit_form(),
          aer_recovery_form(),
          apei_form(),
          pcie_bandwidth_form(),
          pcie_hotplug_form(),
          xid_form(),
          sxid_form(),
          nvidia_driver_form(),
          amd_gpu_form(),
          nic_form(),
          peer_memory_form(),
          iommu_form(),
          memory_error_form(),
          process_form(),
          suppressed_form()};
}

std::vector<Keyword> all_words(const std::vector<Form>& forms) {
  std::vector<Keyword> out;
  for (std::size_t i = 0; i < forms.size(); ++i)
    for (const std::string_view word : forms[i].words) out.push_back({word, static_cast<int>(i)});
  return out;
}

// "message repeated 3 times: [ [12.3] pcieport … ]" is the inner line, three times.
void unwrap_repeated(LogLine& line) {
  if (line.text.substr(0, repeated_word.size()) != repeated_word) return;
  const auto times = leading_number(line.text.substr(repeated_word.size()));
  const auto inner = after(line.text, " times: [");
  if (!times || !inner) return;
  std::string_view text = trim(*inner);
  if (!text.empty() && text.back() == ']') text.remove_suffix(1);
  LogLine outer = line;
  line = split_prefix(trim(text));
  line.number = outer.number;
  line.count = std::clamp<std::uint64_t>(*times, 1, 1u << 30);
  line.host = outer.host;
  if (line.wall_time.empty()) {
    line.wall_time = outer.wall_time;
    line.clock_seconds = outer.clock_seconds;
  }
}

}  // namespace

LogScanner::LogScanner() : forms_(all_forms()), words_(all_words(forms_)) {}

bool LogScanner::take(std::string_view raw, std::uint32_t number, std::size_t hit_in_line,
                      EventLog& log) const {
  if (raw.size() > longest_line) {
    LogLine line;
    line.number = number;
    log.remark(model::RemarkLevel::warning,
               fmt::format("a line of {} bytes; longer ones than {} are not read", raw.size(),
                           longest_line),
               line);
    return false;
  }
  LogLine line = split_prefix(raw);
  line.number = number;
  unwrap_repeated(line);
  if (line.other_program) return false;
  const auto& host = log.machine.host.hostname;
  if (!line.host.empty() && host && *host != valid_utf8(line.host)) {
    log.pass_over_host(line);
    return false;
  }
  std::uint32_t tried = 0;
  for (auto hit = words_.next(raw, hit_in_line); hit; hit = words_.next(raw, hit->at + 1)) {
    const std::uint32_t bit = 1u << hit->group;
    if ((tried & bit) != 0) continue;
    tried |= bit;
    if (forms_[static_cast<std::size_t>(hit->group)].take(line, log)) return true;
  }
  return false;
}

void LogScanner::scan(std::string_view text, EventLog& log, const Accepted& accepted) const {
  std::uint32_t number = 1;
  std::size_t counted = 0;  // lines before here are in `number`
  for (auto hit = words_.next(text, 0); hit;) {
    const auto before = text.rfind('\n', hit->at);
    const std::size_t start = before == std::string_view::npos ? 0 : before + 1;
    const std::size_t end = std::min(text.find('\n', hit->at), text.size());
    number += static_cast<std::uint32_t>(
        std::count(text.begin() + static_cast<std::ptrdiff_t>(counted),
                   text.begin() + static_cast<std::ptrdiff_t>(start), '\n'));
    counted = start;
    const std::string_view raw = text.substr(start, end - start);
    if (take(raw, number, hit->at - start, log) && !accepted(raw, number)) return;
    hit = words_.next(text, end);
  }
}

}  // namespace railgauge::observe
