// The elements of an NCCL topology file, one function each. What is unknown is left out: NCCL then
// fills it in from the running system.
#pragma once

#include "model/machine.h"
#include "present/nccl_xml/nccl_tree.h"
#include "present/nccl_xml/xml_lines.h"

namespace railgauge::present {

struct NcclWriter {
  const model::Machine& machine;
  const NcclTree& tree;
  XmlLines& out;
};

XmlAttributes cpu_attributes(const model::Machine& machine, model::DeviceId numa_node);
XmlAttributes pci_attributes(const NcclWriter& writer, model::DeviceId id);
void write_gpu(const NcclWriter& writer, model::DeviceId id);
void write_nic(const NcclWriter& writer, model::DeviceId id);

// "0-1,35" as "00000008,00000003"; nothing for text that is no CPU list or names CPUs above 16383.
std::optional<std::string> mask_of_cpu_list(std::string_view list);

// The fact as text, else what a topology file stated under the same name; absent otherwise.
void add_attribute(XmlAttributes& attributes, const std::string& name, const model::Device& device,
                   const std::optional<std::string>& fact);

}  // namespace railgauge::present
