#include "observe/kernel_log/kernel_log.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/kernel_log/scanner.h"

namespace railgauge::observe {
namespace {

// So many lines that only a kernel log has make a log, even one without anything of ours. Not
// looked at is not clean: such a log says that nothing happened.
constexpr int marked_lines = 3;
constexpr int marked_lines_among = 2000;

bool has_kernel_lines(std::string_view text) {
  int marked = 0;
  int seen = 0;
  for (LineCursor lines(text); lines.next() && ++seen <= marked_lines_among;) {
    if (lines.line().size() > 4096) continue;
    const LogLine line = split_prefix(lines.line());
    if (line.marked && !line.other_program && !line.text.empty() && line.text != lines.line())
      if (++marked >= marked_lines) return true;
  }
  return false;
}

}  // namespace

bool looks_like_kernel_log(std::string_view bytes) {
  if (parse_log_summary(bytes.substr(0, bytes.find('\n')))) return true;
  const LogScanner scanner;
  EventLog log("");
  bool found = false;
  scanner.scan(bytes, log, [&](std::string_view, std::uint32_t) { return !(found = true); });
  return found || has_kernel_lines(bytes);
}

Result<model::Machine> read_kernel_log_text(const Input& input) {
  const LogScanner scanner;
  EventLog log(input.name);
  bool found = false;
  scanner.scan(input.bytes, log, [&](std::string_view, std::uint32_t) { return found = true; });
  LogLine first;
  first.number = 1;
  const auto summary =
      parse_log_summary(std::string_view(input.bytes).substr(0, input.bytes.find('\n')));
  if (!found && !summary && !has_kernel_lines(input.bytes))
    return fail(ErrorKind::input,
                input.name +
                    ": nothing of a kernel log: expected lines such as \"[   12.345678] pcieport "
                    "0000:00:1b.0: AER: …\"");
  if (summary) {
    log.machine.host.kernel_log_lines.claim(summary->lines, log.here(first));
    if (summary->dropped > 0)
      log.remark(model::RemarkLevel::note, event_text(until(input.bytes, "\n").substr(2)), first);
  } else if (log.machine.events.empty()) {
    log.remark(model::RemarkLevel::note,
               "nothing in this kernel log is about errors, links, GPUs or network adapters",
               first);
  }
  return log.finish();
}

}  // namespace railgauge::observe
