// One line of a kernel log without what the logger put before it: level, time, host, facility.
//   split_prefix("Feb 23 16:24:18 node07 kernel: [103859.498995] NVRM: Xid …").text  // "NVRM: …"
// Known: dmesg, dmesg -T, dmesg -x, dmesg --time-format iso, journalctl -k in its short forms,
// syslog files, /dev/kmsg, syslog(2), "host:" of pdsh before a time, and lines with none of these.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace railgauge::observe {

struct LogLine {
  std::string_view text;
  std::uint32_t number = 0;
  std::optional<double> uptime_seconds;
  std::string wall_time;                // see model::Event
  std::optional<double> clock_seconds;  // see model::Event
  std::string_view host;                // empty when the line names none
  bool marked = false;                  // the prefix is one that only kernel logs have
  bool other_program = false;           // a syslog line of something else than the kernel
  std::uint64_t count = 1;              // how often the logger says that it was repeated
};

LogLine split_prefix(std::string_view raw);

}  // namespace railgauge::observe
