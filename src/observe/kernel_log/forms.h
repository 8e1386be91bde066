// The forms of lines that mean something, one small file each. A form is asked about a line that
// holds one of its words; it makes an event, adds to one, or leaves the line alone.
#pragma once

#include <span>
#include <string_view>

#include "observe/kernel_log/event_log.h"

namespace railgauge::observe {

struct Form {
  std::span<const std::string_view> words;           // each at least four bytes
  bool (*take)(const LogLine& line, EventLog& log);  // true: the line belongs to an event
};

// How severities are given:
//   information  a state, no fault: a link came up, a firmware version, healthy bandwidth
//   corrected    the hardware repaired it: AER corrected, ECC single bit, SXid that is
//   informational warning      works, but less well or not for long; and faults of a program, not
//   of hardware nonfatal     something was lost, the device goes on: AER non-fatal, contained ECC,
//   link down fatal        the device or its link is gone until it is reset
Form aer_form();
Form aer_bit_form();
Form aer_recovery_form();
Form apei_form();
Form pcie_bandwidth_form();
Form pcie_hotplug_form();
Form xid_form();
Form sxid_form();
Form nvidia_driver_form();
Form amd_gpu_form();
Form nic_form();
Form peer_memory_form();
Form iommu_form();
Form memory_error_form();
Form process_form();
Form suppressed_form();

}  // namespace railgauge::observe
