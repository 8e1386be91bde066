// What the parts of the hwloc reader share while one file is read.
#pragma once

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>

#include "model/machine.h"
#include "observe/nccl_xml/bounded_xml.h"

namespace railgauge::observe {

struct HwlocContext {
  const BoundedXml& xml;
  model::Machine machine;
  model::SourceRef file;
  int major = 2;                                        // of the format
  std::map<int, model::DeviceId> numa_nodes;            // by os_index
  std::map<std::string, model::DeviceId> by_gp_index;   // PCI functions and OS devices
  std::map<std::uint32_t, model::DeviceId> package_of;  // by CPU

  model::SourceRef at(pugi::xml_node node) const { return file.at_line(xml.line(node)); }
  void warn(pugi::xml_node node, std::string text) {
    machine.remark(model::RemarkLevel::warning, std::move(text), at(node));
  }
  void keep(model::DeviceId id, std::string key, std::string value, pugi::xml_node node);
};

// The text of an attribute of the element, or of its <info name="…" value="…">.
std::optional<std::string_view> hwloc_attribute(pugi::xml_node object, const char* name);
std::optional<std::string_view> hwloc_info(pugi::xml_node object, std::string_view name);
std::string_view hwloc_type(pugi::xml_node object);
bool is_io(std::string_view type);  // Bridge, PCIDev, OSDev

// Packages, NUMA nodes, cores, caches and host facts.
void read_hwloc_cpus(HwlocContext& context);
// Bridges, PCI functions and their OS devices; needs the NUMA nodes.
void read_hwloc_io(HwlocContext& context);
// What an <object type="OSDev"> says of the function it belongs to.
void read_hwloc_osdev(HwlocContext& context, pugi::xml_node object, model::DeviceId owner);
// Matrices between NUMA nodes and between GPUs; needs all devices.
void read_hwloc_distances(HwlocContext& context);

}  // namespace railgauge::observe
