#include "observe/synthetic/gpu_links.h"

#include <fmt/format.h>

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Machine;

constexpr int most_links = 72;  // of one GPU

void add_ports(Machine& machine, DeviceId gpu, int count, int version, DeviceKind remote_kind,
               const model::Device* remote, model::SourceRef source) {
  auto& ports = machine[gpu].gpu->nvlinks;
  for (int i = 0; i < count && ports.size() < most_links; ++i) {
    model::NvLinkPort port;
    port.number = static_cast<int>(ports.size());
    port.active.claim(true, source);
    port.version.claim(version, source);
    port.remote_kind.claim(remote_kind, source);
    if (remote && remote->address) port.remote.claim(*remote->address, source);
    ports.push_back(port);
  }
}

// Numbers of one row of a list, or a complaint.
std::vector<int> row_of(YamlRow& row, const YAML::Node& node, std::size_t size) {
  std::vector<int> out;
  if (node.IsSequence())
    for (const YAML::Node& item : node) out.push_back(item.as<int>(-1));
  if (out.size() != size) row.complain(fmt::format("a row must have {} numbers", size));
  out.resize(size, -1);
  return out;
}

void add_pairs(YamlRow& row, Machine& machine, int version, model::SourceRef source) {
  for (const YAML::Node& entry : row.node()["pairs"]) {
    const auto pair = row_of(row, entry, 3);
    const auto a = machine.indexed(DeviceKind::gpu, pair[0]);
    const auto b = machine.indexed(DeviceKind::gpu, pair[1]);
    if (!a || !b || *a == *b || pair[2] < 1 || pair[2] > most_links)
      return row.complain(fmt::format("NVLink pair {} {} is not of two GPUs", pair[0], pair[1]));
    add_ports(machine, *a, pair[2], version, DeviceKind::gpu, &machine[*b], source);
    add_ports(machine, *b, pair[2], version, DeviceKind::gpu, &machine[*a], source);
  }
}

void add_nvlinks(YamlRow row, Machine& machine, model::SourceRef source) {
  row.only({"version", "per_switch", "hidden_switch", "pairs"});
  const int version = row.integer("version", {1, 9});
  if (row.has("pairs")) return add_pairs(row, machine, version, source);
  const int hidden = row.integer_or("hidden_switch", 0, {1, most_links});
  const auto switches = machine.of_kind(DeviceKind::nvswitch);
  std::vector<int> per_switch;
  if (row.has("per_switch")) per_switch = row_of(row, row.node()["per_switch"], switches.size());
  if ((hidden == 0) == per_switch.empty())
    return row.complain("expected one of pairs, per_switch and hidden_switch");
  for (const DeviceId gpu : machine.of_kind(DeviceKind::gpu)) {
    add_ports(machine, gpu, hidden, version, DeviceKind::nvswitch, nullptr, source);
    for (std::size_t i = 0; i < per_switch.size(); ++i)
      add_ports(machine, gpu, per_switch[i], version, DeviceKind::nvswitch, &machine[switches[i]],
                source);
  }
}

model::Link& add_link(Machine& machine, DeviceId a, DeviceId b, model::LinkKind kind, int width,
                      model::SourceRef source) {
  model::Link& link = machine.links.emplace_back();
  link.a = a;
  link.b = b;
  link.kind = kind;
  link.width.claim(width, source);
  link.width_possible.claim(width, source);
  link.source = source;
  return link;
}

void add_xgmi(YamlRow row, Machine& machine, model::SourceRef source) {
  row.only({"links"});
  const int links = row.integer("links", {1, 8});
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  for (std::size_t i = 0; i < gpus.size(); ++i)
    for (std::size_t j = i + 1; j < gpus.size(); ++j) {
      add_link(machine, gpus[i], gpus[j], model::LinkKind::xgmi, links, source);
      machine.pair(gpus[i], gpus[j]).rocm_link.claim("XGMI", source);
      machine.pair(gpus[i], gpus[j]).rocm_hops.claim(1, source);
    }
}

void add_c2c(YamlRow& top, Machine& machine, const model::Catalogue& catalogue,
             model::SourceRef source) {
  for (const YAML::Node& entry : top.node()["c2c"]) {
    const auto pair = row_of(top, entry, 2);
    const auto gpu = machine.indexed(DeviceKind::gpu, pair[0]);
    const auto package = machine.indexed(DeviceKind::package, pair[1]);
    if (!gpu || !package) return top.complain("\"c2c\" names a GPU or package that is not there");
    const model::GpuBoard* board = catalogue.board(machine[*gpu]);
    model::Link& link = add_link(machine, *gpu, *package, model::LinkKind::c2c, 1, source);
    if (!board || !board->c2c) continue;
    link.as_found = *board->c2c;
    link.nominal = *board->c2c;
  }
}

}  // namespace

void add_gpu_links(YamlRow& top, Machine& machine, const model::Catalogue& catalogue,
                   model::SourceRef source) {
  if (top.has("nvlink")) add_nvlinks(top.row("nvlink"), machine, source);
  if (top.has("xgmi")) add_xgmi(top.row("xgmi"), machine, source);
  if (top.has("c2c")) add_c2c(top, machine, catalogue, source);
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    model::Device& gpu = machine[id];
    const model::GpuBoard* board = catalogue.board(gpu);
    if (!board) continue;
    const model::SourceRef from = machine.sources.add("data/boards.yaml", model::Trust::catalogue);
    if (board->compute_capability != 0)
      gpu.gpu->compute_capability.claim(board->compute_capability, from);
    if (board->nvlink_count) gpu.gpu->nvlink_count_max.claim(*board->nvlink_count, from);
  }
}

}  // namespace railgauge::observe
