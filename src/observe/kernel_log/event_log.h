// The events of one kernel log under construction, and what the forms must remember between lines.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>

#include "model/machine.h"
#include "observe/kernel_log/log_line.h"

namespace railgauge::observe {

// An error report whose lines may still come: several of them interleave in one log.
struct OpenReport {
  std::size_t event = 0;
  std::uint32_t line = 0;   // the last that belongs to it
  bool has_error = false;   // "PCIe Bus Error" was read
  bool has_status = false;  // "error status/mask" was read
  bool apei = false;
};

class EventLog {
 public:
  static constexpr std::size_t no_event = static_cast<std::size_t>(-1);

  explicit EventLog(const std::string& source_name, std::size_t events_max = 100'000);

  // A new event with the line's time, count and words. Past the bound it is counted and forgotten,
  // and `no_event` is its index.
  model::Event& add(const LogLine& line, model::EventKind kind, model::EventSeverity severity,
                    std::string_view words);
  std::size_t last() const { return last_; }
  model::Event* at(std::size_t index);
  model::Event* last_of(model::EventKind kind);  // nullptr when there was none

  // The function is a device of the machine; a kind other than `other` stays.
  void name_device(const model::PciAddress& address, model::DeviceKind kind, const LogLine& line);
  // The number that the driver gives a device already named.
  void number_device(const model::PciAddress& address, std::optional<int> index,
                     const LogLine& line);
  void remark(model::RemarkLevel level, std::string text, const LogLine& line);
  // A line that starts like one of ours and does not go on so.
  void not_understood(const LogLine& line, std::string_view expected);
  // The line is of another host than the first.
  void pass_over_host(const LogLine& line);
  model::SourceRef here(const LogLine& line) const { return source_.at_line(line.number); }

  // Closes the books: devices, what was dropped. The log is empty afterwards.
  model::Machine finish();

  model::Machine machine;
  // Reports of AER and APEI by the function they are about, and blocks of APEI by their number.
  std::map<model::PciAddress, OpenReport> reports;
  std::map<std::uint64_t, std::size_t> blocks;
  // The last "error received" line: who told, and whether a report took it.
  struct Header {
    model::PciAddress reporter;
    model::PciAddress device;
    std::uint32_t line = 0;
  };
  std::optional<Header> header;

 private:
  model::SourceRef source_;
  std::size_t events_max_;
  std::uint64_t dropped_ = 0;
  std::uint64_t dropped_remarks_ = 0;
  std::uint64_t other_host_lines_ = 0;
  std::set<std::string> other_hosts_;
  std::size_t last_ = no_event;
  model::Event scratch_;
  std::map<model::EventKind, std::size_t> last_of_kind_;
  struct Named {
    model::DeviceKind kind;
    model::SourceRef source;
    std::optional<int> index;
  };
  std::map<model::PciAddress, Named> devices_;
};

}  // namespace railgauge::observe
