#include <fmt/format.h>

#include "base/strings.h"
#include "present/nccl_xml/nccl_elements.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;
using model::Link;
using model::LinkKind;
using model::Machine;

constexpr const char* hidden_target = "fffffff:ffff:ff";

std::optional<std::string> decimal(const model::Fact<int>& fact) {
  return fact ? std::optional<std::string>(fmt::format("{}", *fact)) : std::nullopt;
}

// Counts of a topology file can differ by direction: the link's first end said the first claim, the
// other end the second, if it said anything. Every other source counts for both ends.
std::optional<int> count_from(const Machine& machine, const Link& link, DeviceId gpu,
                              DeviceId other) {
  if (!link.width) return std::nullopt;
  if (link.width.source().trust != model::Trust::file) return *link.width;
  const auto& claims = link.width.claims();
  if (link.a == gpu || machine[other].kind != DeviceKind::gpu) return claims.front().value;
  if (claims.size() < 2) return std::nullopt;
  return claims[1].value;
}

std::string target_class(const Device& target) {
  if (target.kind == DeviceKind::numa_node || target.kind == DeviceKind::package) return "0x068001";
  if (target.kind == DeviceKind::nvswitch) return "0x068000";
  if (target.pci && target.pci->pci_class)
    return fmt::format("0x{:06x}", target.pci->pci_class->code);
  return "0x030200";
}

void write_bond(const NcclWriter& writer, const Link& link, DeviceId gpu, DeviceId other) {
  const auto count = count_from(writer.machine, link, gpu, other);
  if (!count || *count <= 0) return;
  const Device& target = writer.machine[other];
  // Where the target is a CPU, the address is that of its NVLink bridge, which is no device of
  // ours.
  const std::string* bridge = stated(writer.machine[gpu], "nvlink.cpu");
  const bool cpu = target.kind == DeviceKind::numa_node;
  const std::string address = cpu && bridge    ? *bridge
                              : target.address ? target.address->text()
                                               : hidden_target;
  writer.out.single(link.kind == LinkKind::xgmi ? "xgmi" : "nvlink",
                    {{"target", address},
                     {"count", fmt::format("{}", *count)},
                     {"tclass", target_class(target)}});
}

void write_c2c(const NcclWriter& writer, const Link& link, DeviceId gpu) {
  XmlAttributes out;
  const std::string* bandwidth = stated(writer.machine[gpu], "c2c.bw");
  if (bandwidth)
    out.emplace_back("bw", *bandwidth);
  else if (link.as_found && link.width && *link.width > 0)
    out.emplace_back("bw", fmt::format("{:.0f}", link.as_found->value / 1e6 / *link.width));
  if (link.width) out.emplace_back("count", fmt::format("{}", *link.width));
  writer.out.single("c2c", out);
}

// Links of a file that join nothing in the machine: "target count tclass".
void write_loose(const NcclWriter& writer, const Device& gpu) {
  for (const auto& attribute : gpu.attributes) {
    for (const char* tag : {"nvlink", "xgmi"}) {
      if (attribute.key != fmt::format("nccl.{}.loose", tag)) continue;
      const auto words = split(attribute.value, ' ');
      if (words.size() != 3) continue;
      writer.out.single(tag, {{"target", std::string(words[0])},
                              {"count", std::string(words[1])},
                              {"tclass", std::string(words[2])}});
    }
  }
}

XmlAttributes gpu_attributes(const Device& device) {
  const model::GpuFacts& gpu = *device.gpu;
  XmlAttributes out;
  add_attribute(out, "dev", device, decimal(gpu.nccl_device ? gpu.nccl_device : device.index));
  add_attribute(out, "sm", device, decimal(gpu.compute_capability));
  if (const std::string* text = stated(device, "gcn"))
    out.emplace_back("gcn", *text);
  else if (gpu.gcn_architecture)
    out.emplace_back("gcn", *gpu.gcn_architecture);
  add_attribute(out, "arch", device, std::nullopt);
  add_attribute(out, "mlopart", device, std::nullopt);
  add_attribute(out, "rank", device, decimal(gpu.rank));
  if (gpu.gpudirect) out.emplace_back("gdr", *gpu.gpudirect ? "1" : "0");
  return out;
}

}  // namespace

void write_gpu(const NcclWriter& writer, DeviceId id) {
  const Device& device = writer.machine[id];
  if (!device.gpu) return;
  const XmlAttributes attributes = gpu_attributes(device);
  std::vector<std::pair<const Link*, DeviceId>> links;
  for (const Link& link : writer.machine.links) {
    if (link.a != id && link.b != id) continue;
    if (link.kind == LinkKind::nvlink || link.kind == LinkKind::xgmi || link.kind == LinkKind::c2c)
      links.emplace_back(&link, link.a == id ? link.b : link.a);
  }
  const bool skeleton = attributes.empty() && links.empty();
  if (skeleton) return;  // NCCL adds <gpu> itself
  writer.out.open("gpu", attributes);
  for (const auto& [link, other] : links) {
    if (link->kind == LinkKind::c2c)
      write_c2c(writer, *link, id);
    else
      write_bond(writer, *link, id, other);
  }
  write_loose(writer, device);
  writer.out.close();
}

}  // namespace railgauge::present
