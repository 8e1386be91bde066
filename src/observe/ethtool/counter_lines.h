// Lines such as "     rx_prio3_pause: 1523" in a longer paste, gathered to lists.
//   for (const CounterList& list : counter_lists(plain)) if (list.kind ==
//   CounterList::Kind::ethtool) …
// A list begins at "NIC statistics:", or where names that a driver is known to use stand in lines
// of their own. What shows neither is not a list of counters.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

struct CounterLine {
  std::string_view name;
  std::uint64_t value = 0;
  std::uint32_t number = 0;  // of the line
};

struct CounterList {
  enum class Kind : std::uint8_t { ethtool, rdma, unknown };
  Kind kind = Kind::unknown;
  bool headed = false;              // by "NIC statistics:"
  std::string_view command_device;  // of "# ethtool -S eth0" before it; else empty
  std::uint32_t number = 0;         // the line it begins at
  std::vector<CounterLine> lines;
  std::vector<std::uint32_t> broken;  // indented lines of a headed list that are no counters
};

std::vector<CounterList> counter_lists(std::string_view plain);

// The interface of an ethtool call in a prompt line: "$ sudo ethtool -S eth0 | grep prio" with the
// option "-S" gives "eth0". Empty when the line is no such call.
std::string_view ethtool_call(std::string_view line, std::string_view option,
                              std::string_view long_option);

}  // namespace railgauge::observe
