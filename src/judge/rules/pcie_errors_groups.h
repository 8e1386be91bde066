// AER reports and error counters gathered by device, with a rate and with what they can have cost.
// For the family pcie_errors. Pure.
#pragma once

#include <optional>
#include <set>
#include <string>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

// More corrected errors a minute than this are a storm. DCGM warns above 8 PCIe replays a minute,
// "the maximum recommended by RM" (dcgm_gpu_hardware_limits.h, DCGM_LIMIT_MAX_PCIREPLAY_RATE).
inline constexpr double most_corrected_per_minute = 8;
// So many in a log without times, or within less than a minute, are a storm, too.
inline constexpr std::uint64_t many_at_once = 8;

struct ErrorGroup {
  model::EventKind kind = model::EventKind::aer;
  std::optional<model::PciAddress> address;
  const model::Event* first = nullptr;
  std::uint64_t count = 0;
  std::set<std::string> bits;
  std::set<std::string> layers;
  Reading<double> per_minute;
  bool many = false;                     // a storm by the two numbers above
  std::vector<model::DeviceId> devices;  // who had it, who told, GPUs that were lost after it
  std::vector<model::DeviceId> lost;     // of `devices`: GPUs with an Xid 79 after it
};

// One group for each function that had errors of that kind and severity, in the order of the log.
std::vector<ErrorGroup> error_groups(const model::Machine& machine, model::EventKind kind,
                                     model::EventSeverity severity);

// What the bits mean for the link: "receiver errors: signal integrity".
std::string meaning_of(const std::set<std::string>& bits);

// The tree is known and neither a GPU nor a fast adapter is at or below the function.
bool carries_no_traffic(const model::Machine& machine, const ErrorGroup& group);

// "gpu0 (0000:17:00.0)" or the bare address.
model::Finding& fail_group(const model::Machine& machine, const ErrorGroup& group, std::string text,
                           Verdicts& out);

}  // namespace railgauge::judge
