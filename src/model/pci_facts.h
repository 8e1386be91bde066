// What is known of one PCI function: identity, link, configuration, error counters.
#pragma once

#include <string>
#include <string_view>

#include "model/counter.h"
#include "model/fact.h"
#include "model/pci.h"

namespace railgauge::model {

// One end of a PCIe link as this function reports it.
struct LinkEnd {
  Fact<PcieSpeed> current_speed;
  Fact<PcieSpeed> max_speed;
  Fact<int> current_width;  // lanes
  Fact<int> max_width;
  friend bool operator==(const LinkEnd&, const LinkEnd&) = default;
};

// Which peer-redirecting bits of Access Control Services are set.
struct AcsControl {
  bool source_validation = false;
  bool translation_blocking = false;
  bool request_redirect = false;
  bool completion_redirect = false;
  bool upstream_forwarding = false;
  bool egress_control = false;
  bool direct_translated = false;

  bool redirects() const { return request_redirect || completion_redirect || upstream_forwarding; }
  friend bool operator==(const AcsControl&, const AcsControl&) = default;
};

// What is enabled (LnkCtl), not what is supported.
enum class Aspm : std::uint8_t { disabled, l0s, l1, l0s_l1 };
std::string_view text(Aspm aspm);

struct PciFacts {
  Fact<PciId> id;
  Fact<PciId> subsystem;
  Fact<PciClass> pci_class;
  Fact<int> revision;
  Fact<PciPort> port;
  LinkEnd link;  // towards the root for endpoints and upstream ports; towards the device for root
                 // and downstream ports
  Fact<std::string> driver;
  Fact<int> iommu_group;
  Fact<std::string> power_state;  // "D0", "D3hot" …
  Fact<int> sriov_total_vfs;
  Fact<int> sriov_active_vfs;
  Fact<PciAddress> physical_function;  // set on a virtual function
  Fact<Aspm> aspm;
  Fact<AcsControl> acs;
  Fact<int> max_payload_bytes;
  Fact<int> max_read_request_bytes;
  Fact<bool> relaxed_ordering;
  // Counters by the kernel's names: "RxErr", "BadTLP", "TOTAL_ERR_COR" …
  Counters aer_correctable;
  Counters aer_nonfatal;
  Counters aer_fatal;
  Fact<int> secondary_bus;  // bridges: buses behind it
  Fact<int> subordinate_bus;
  Fact<std::string> slot;  // "SLOT 40"
  friend bool operator==(const PciFacts&, const PciFacts&) = default;
};

}  // namespace railgauge::model
