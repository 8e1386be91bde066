// What of a kernel log goes into a recording.
#include <fmt/format.h>

#include <deque>

#include "base/strings.h"
#include "observe/kernel_log/kernel_log.h"
#include "observe/kernel_log/scan.h"
#include "observe/kernel_log/scanner.h"

namespace railgauge::observe {
namespace {

constexpr std::string_view head = "# kernel log: ";

std::string seconds(const std::optional<double>& value) {
  return value ? fmt::format("{:.6f} s", *value) : "?";
}

std::optional<double> time_of(std::string_view line) {
  return split_prefix(line.substr(0, 4096)).uptime_seconds;
}

// The first and the last line that have a time; few lines have none.
void take_span(std::string_view log, LogSummary& summary) {
  for (LineCursor lines(log); lines.next() && !summary.first_seconds && lines.number() < 1000;)
    summary.first_seconds = time_of(lines.line());
  std::string_view rest = trim(log);
  for (int tries = 0; tries < 1000 && !rest.empty() && !summary.last_seconds; ++tries) {
    const auto at = rest.rfind('\n');
    summary.last_seconds = time_of(at == std::string_view::npos ? rest : rest.substr(at + 1));
    rest = rest.substr(0, at == std::string_view::npos ? 0 : at);
  }
}

}  // namespace

std::string text(const LogSummary& summary) {
  return fmt::format("{}{} lines looked at, {} to {}, {} kept, {} older ones dropped", head,
                     summary.lines, seconds(summary.first_seconds), seconds(summary.last_seconds),
                     summary.kept, summary.dropped);
}

std::optional<LogSummary> parse_log_summary(std::string_view line) {
  if (line.substr(0, head.size()) != head) return std::nullopt;
  LogSummary out;
  const auto lines = leading_number(line.substr(head.size()));
  const auto from = after(line, "looked at, ");
  const auto to = from ? after(*from, " to ") : std::nullopt;
  const auto kept = to ? after(*to, ", ") : std::nullopt;
  const auto dropped = kept ? after(*kept, "kept, ") : std::nullopt;
  if (!lines || !dropped) return std::nullopt;
  out.lines = *lines;
  out.first_seconds = parse_double(until(*from, " "));
  out.last_seconds = parse_double(until(*to, " "));
  out.kept = leading_number(*kept).value_or(0);
  out.dropped = leading_number(*dropped).value_or(0);
  return out;
}

std::string kept_lines(std::string_view log, std::size_t bytes_max) {
  LogSummary summary;
  std::deque<std::string_view> kept;
  std::size_t bytes = 0;
  const LogScanner scanner;
  EventLog events("");
  scanner.scan(log, events, [&](std::string_view raw, std::uint32_t) {
    // Of no use to a reader, and it names one piece of hardware.
    if (contains(raw, "serial number:")) return true;
    kept.push_back(raw);
    bytes += raw.size() + 1;
    for (; bytes > bytes_max; ++summary.dropped) {
      bytes -= kept.front().size() + 1;
      kept.pop_front();
    }
    return true;
  });
  for (LineCursor lines(log); lines.next();) ++summary.lines;
  take_span(log, summary);
  summary.kept = kept.size();
  std::string out = text(summary) + "\n";
  out.reserve(out.size() + bytes);
  for (const std::string_view line : kept) {
    out += line;
    out += '\n';
  }
  return out;
}

}  // namespace railgauge::observe
