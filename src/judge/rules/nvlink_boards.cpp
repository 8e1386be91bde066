#include "judge/rules/nvlink_boards.h"

#include <algorithm>

#include "base/strings.h"

namespace railgauge::judge {

using namespace model;

NvLinkHome home_of(const Patient& patient, const Device& gpu) {
  const GpuBoard* board = patient.catalogue.board(gpu);
  if (board == nullptr) {
    if (!gpu.name) return NvLinkHome::unknown;
    return contains(*gpu.name, "GeForce") || contains(*gpu.name, "AMD") ? NvLinkHome::none
                                                                        : NvLinkHome::unknown;
  }
  if (!board->nvlink_count) return NvLinkHome::none;
  for (const char* card : {"PCIe", " NVL", "RTX", "GeForce", "A40", "A30", "Quadro", "DGXS"})
    if (contains(board->name, card)) return NvLinkHome::bridge;
  return contains(board->name, "GH200") ? NvLinkHome::module : NvLinkHome::baseboard;
}

std::optional<int> nvlinks_between(const Machine& machine, DeviceId a, DeviceId b) {
  const Pair* pair = machine.find_pair(std::min(a, b), std::max(a, b));
  if (pair == nullptr || !pair->smi) return std::nullopt;
  int least = -1;
  for (const auto& claim : pair->smi.claims()) {
    if (claim.source.trust <= Trust::inferred) continue;
    const int links = claim.value.kind == SmiClass::nv ? claim.value.nvlinks : 0;
    least = least < 0 ? links : std::min(least, links);
  }
  return least < 0 ? std::nullopt : std::optional<int>(least);
}

NvLinkView view_of(const Machine& machine, DeviceId gpu) {
  NvLinkView out;
  for (const DeviceId other : machine.of_kind(DeviceKind::gpu)) {
    if (other == gpu) continue;
    const auto links = nvlinks_between(machine, gpu, other);
    if (!links) continue;
    out.told = true;
    out.sum += *links;
    ++(*links > 0 ? out.peers : out.others);
    if (out.source == SourceRef{} || *links > out.widest)
      out.source = machine.find_pair(std::min(gpu, other), std::max(gpu, other))->smi.source();
    out.widest = std::max(out.widest, *links);
  }
  int active = 0;
  for (const NvLinkPort& port : machine[gpu].gpu->nvlinks) {
    if (!port.active) continue;
    out.told = true;
    if (out.source == SourceRef{}) out.source = port.active.source();
    active += *port.active ? 1 : 0;
  }
  out.sum = std::max(out.sum, active);
  for (const Link& link : machine.links) {
    if (link.kind != LinkKind::nvlink || (link.a != gpu && link.b != gpu)) continue;
    out.told = true;
    if (out.sum == 0) out.sum = link.width.value_or(1);
  }
  return out;
}

std::optional<BytesPerSecond> sold_rate(const Patient& patient, const Device& gpu) {
  const GpuBoard* board = patient.catalogue.board(gpu);
  if (board == nullptr || !board->nvlink_count) return std::nullopt;
  if (board->nvlink_per_link) return *board->nvlink_per_link * *board->nvlink_count;
  const NvLinkRate* rate =
      board->nvlink_version ? patient.catalogue.nvlink_rate(*board->nvlink_version) : nullptr;
  if (rate == nullptr) return std::nullopt;
  return rate->per_link * *board->nvlink_count;
}

}  // namespace railgauge::judge
