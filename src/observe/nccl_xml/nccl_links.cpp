#include "observe/nccl_xml/nccl_links.h"

#include <fmt/format.h>

#include <tuple>

#include "base/strings.h"
#include "observe/nccl_xml/nccl_vocabulary.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::LinkKind;
using model::PciAddress;

// Classes of link targets. Source: kvDictPciClass in NCCL's graph/topo.cc; 0x068001 is the NVLink
// bridge of POWER9.
constexpr std::uint64_t class_nvswitch = 0x068000;
constexpr std::uint64_t class_cpu = 0x068001;

// What one GPU says about one target; the same target twice adds up, as in NCCL.
struct Stated {
  LinkKind kind;
  DeviceId from;
  DeviceId to;
  int count = 0;
  pugi::xml_node node;
};

class Links {
 public:
  explicit Links(NcclContext& context) : context_(context) {}

  void read(const NcclGpu& gpu) {
    for (const pugi::xml_node child : gpu.node.children()) {
      if (child.type() != pugi::node_element || !check_vocabulary(context_, child)) continue;
      const std::string_view name = child.name();
      if (name == "nvlink") read_bond(gpu, child, LinkKind::nvlink);
      if (name == "xgmi") read_bond(gpu, child, LinkKind::xgmi);
      if (name == "c2c") read_c2c(gpu, child);
    }
  }

  void emit() {
    std::map<std::tuple<LinkKind, DeviceId, DeviceId>, std::size_t> made;
    for (const Stated& s : stated_) {
      const auto key = std::make_tuple(s.kind, std::min(s.from, s.to), std::max(s.from, s.to));
      const auto [at, fresh] = made.emplace(key, context_.machine.links.size());
      if (fresh) {
        model::Link link;
        link.a = s.from;
        link.b = s.to;
        link.kind = s.kind;
        link.source = context_.at(s.node);
        if (const auto bw = parse_double(s.node.attribute("bw").value());
            s.kind == LinkKind::c2c && bw && *bw > 0)
          link.as_found = BytesPerSecond{*bw * 1e6 * s.count};  // bw: MB/s of one link
        context_.machine.links.push_back(std::move(link));
      }
      model::Link& link = context_.machine.links[at->second];
      if (!fresh && *link.width != s.count)
        context_.fault(s.node, "asymmetric",
                       fmt::format("{} says {} links to {}, which says {} (line {})", name(s.from),
                                   s.count, name(s.to), *link.width, link.source.line));
      link.width.claim(s.count, context_.at(s.node));
    }
    for (const Stated& s : stated_) warn_one_sided(s);
  }

 private:
  std::string name(DeviceId id) const {
    const auto& device = context_.machine[id];
    return device.address ? device.address->text() : std::string(model::text(device.kind));
  }

  void state(LinkKind kind, DeviceId from, DeviceId to, int count, pugi::xml_node node) {
    const auto key = std::make_tuple(kind, from, to);
    const auto [at, fresh] = by_direction_.emplace(key, stated_.size());
    if (fresh) return stated_.push_back({kind, from, to, count, node});
    Stated& known = stated_[at->second];
    context_.warn(node,
                  fmt::format("a second <{}> to {}: the counts add up", node.name(), name(to)));
    if (known.count <= (1 << 20)) known.count += count;
  }

  void warn_one_sided(const Stated& s) {
    if (context_.machine[s.to].kind != DeviceKind::gpu) return;
    if (by_direction_.contains(std::make_tuple(s.kind, s.to, s.from))) return;
    context_.fault(s.node, "asymmetric",
                   fmt::format("{} has {} links to {}, which has none back", name(s.from), s.count,
                               name(s.to)));
  }

  std::optional<DeviceId> new_switch(const std::optional<PciAddress>& address,
                                     pugi::xml_node node) {
    if (!address && fabric_) return fabric_;
    const DeviceId id = context_.machine.add(DeviceKind::nvswitch, context_.at(node));
    if (address) {
      context_.machine[id].address.claim(*address, context_.at(node));
      context_.by_address.emplace(*address, id);
    } else {
      fabric_ = id;
      context_.note_lines(node,
                          "the NVLink targets are hidden (fffffff:ffff:ff), as NVML does in "
                          "virtual machines: one NVSwitch stands for the fabric");
    }
    return id;
  }

  std::optional<DeviceId> target(const NcclGpu& gpu, pugi::xml_node node) {
    const std::string text = lower(attribute(node, "target").value_or(""));
    const auto tclass = parse_hex(attribute(node, "tclass").value_or(""));
    if (tclass == class_cpu && gpu.cpu) {
      context_.keep(gpu.id, "nvlink.cpu", node.attribute("target").value(), node);
      return gpu.cpu;
    }
    if (starts_with_nocase(text, "fffffff:ffff:ff")) return new_switch(std::nullopt, node);
    const auto address = PciAddress::parse(text);
    if (!address) return std::nullopt;
    const auto found = context_.by_address.find(*address);
    if (found != context_.by_address.end()) return found->second;
    if (tclass == class_nvswitch) return new_switch(address, node);
    return std::nullopt;
  }

  void read_bond(const NcclGpu& gpu, pugi::xml_node node, LinkKind kind) {
    const auto count = number(context_, node, "count");
    const auto to = target(gpu, node);
    const std::string raw =
        fmt::format("{} {} {}", node.attribute("target").value(), node.attribute("count").value(),
                    node.attribute("tclass").value());
    const std::string key = std::string(node.name());
    if (to && to == gpu.id) {
      context_.keep(gpu.id, key + ".loose", raw, node);
      context_.note_lines(node, fmt::format("<{}> leads from a GPU to itself, which joins nothing; "
                                            "kept as an attribute",
                                            node.name()));
      return;
    }
    if (to && count && *count > 0 && *count <= 1024) return state(kind, gpu.id, *to, *count, node);
    context_.keep(gpu.id, key + ".loose", raw, node);
    if (!to)
      context_.fault(node, "missing-target",
                     fmt::format("<{}> target {} is no device of this file", node.name(),
                                 quoted(node.attribute("target").value())));
    else
      context_.fault(node, "bad-value",
                     fmt::format("<{}> count={} is not a number of links", node.name(),
                                 quoted(node.attribute("count").value())));
  }

  void read_c2c(const NcclGpu& gpu, pugi::xml_node node) {
    const auto count = number(context_, node, "count");
    context_.keep(gpu.id, "c2c.bw", node.attribute("bw").value(), node);
    if (!gpu.cpu || !count || *count <= 0 || *count > 1024) {
      context_.keep(gpu.id, "c2c.count", node.attribute("count").value(), node);
      context_.fault(node, "bad-value", "<c2c> has no count above 0, or its GPU is below no <cpu>");
      return;
    }
    state(LinkKind::c2c, gpu.id, *gpu.cpu, *count, node);
  }

  NcclContext& context_;
  std::optional<DeviceId> fabric_;
  std::vector<Stated> stated_;
  std::map<std::tuple<LinkKind, DeviceId, DeviceId>, std::size_t> by_direction_;
};

}  // namespace

void read_nccl_links(NcclContext& context) {
  Links links(context);
  for (const NcclGpu& gpu : context.gpus) links.read(gpu);
  links.emit();
}

}  // namespace railgauge::observe
