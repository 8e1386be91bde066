// Something the kernel said about the hardware, at a time: an AER report, an Xid, a link that came
// up. Readers of kernel logs make these; event_groups() counts them and gives rates.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "model/pci.h"
#include "model/source.h"

namespace railgauge::model {

enum class EventKind : std::uint8_t {
  aer,             // PCIe error, reported by the kernel's own AER driver
  apei,            // hardware error reported by firmware (GHES)
  pcie_limited,    // "… available PCIe bandwidth, limited by … at ADDRESS"
  pcie_bandwidth,  // the same statement without a limit: healthy
  pcie_hotplug,    // link down/up, card not present, surprise removal
  xid,             // NVIDIA GPU
  sxid,            // NVIDIA NVSwitch
  gpu_driver,      // other words of NVRM, nvidia, amdgpu that matter
  nic,             // words of a network driver: link, health, firmware, command timeouts
  peer_memory,     // nvidia_peermem, nv_peer_mem
  iommu,           // DMAR, AMD-Vi, SMMU faults
  memory_error,    // EDAC, machine check
  segfault,        // in a communication library
  hung_task,
  out_of_memory,
};
std::string_view text(EventKind kind);  // also the JSON word

enum class EventSeverity : std::uint8_t { information, corrected, warning, nonfatal, fatal };
std::string_view text(EventSeverity severity);

struct Event {
  EventKind kind = EventKind::gpu_driver;
  EventSeverity severity = EventSeverity::information;
  std::optional<PciAddress> device;    // which function it is about
  std::optional<PciAddress> reporter;  // who told: the root port of an AER message; the narrow port
  std::optional<double> uptime_seconds;  // "[74785.660366]"
  std::string wall_time;  // RFC 3339 where the log has it; a log without a zone is taken as UTC,
                          // and one without a year keeps its own words: "Feb 23 16:24:18"
  std::optional<double> clock_seconds;  // the same for differences inside one source; any origin
  std::optional<int> code;              // Xid, SXid
  std::optional<int> subcode;           // of Xids 144-150
  std::optional<int> link;              // NVLink number
  std::optional<int> process_id;
  std::string process;
  std::string layer;              // AER: "Physical Layer", "Data Link Layer", "Transaction Layer";
                                  // Xids 144-150: the unit, "RLW_REMAP"
  std::vector<std::string> bits;  // AER: "RxErr", "BadTLP", in the kernel's short names; the one
                                  // marked "(First)" stands first
  std::uint64_t count = 1;        // more when the log says "message repeated" or "suppressed"
  std::string text;               // the words after the prefix, printable, at most 300 bytes
  SourceRef source;
  friend bool operator==(const Event&, const Event&) = default;
};

// Events that say the same of the same device.
struct EventGroup {
  Event first;               // its text stands for all
  std::uint64_t count = 0;   // with suppressed ones
  std::string last_time;     // of the last one, as `first` gives its own; empty when unknown
  Reading<double> per_hour;  // between the first and the last; unknown without times, or with one
  std::vector<std::size_t> members;  // indices into what was given
};

// In the order of their first event. Groups by kind, severity, device, code, subcode, link, layer
// and bits, and where no number tells events apart by their words without numbers.
std::vector<EventGroup> event_groups(std::span<const Event> events);

}  // namespace railgauge::model
