// What the parts of the NCCL topology reader share while one file is read.
#pragma once

#include <map>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "model/machine.h"
#include "observe/nccl_xml/bounded_xml.h"

namespace railgauge::observe {

// A <gpu> whose links are read once every device is known.
struct NcclGpu {
  model::DeviceId id;
  std::optional<model::DeviceId> cpu;
  pugi::xml_node node;
};

struct NcclContext {
  const BoundedXml& xml;
  model::Machine machine;
  model::SourceRef file;
  std::map<model::PciAddress, model::DeviceId> by_address;
  std::vector<NcclGpu> gpus;

  NcclContext(const BoundedXml& parsed, const std::string& name);

  model::SourceRef at(pugi::xml_node node) const { return file.at_line(xml.line(node)); }
  void warn(pugi::xml_node node, std::string text);
  // The same, and a fault of the file of this kind (model/topology_file.h).
  void fault(pugi::xml_node node, const char* kind, std::string text);

  // The same thing on many lines becomes one remark that lists the lines.
  void note_lines(pugi::xml_node node, const std::string& text);
  void flush_notes();

  // A note of note_lines() that is also a fault of the file.
  void note_fault(pugi::xml_node node, const char* kind, const std::string& text);

  // The file as a whole: what it is, and its faults in the order of lines.
  void tell_file(const char* kind, bool skeleton);

  // Keeps the text of an attribute that has no fact of its own: "nccl.maxconn" = "262144".
  void keep(model::DeviceId id, const std::string& key, std::string value, pugi::xml_node node);
  void keep(model::DeviceId id, pugi::xml_node node, const char* attribute);

 private:
  std::vector<std::pair<std::string, std::vector<std::uint32_t>>> notes_;
  std::vector<model::TopologyFault> faults_;
};

// The attribute's text, or nothing where it is absent. Empty text is text.
std::optional<std::string_view> attribute(pugi::xml_node node, const char* name);

// The attribute as a whole number. Absent gives nothing; other text also gives a warning.
std::optional<int> number(NcclContext& context, pugi::xml_node node, const char* name);

}  // namespace railgauge::observe
