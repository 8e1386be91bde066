#include "observe/hwloc/hwloc_xml.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "observe/hwloc/hwloc_context.h"

namespace railgauge::observe {

void HwlocContext::keep(model::DeviceId id, std::string key, std::string value,
                        pugi::xml_node node) {
  machine[id].attributes.push_back({"hwloc." + std::move(key), valid_utf8(value), at(node)});
}

std::optional<std::string_view> hwloc_attribute(pugi::xml_node object, const char* name) {
  const pugi::xml_attribute found = object.attribute(name);
  if (!found) return std::nullopt;
  return std::string_view(found.value());
}

std::optional<std::string_view> hwloc_info(pugi::xml_node object, std::string_view name) {
  for (const pugi::xml_node info : object.children("info"))
    if (name == info.attribute("name").value()) return hwloc_attribute(info, "value");
  return std::nullopt;
}

std::string_view hwloc_type(pugi::xml_node object) {
  if (object.type() != pugi::node_element || std::string_view(object.name()) != "object") return {};
  return object.attribute("type").value();
}

bool is_io(std::string_view type) {
  return type == "Bridge" || type == "PCIDev" || type == "OSDev";
}

bool looks_like_hwloc_xml(std::string_view bytes) {
  const auto start = find_element(bytes, "topology");
  if (!start) return false;
  const auto object = find_element(bytes, "object", *start);
  return object && contains(tag_at(bytes, *object), "type=");
}

Result<model::Machine> read_hwloc_xml(const Input& input) {
  // A PU takes about 300 bytes and 2 elements; a machine of 2000 PUs and 500 PCI functions fits
  // easily.
  constexpr XmlBounds bounds{64u << 20, 500'000, 5'000'000, 128};
  const Result<BoundedXml> xml = parse_xml(input, "topology", bounds);
  if (!xml) return tl::unexpected(Error(xml.error()).because("reading hwloc's XML"));
  if (hwloc_type(xml->root().child("object")).empty())
    return fail(ErrorKind::input, fmt::format("{}:{}: <topology> holds no <object type=\"…\">",
                                              input.name, xml->line(xml->root())));
  HwlocContext context{*xml, {}, {}, 2, {}, {}, {}};
  context.machine.name = input.name;
  context.file = context.machine.sources.add(input.name, model::Trust::tool);
  // Format 1 wrote no version.
  const auto version = hwloc_attribute(xml->root(), "version");
  const auto major = version ? parse_int(version->substr(0, version->find('.'))) : 1;
  if (!major || *major < 1 || *major > 3)
    context.warn(xml->root(), fmt::format("format version {} is none of 1, 2, 3; read as 2",
                                          quoted(version.value_or(""))));
  else
    context.major = static_cast<int>(*major);
  read_hwloc_cpus(context);
  read_hwloc_io(context);
  read_hwloc_distances(context);
  context.machine.topology_files.push_back({"hwloc", false, {}, context.file});
  return std::move(context.machine);
}

}  // namespace railgauge::observe
