#include "observe/kernel_log/log_line.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/kernel_log/log_time.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

std::string_view skip_blanks(std::string_view text) {
  const auto start = text.find_first_not_of(" \t");
  return start == std::string_view::npos ? std::string_view{} : text.substr(start);
}

// "<4>": the level of syslog(2).
void strip_level(LogLine& line) {
  const std::string_view text = line.text;
  if (text.size() < 3 || text[0] != '<') return;
  const auto close = text.find('>');
  if (close > 4 || !parse_int(text.substr(1, close - 1))) return;
  line.text = text.substr(close + 1);
  line.marked = true;
}

// "4,1234,5678901,-;text", with more fields before the semicolon in newer kernels.
bool strip_kmsg(LogLine& line) {
  const auto end = line.text.substr(0, 120).find(';');
  if (end == std::string_view::npos || line.text[0] < '0' || line.text[0] > '9') return false;
  const auto fields = split(line.text.substr(0, end), ',');
  if (fields.size() < 4 || !parse_int(fields[0]) || !parse_int(fields[1])) return false;
  const auto microseconds = parse_int(fields[2]);
  if (!microseconds || *microseconds < 0) return false;
  line.uptime_seconds = static_cast<double>(*microseconds) / 1e6;
  line.text.remove_prefix(end + 1);
  line.marked = true;
  return true;
}

// "kern  :warn  : ": facility and level of dmesg -x, padded to six letters.
void strip_facility(LogLine& line) {
  const std::string_view text = line.text;
  if (text.size() < 16 || text[6] != ':' || text[13] != ':' || text[14] != ' ') return;
  for (const std::size_t start : {std::size_t{0}, std::size_t{7}})
    if (trim(text.substr(start, 6)).find_first_not_of("abcdefghijklmnopqrstuvwxyz0123456789") !=
        std::string_view::npos)
      return;
  line.text = skip_blanks(text.substr(15));
  line.marked = true;
}

// "[74785.660366] ", "[   12.345678][  T123] ", "[Sun Feb 23 16:24:18 2025] ", "[2025-…] ".
bool strip_bracket(LogLine& line) {
  if (line.text.empty() || line.text[0] != '[') return false;
  const auto close = line.text.substr(0, 48).find(']');
  if (close == std::string_view::npos) return false;
  const std::string_view inside = line.text.substr(1, close - 1);
  const std::string_view number = trim(inside);
  bool sure = true;
  if (const auto seconds = parse_double(number);
      seconds && *seconds >= 0 && contains(number, ".")) {
    line.uptime_seconds = *seconds;
    // Other programs write seconds too; the kernel always writes microseconds.
    sure = number.size() - number.find('.') == 7;
  } else if (auto time = ctime_time(inside)) {
    line.wall_time = std::move(time->wall_time);
    line.clock_seconds = time->clock_seconds;
  } else {
    return false;
  }
  line.text.remove_prefix(close + 1);
  // The thread or CPU that printed, where the kernel is built to say so.
  if (line.text.size() > 2 && line.text[0] == '[') {
    const auto end = line.text.substr(0, 16).find(']');
    const std::string_view caller =
        end == std::string_view::npos ? "" : trim(line.text.substr(1, end - 1));
    if (caller.size() > 1 && (caller[0] == 'T' || caller[0] == 'C') &&
        leading_int(caller.substr(1)))
      line.text.remove_prefix(end + 1);
  }
  if (!line.text.empty() && line.text[0] == ' ') line.text.remove_prefix(1);
  line.marked = line.marked || sure;
  return true;
}

bool is_kernel(std::string_view program) {
  return program == "kernel:" ||
         (program.substr(0, 7) == "kernel[" && program.substr(program.size() - 1) == ":");
}

// "node07 kernel: " after a time. False when it is not there.
bool strip_host_and_kernel(LogLine& line) {
  const std::string_view text = skip_blanks(line.text);
  const auto blank = text.find(' ');
  if (blank == std::string_view::npos || blank > 255) return false;
  const std::string_view rest = text.substr(blank + 1);
  const std::string_view program = until(rest, " ");
  if (!is_kernel(program)) return false;
  line.host = text.substr(0, blank);
  line.text = skip_blanks(rest.substr(program.size()));
  line.marked = true;
  return true;
}

void strip_kernel_word(LogLine& line) {
  if (line.text.substr(0, 8) != "kernel: ") return;
  line.text = skip_blanks(line.text.substr(8));
  line.marked = true;
}

void take_time(LogLine& line, LogTime&& time) {
  line.text.remove_prefix(time.length);
  line.text = skip_blanks(line.text);
  line.wall_time = std::move(time.wall_time);
  line.clock_seconds = time.clock_seconds;
}

// "node07: [   12.345678] …", as pdsh writes it.
void strip_pdsh_host(LogLine& line) {
  const auto at = line.text.substr(0, 80).find(": [");
  if (at == std::string_view::npos || at == 0) return;
  const std::string_view host = line.text.substr(0, at);
  if (host.find_first_of(" []:") != std::string_view::npos) return;
  LogLine inner = line;
  inner.text.remove_prefix(at + 2);
  if (!strip_bracket(inner)) return;
  inner.host = host;
  line = std::move(inner);
}

}  // namespace

LogLine split_prefix(std::string_view raw) {
  LogLine line;
  line.text = raw;
  if (!raw.empty() && raw.back() == '\r') line.text.remove_suffix(1);
  if (line.text.empty()) return line;
  strip_level(line);
  if (!line.text.empty() && strip_kmsg(line)) return line;
  strip_facility(line);
  if (auto iso = iso_time(line.text)) {
    take_time(line, std::move(*iso));
    strip_host_and_kernel(line);
  } else if (auto syslog = syslog_time(line.text)) {
    take_time(line, std::move(*syslog));
    line.other_program = !strip_host_and_kernel(line);
  }
  strip_kernel_word(line);
  if (!strip_bracket(line) && !line.marked) strip_pdsh_host(line);
  if (line.host.empty()) strip_host_and_kernel(line);  // journalctl -o short-monotonic
  strip_kernel_word(line);
  return line;
}

}  // namespace railgauge::observe
