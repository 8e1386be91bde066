// Traffic classes that variables ask for, against each other and against the priority that flow
// control protects.
#include <fmt/format.h>

#include "base/strings.h"
#include "judge/rules/port_counters_parts.h"

namespace railgauge::judge {
namespace {

using namespace model;

// UCX's "auto" on RoCE v2: DSCP 26 with ECN.
constexpr int ucx_automatic = 106;

std::optional<int> class_of(const Variable* variable) {
  if (variable == nullptr) return std::nullopt;
  const auto value = parse_int(trim(variable->value));
  if (!value || *value < 0 || *value > 255) return std::nullopt;
  return static_cast<int>(*value);
}

bool uses(const Machine& machine, std::string_view prefix) {
  for (const Variable& variable : machine.variables)
    if (variable.name.starts_with(prefix)) return true;
  return false;
}

// The usual map: the upper three bits of the DSCP are the priority.
int priority_of(int traffic_class) { return traffic_class >> 5; }

// The one priority whose pause counters move; nothing when none or several do.
std::optional<int> protected_priority(const NicPort& port) {
  std::optional<int> found;
  for (int priority = 0; priority < priorities; ++priority) {
    std::uint64_t frames = 0;
    for (const char* direction : {"rx", "tx"})
      frames += counter(port, priority_counter(direction, "pause_frames", priority)).value_or(0);
    if (frames == 0) continue;
    if (found) return std::nullopt;
    found = priority;
  }
  return found;
}

void against_each_other(const Machine& machine, Verdicts& out) {
  if (!uses(machine, "NCCL_") || !uses(machine, "UCX_")) return;
  const Variable* nccl = variable(machine, "NCCL_IB_TC");
  const Variable* ucx = variable(machine, "UCX_IB_TRAFFIC_CLASS");
  if (nccl == nullptr && ucx == nullptr) return;
  const int of_nccl = class_of(nccl).value_or(0);
  const int of_ucx = class_of(ucx).value_or(ucx_automatic);
  if (priority_of(of_nccl) == priority_of(of_ucx)) {
    out.pass();
    return;
  }
  const Variable* named = nccl != nullptr ? nccl : ucx;
  Finding& finding = out.fail(
      "environment",
      fmt::format("NCCL sends with traffic class {} (priority {}), UCX with {} (priority {})",
                  of_nccl, priority_of(of_nccl), of_ucx, priority_of(of_ucx)));
  finding.evidence = {evidence(machine, named->name, named->value, {}, named->source)};
  finding.impact.text = "one of the two runs outside the lossless class";
  const int good = of_nccl != 0 ? of_nccl : of_ucx;
  finding.remedy = {step("give both the class of the fabric",
                         fmt::format("export NCCL_IB_TC={} UCX_IB_TRAFFIC_CLASS={}", good, good))};
}

void against_the_port(const Machine& machine, const PortView& view, Verdicts& out) {
  const auto lossless = protected_priority(*view.port);
  if (!lossless || *lossless == 0) return;  // 0 is RDM011's
  const Variable* nccl = variable(machine, "NCCL_IB_TC");
  const int used = priority_of(class_of(nccl).value_or(0));
  if (used == *lossless) {
    out.pass();
    return;
  }
  Finding& finding = fail_port(
      out, machine, view,
      nccl != nullptr
          ? fmt::format("NCCL_IB_TC={} is priority {} by the usual map; flow control acts on {}",
                        nccl->value, used, *lossless)
          : fmt::format("NCCL_IB_TC is not set, so NCCL sends in priority 0; flow control acts on "
                        "{}",
                        *lossless));
  if (nccl != nullptr)
    finding.evidence.push_back(evidence(machine, "NCCL_IB_TC", nccl->value, {}, nccl->source));
  for (const char* direction : {"rx", "tx"}) {
    const std::string name = priority_counter(direction, "pause_frames", *lossless);
    if (counter(*view.port, name))
      finding.evidence.push_back(counter_evidence(machine, view, name));
  }
  finding.impact.text = "NCCL's packets are not protected from loss";
  // DSCP 8 p + 2, with ECN: 26 for priority 3.
  const int wanted = ((*lossless * 8 + 2) << 2) | 2;
  finding.remedy = {step("send in the lossless class; the DSCP must be the fabric's",
                         fmt::format("export NCCL_IB_TC={}", wanted)),
                    step("look how DSCP maps to priorities here",
                         fmt::format("dcb app show dev {}", interface_of(view)))};
  if (nccl == nullptr && !roce_traffic(view).seen) {
    finding.severity = Severity::note;
    finding.weight = 20;
  }
}

void look(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  against_each_other(machine, out);
  if (!uses(machine, "NCCL_")) return;
  for (const PortView& view : port_views(machine))
    if (!is_infiniband(view)) against_the_port(machine, view, out);
}

}  // namespace

std::vector<Rule> traffic_class_rules() {
  return {
      Rule{.id = "RDM015",
           .name = "traffic-class-mismatch",
           .severity = Severity::warning,
           .weight = 60,
           .needs = {Need::environment},
           .explains = {{"RDM011", Relation::same_device}},
           .look = look,
           .page = {.what = "Libraries send RoCE in other traffic classes than each other, or than "
                            "the one that flow control protects.",
                    .why = "The traffic class of a packet is its DSCP and ECN bits; switches and "
                           "adapters choose the priority by it. NCCL sends 0 unless NCCL_IB_TC is "
                           "set, UCX 106 (DSCP 26) on RoCE v2, so a job with both uses two "
                           "priorities of which one is not lossless.",
                    .by_hand = "env | grep -E 'NCCL_IB_TC|UCX_IB_TRAFFIC_CLASS'; ethtool -S "
                               "INTERFACE | grep -E 'prio[0-7]_(pause|bytes)'; dcb app show",
                    .remedy = "Set NCCL_IB_TC and UCX_IB_TRAFFIC_CLASS to DSCP << 2 | 2 of the "
                              "fabric's lossless class.",
                    .benign_if = "The fabric maps that DSCP to the protected priority in its own "
                                 "way, or runs without lossless classes.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_IB_TC",
                                   "UCX documentation, UCX_IB_TRAFFIC_CLASS",
                                   "RFC 2474 (DSCP), RFC 3168 (ECN)"}}},
  };
}

}  // namespace railgauge::judge
