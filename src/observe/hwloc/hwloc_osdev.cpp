#include <fmt/format.h>

#include "base/strings.h"
#include "observe/hwloc/hwloc_context.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;

enum class OsType { other, network, openfabrics, compute };

// Formats 1 and 2 number the kinds, format 3 has one bit for each. Source: hwloc.h.
OsType os_type(const HwlocContext& context, pugi::xml_node object) {
  const auto number = parse_int(object.attribute("osdev_type").value());
  if (!number || *number < 0) return OsType::other;
  if (context.major >= 3) {
    if ((*number & 32) != 0) return OsType::openfabrics;
    if ((*number & 16) != 0) return OsType::network;
    return (*number & (4 | 8)) != 0 ? OsType::compute : OsType::other;
  }
  switch (*number) {
    case 1:
    case 5: return OsType::compute;
    case 2: return OsType::network;
    case 3: return OsType::openfabrics;
    default: return OsType::other;
  }
}

// The number behind a prefix: 3 for ("nvml3", "nvml").
std::optional<int> number_behind(std::string_view name, std::string_view prefix) {
  if (name.substr(0, prefix.size()) != prefix) return std::nullopt;
  const auto number = parse_int(name.substr(prefix.size()));
  if (!number || *number < 0 || *number > 4096) return std::nullopt;
  return static_cast<int>(*number);
}

// Names of ibv_port_state. Source: rdma-core's verbs.h.
std::string port_state(std::string_view number) {
  if (number == "1") return "DOWN";
  if (number == "2") return "INIT";
  if (number == "3") return "ARMED";
  if (number == "4") return "ACTIVE";
  return valid_utf8(number);
}

void read_openfabrics(HwlocContext& context, pugi::xml_node object, model::NicFacts& nic,
                      const std::string& name) {
  const auto here = context.at(object);
  nic.rdma_device.claim(name, here);
  if (const auto guid = hwloc_info(object, "NodeGUID"))
    nic.guid.claim(lower(valid_utf8(*guid)), here);
  for (const pugi::xml_node info : object.children("info")) {
    std::string_view key = info.attribute("name").value();
    if (key.size() < 10 || key.substr(0, 4) != "Port" || key.substr(key.size() - 5) != "State")
      continue;
    const auto number = parse_int(key.substr(4, key.size() - 9));
    if (!number || *number < 1 || *number > 255 || nic.ports.size() > 255) continue;
    model::NicPort port;
    port.number = static_cast<int>(*number);
    port.state.claim(port_state(info.attribute("value").value()), context.at(info));
    nic.ports.push_back(std::move(port));
  }
}

// nvmlN carries NVML's index, rsmiN that of ROCm's tools; cudaN is the order of CUDA, which can
// differ and so is kept as a name only.
void read_compute(HwlocContext& context, pugi::xml_node object, DeviceId owner,
                  const std::string& name) {
  model::Device& device = context.machine[owner];
  const auto here = context.at(object);
  if (!device.gpu) device.gpu.emplace();
  for (const char* prefix : {"nvml", "rsmi"})
    if (const auto index = number_behind(name, prefix)) device.index.claim(*index, here);
  if (const auto model_name = hwloc_info(object, "GPUModel"); model_name && !model_name->empty())
    device.name.claim(valid_utf8(*model_name), here);
  for (const char* key : {"NVIDIAUUID", "AMDUUID"})
    if (const auto uuid = hwloc_info(object, key)) device.gpu->uuid.claim(valid_utf8(*uuid), here);
  const auto kibibytes = hwloc_info(object, "CUDAGlobalMemorySize");
  if (const auto value = kibibytes ? parse_int(*kibibytes) : std::nullopt;
      value && *value > 0 && *value < std::int64_t{1} << 40)
    device.gpu->memory_bytes.claim(static_cast<std::uint64_t>(*value) * 1024, here);
}

}  // namespace

void read_hwloc_osdev(HwlocContext& context, pugi::xml_node object, DeviceId owner) {
  const std::string name = valid_utf8(object.attribute("name").value());
  context.keep(owner, "osdev", name, object);
  if (const auto gp = hwloc_attribute(object, "gp_index"))
    context.by_gp_index.emplace(std::string(*gp), owner);
  model::Device& device = context.machine[owner];
  const OsType type = os_type(context, object);
  const bool is_nic = device.kind == model::DeviceKind::nic;
  if (is_nic && type == OsType::network) device.nic->netdev.claim(name, context.at(object));
  if (is_nic && type == OsType::openfabrics) read_openfabrics(context, object, *device.nic, name);
  if (device.kind == model::DeviceKind::gpu && type == OsType::compute)
    read_compute(context, object, owner, name);
  for (const char* key : {"Address", "Port1LID", "SysImageGUID", "XGMIHiveID"})
    if (const auto value = hwloc_info(object, key))
      context.keep(owner, fmt::format("{}.{}", name, key), std::string(*value), object);
}

}  // namespace railgauge::observe
