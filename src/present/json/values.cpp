#include "present/json/values.h"

#include <fmt/format.h>

namespace railgauge::present {

Json json_value(model::PciId id) { return fmt::format("{:04x}:{:04x}", id.vendor, id.device); }

Json json_value(model::PciClass pci_class) { return fmt::format("0x{:06x}", pci_class.code); }

Json json_value(model::PciPort port) {
  switch (port) {
    case model::PciPort::endpoint: return "endpoint";
    case model::PciPort::root_port: return "root_port";
    case model::PciPort::switch_upstream: return "switch_upstream";
    case model::PciPort::switch_downstream: return "switch_downstream";
    case model::PciPort::pci_bridge: return "pci_bridge";
    case model::PciPort::root_integrated: return "root_integrated";
  }
  return "endpoint";
}

Json json_value(const model::AcsControl& acs) {
  return Json{{"source_validation", acs.source_validation},
              {"translation_blocking", acs.translation_blocking},
              {"request_redirect", acs.request_redirect},
              {"completion_redirect", acs.completion_redirect},
              {"upstream_forwarding", acs.upstream_forwarding},
              {"egress_control", acs.egress_control},
              {"direct_translated", acs.direct_translated}};
}

}  // namespace railgauge::present
