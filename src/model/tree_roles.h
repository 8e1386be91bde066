// What a bridge is on its link, also where its capability could not be read.
#pragma once

#include "model/machine.h"

namespace railgauge::model {

// pcie_switch (an upstream port), switch_port, root_port; a bridge of unknown role by its place:
// below a host bridge it is a root port, below a port it is a switch, below a switch a port.
DeviceKind bridge_role(const Machine& machine, DeviceId bridge);

inline bool is_switch(const Machine& machine, DeviceId id) {
  return is_pcie_bridge(machine[id].kind) && bridge_role(machine, id) == DeviceKind::pcie_switch;
}

}  // namespace railgauge::model
