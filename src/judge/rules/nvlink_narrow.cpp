// Fewer NVLinks than the board is sold with, and other numbers in the two directions of a matrix.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "judge/rules/nvlink.h"
#include "judge/rules/nvlink_boards.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

std::string board_name(const Patient& patient, const Device& gpu) {
  const GpuBoard* board = patient.catalogue.board(gpu);
  return board != nullptr ? board->name : gpu.name.value_or("this board");
}

// Links that a healthy GPU of this board shows in its widest cell, or over all peers.
std::optional<int> too_few(const Patient& patient, DeviceId id, const NvLinkView& view,
                           std::size_t gpus) {
  const GpuBoard* board = patient.catalogue.board(patient.machine[id]);
  const int sold = *board->nvlink_count;
  if (view.widest == sold || view.sum == sold) return std::nullopt;
  constexpr int bridge_links = 4;  // of one bridge between two cards
  const bool bridge = home_of(patient, patient.machine[id]) == NvLinkHome::bridge;
  if (bridge)
    return view.widest % bridge_links == 0 || view.widest == 2 ? std::nullopt
                                                               : std::optional<int>(sold);
  // Through a switch every cell shows all links of the GPU. Without one they are shared out over
  // the peers: a third each on boards of four; and a container may show only some of the peers.
  constexpr std::size_t board_of_four = 4;
  constexpr int ampere = 80;
  const bool mesh = view.widest * 3 <= sold;
  if (!mesh && board->compute_capability >= ampere) return sold;
  const bool whole = gpus == board_of_four && view.peers == 3 && view.sum < sold &&
                     board->compute_capability >= ampere;
  return whole ? std::optional<int>(sold) : std::nullopt;
}

void report_narrow(const Patient& patient, DeviceId id, const NvLinkView& view, int expected,
                   const std::string& why, Verdicts& out) {
  const Machine& machine = patient.machine;
  const bool through_switch = view.widest * 3 > expected;
  const int seen = through_switch ? view.widest : view.sum;
  Finding& finding =
      out.fail(machine, id, fmt::format("has {} of {} NVLinks: {}", seen, expected, why));
  finding.evidence = {evidence(machine, through_switch ? "matrix cell" : "sum of its cells",
                               fmt::format("NV{}", seen), fmt::format("NV{}", expected),
                               view.source)};
  finding.impact.text =
      "collectives go at the pace of the GPU with the fewest links; NVLS needs all of them";
  finding.impact.lost_fraction = 1 - static_cast<double>(seen) / expected;
  if (const auto sold = sold_rate(patient, machine[id])) {
    finding.impact.could = *sold;
    finding.impact.now = *sold * (static_cast<double>(seen) / expected);
  }
  finding.remedy = bring_up_nvlink();
}

void narrow_unnamed(const Patient& patient, const std::vector<DeviceId>& gpus, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::map<int, std::size_t> counts;
  for (const DeviceId id : gpus) {
    const NvLinkView view = view_of(machine, id);
    // A matrix without NVLink on some pairs is a mesh or bridges: widths differ by design.
    if (view.widest == 0 || view.others > 0) return;
    ++counts[view.widest];
  }
  if (counts.size() < 2) {
    if (!counts.empty()) out.pass();
    return;
  }
  const auto most =
      std::max_element(counts.begin(), counts.end(),
                       [](const auto& a, const auto& b) { return a.second < b.second; });
  constexpr std::size_t enough = 3;
  if (most->second < enough) return;
  for (const DeviceId id : gpus) {
    const NvLinkView view = view_of(machine, id);
    if (view.widest < most->first)
      report_narrow(patient, id, view, most->first,
                    fmt::format("{} other GPUs have all", most->second), out);
  }
}

