// The devices of an NCCL topology file: <cpu>, <pci>, <gpu>, <nic> and <net>, with the tree they
// form. Links between GPUs come afterwards, see nccl_links.h.
#pragma once

#include "observe/nccl_xml/nccl_context.h"

namespace railgauge::observe {

// Where in the tree an element stands.
struct NcclPlace {
  std::optional<model::DeviceId> parent;
  std::optional<model::DeviceId> cpu;
  std::optional<int> numa;
};

// <cpu numaid affinity arch vendor familyid modelid>: a numa_node, and all that is below it.
void read_nccl_cpu(NcclContext& context, pugi::xml_node node);

// <pci busid class …> and all that is below it.
void read_nccl_pci(NcclContext& context, pugi::xml_node node, const NcclPlace& place);

// <nic> inside the function `pci`, or inside a <cpu>, where it is virtual: no PCI function.
void read_nccl_nic(NcclContext& context, pugi::xml_node node, const NcclPlace& place,
                   std::optional<model::DeviceId> pci);

}  // namespace railgauge::observe