void narrow(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  std::vector<DeviceId> unnamed;
  for (const DeviceId id : gpus) {
    const NvLinkHome home = home_of(patient, machine[id]);
    if (home == NvLinkHome::unknown) unnamed.push_back(id);
    if (home != NvLinkHome::baseboard && home != NvLinkHome::bridge) continue;
    const NvLinkView view = view_of(machine, id);
    if (view.widest == 0) continue;  // NVL001, or ports alone: NVL003
    if (const auto sold = too_few(patient, id, view, gpus.size()))
      report_narrow(patient, id, view, *sold, board_name(patient, machine[id]) + " has all", out);
    else
      out.pass();
  }
  if (unnamed.size() > 2) narrow_unnamed(patient, unnamed, out);
}

void asymmetric(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const Pair& pair : machine.pairs) {
    if (machine[pair.a].kind != DeviceKind::gpu || machine[pair.b].kind != DeviceKind::gpu ||
        !pair.smi)
      continue;
    const auto& claims = pair.smi.claims();
    const auto other = std::find_if(claims.begin(), claims.end(), [&](const auto& claim) {
      return claim.source.trust > Trust::inferred && claim.source.index == claims[0].source.index &&
             claim.value.kind == SmiClass::nv && claims[0].value.kind == SmiClass::nv &&
             claim.value.nvlinks != claims[0].value.nvlinks;
    });
    if (other == claims.end()) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(fmt::format("{} and {}", machine[pair.a].id, machine[pair.b].id),
                                fmt::format("count {} links one way and {} the other",
                                            claims[0].value.nvlinks, other->value.nvlinks));
    finding.devices = {pair.a, pair.b};
    finding.evidence = {evidence(machine, "matrix cell", claims[0].value.text(),
                                 other->value.text(), claims[0].source),
                        evidence(machine, "the other cell", other->value.text(),
                                 claims[0].value.text(), other->source)};
    finding.impact.text = "the GPU with fewer links sets the pace";
    finding.remedy = bring_up_nvlink();
  }
}

Rule narrow_rule() {
  return {
      .id = "NVL002",
      .name = "nvlink-narrow",
      .severity = Severity::error,
      .weight = 75,
      .needs = {Need::gpus, Need::gpu_matrix},
      .explains = {{"NVL003", Relation::same_device}},
      .look = unknown_once<narrow>,
      .page = {.what = "A GPU has fewer NVLinks than its board is sold with.",
               .why = "Links are striped: with 16 of 18 the GPU has eight ninths of the bandwidth, "
                      "and every ring through it goes at that pace. NVLS is off unless all are up.",
               .by_hand = "nvidia-smi topo -m; nvidia-smi nvlink -s -i N\n"
                          "Compare NV# with the board: A100 NV12, A800 NV8, H100, H200, H20 and "
                          "B200 NV18, H100 on a board of four NV6 to each peer, V100 six in sum.",
               .remedy = "Look for SXid and Xid 74 or 144-150 of that GPU, reset all GPUs of the "
                         "board together, then reboot; a link that stays down is hardware.",
               .benign_if = "The board is another than it seems (A800 NV8, four-GPU H100 NV6), not "
                            "all peers are visible (container), or a PCIe card has fewer bridges "
                            "than it could.",
               .references = {"NVIDIA data sheets of the boards (data/boards.yaml)",
                              "nvidia-smi(1), topo"}}};
}

Rule asymmetric_rule() {
  return {
      .id = "NVL006",
      .name = "nvlink-asymmetric",
      .severity = Severity::warning,
      .weight = 55,
      .needs = {Need::gpus, Need::gpu_matrix},
      .explains = {},
      .look = unknown_once<asymmetric>,
      .page = {.what = "The matrix counts more NVLinks from one GPU to another than back.",
               .why = "A link joins two ends, so both cells are equal unless one GPU has lost some "
                      "of its links to the switch.",
               .by_hand = "nvidia-smi topo -m: compare each cell with its mirror image.",
               .remedy = "nvidia-smi nvlink -s of both; reset the GPUs; look for SXids.",
               .benign_if = "The matrix was typed or pasted with an error.",
               .references = {"nvidia-smi(1), topo"}}};
}

}  // namespace

std::vector<Rule> nvlink_narrow_rules() { return {narrow_rule(), asymmetric_rule()}; }

}  // namespace railgauge::judge
