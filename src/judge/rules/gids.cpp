// GID tables of RoCE ports, and the index that variables pick from them. Tables differ from host to
// host and from container to container, so an index that is right on one is wrong on another.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool is_link_local(const Gid& gid) { return gid.gid && gid.gid->starts_with("fe80:"); }
bool is_ipv4(const Gid& gid) {
  return gid.gid && gid.gid->starts_with("0000:0000:0000:0000:0000:ffff:");
}
bool is_v2(const Gid& gid) { return gid.type && *gid.type == "RoCE v2"; }

// "10.0.0.21" of a mapped address.
std::string address_of(const Gid& gid) {
  if (!is_ipv4(gid) || gid.gid->size() != 39) return gid.gid.value_or("?");
  const auto high = parse_hex(gid.gid->substr(30, 4));
  const auto low = parse_hex(gid.gid->substr(35, 4));
  if (!high || !low) return *gid.gid;
  return fmt::format("{}.{}.{}.{}", *high >> 8, *high & 255, *low >> 8, *low & 255);
}

const Gid* row(const NicPort& port, int index) {
  const auto at = std::find_if(port.gids.begin(), port.gids.end(),
                               [index](const Gid& gid) { return gid.index == index; });
  return at == port.gids.end() ? nullptr : &*at;
}

// The one to use: RoCE v2 over IPv4.
const Gid* best(const NicPort& port) {
  const auto at = std::find_if(port.gids.begin(), port.gids.end(),
                               [](const Gid& gid) { return is_v2(gid) && is_ipv4(gid); });
  return at == port.gids.end() ? nullptr : &*at;
}

// ibstatus shows the first row and no types: that is no table.
bool is_table(const NicPort& port) {
  return std::any_of(port.gids.begin(), port.gids.end(),
                     [](const Gid& gid) { return gid.type.known(); });
}

// A row's type says RoCE where the link layer is not told.
bool is_roce_table(const PortView& view) {
  if (view.port->link_layer) return is_ethernet(view);
  return std::any_of(view.port->gids.begin(), view.port->gids.end(),
                     [](const Gid& gid) { return gid.type && gid.type->starts_with("RoCE"); });
}

// NCCL_IB_HCA: "mlx5_0,mlx5_1:1" by their beginnings, "=mlx5_0" exactly, "^mlx5_2" all but these.
bool is_left_out(const Machine& machine, const NicFacts& nic) {
  const Variable* chosen = variable(machine, "NCCL_IB_HCA");
  if (chosen == nullptr || !nic.rdma_device) return false;
  std::string_view list = trim(chosen->value);
  const bool all_but = list.starts_with('^');
  if (all_but) list.remove_prefix(1);
  const bool exact = list.starts_with('=');
  if (exact) list.remove_prefix(1);
  if (list.empty()) return false;
  for (const std::string_view word : split(list, ',')) {
    const auto name = trim(word.substr(0, word.find(':')));
    if (exact ? *nic.rdma_device == name : nic.rdma_device->starts_with(name)) return all_but;
  }
  return !all_but;
}

std::vector<PortView> roce_tables(const Machine& machine) {
  std::vector<PortView> out;
  for (const PortView& view : port_views(machine))
    if (!view.port->gids.empty() && !is_down(*view.port) && is_roce_table(view) &&
        !is_left_out(machine, view.facts()))
      out.push_back(view);
  return out;
}

std::string described(const Gid& gid) {
  return fmt::format("{} {}", gid.type.value_or("unknown type"), address_of(gid));
}

Evidence gid_evidence(const Machine& machine, const Gid& gid, std::string expected) {
  return evidence(machine, fmt::format("GID {}", gid.index), described(gid), std::move(expected),
                  gid.gid.source());
}

std::vector<RemedyStep> address_remedy(const PortView& view) {
  return {root_step("give the interface its IPv4 address; the table follows by itself",
                    fmt::format("ip address add ADDRESS/PREFIX dev {}", interface_of(view))),
          step("see the table", fmt::format("show_gids {}", rdma_name_of(view)))};
}

void default_row_only(const Machine& machine, const PortView& view, Verdicts& out) {
  const Gid& gid = view.port->gids.front();
  if (!is_link_local(gid)) {
    out.unknown(subject_of(machine, view), Need::gids);
    return;
  }
  Finding& finding = fail_port(
      out, machine, view,
      "the default GID is link-local; whether a routable RoCE v2 GID stands beside it, only the "
      "whole table shows");
  finding.severity = Severity::note;
  finding.weight = 20;
  finding.evidence = {gid_evidence(machine, gid, "a RoCE v2 row with an IPv4 address beside it")};
  finding.impact.text = "NCCL before 2.21 uses index 0, which does not cross routers";
  finding.remedy = {step("see the whole table", fmt::format("show_gids {}", rdma_name_of(view)))};
}

void without_v2(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const PortView& view : roce_tables(machine)) {
    const auto& gids = view.port->gids;
    if (!is_table(*view.port)) {
      default_row_only(machine, view, out);
      continue;
    }
    const auto routable = [](const Gid& gid) { return is_v2(gid) && !is_link_local(gid); };
    if (std::any_of(gids.begin(), gids.end(), routable)) {
      out.pass();
      continue;
    }
    const bool local = std::all_of(gids.begin(), gids.end(), is_link_local);
    Finding& finding =
        fail_port(out, machine, view,
                  local ? fmt::format("all {} GIDs are link-local: {} has no IP address",
                                      gids.size(), interface_of(view))
                        : std::string("no GID is RoCE v2 with an IP address"));
    for (const Gid& gid : gids)
      if (finding.evidence.size() < 4)
        finding.evidence.push_back(gid_evidence(machine, gid, "RoCE v2 with an IPv4 address"));
    finding.impact.text =
        "connections reach only the same link: across routers queue pairs time "
        "out (error 12, or modify_qp: connection timed out)";
    finding.remedy = address_remedy(view);
  }
}

struct Pick {
  const Variable* variable = nullptr;
  int index = 0;
};

// Variables that name an index. -1 and "auto" leave the choice to the library.
std::vector<Pick> picks(const Machine& machine) {
  std::vector<Pick> out;
  for (const char* name : {"NCCL_IB_GID_INDEX", "UCX_IB_GID_INDEX", "NVSHMEM_IB_GID_INDEX"}) {
    const Variable* found = variable(machine, name);
    if (found == nullptr) continue;
    const auto value = trim(found->value);
    // NCCL reads an empty value as 0.
    const auto number = value.empty() ? std::optional<std::int64_t>(0) : parse_int(value);
    if (number && *number >= 0 && *number < 1024) out.push_back({found, static_cast<int>(*number)});
  }
  return out;
}

RemedyStep use_another(const Pick& pick, const PortView& view) {
  const Gid* good = best(*view.port);
  const bool nccl = pick.variable->name.starts_with("NCCL_");
  std::string text = nccl ? "NCCL 2.21 and later finds the right row by itself: take the variable "
                            "away"
                          : "take the variable away: the library finds the row by itself";
  if (nccl && good != nullptr)
    text +=
        fmt::format("; for an older one use {} on this host ({})", good->index, described(*good));
  return step(std::move(text), "unset " + pick.variable->name);
}

// Nobody told the variables: what a table that starts late does to the usual choices.
void starts_late(const Machine& machine, const PortView& view, Verdicts& out) {
  const NicPort& port = *view.port;
  if (row(port, 0) != nullptr || row(port, 3) != nullptr || port.gids.front().index <= 3) {
    out.pass();
    return;
  }
  const Gid* good = best(port);
  std::string text = fmt::format(
      "the table starts at index {}: neither 0 (NCCL before 2.21) nor 3 (recipes) is "
      "there",
      port.gids.front().index);
  if (good != nullptr)
    text += fmt::format("; RoCE v2 over IPv4 is {} ({})", good->index, address_of(*good));
  Finding& finding = fail_port(out, machine, view, std::move(text));
  finding.severity = Severity::warning;
  finding.weight = 60;
  finding.evidence = {gid_evidence(machine, port.gids.front(), {})};
  if (good != nullptr) finding.evidence.push_back(gid_evidence(machine, *good, {}));
  finding.impact.text = "with a fixed index that is not there queue pairs cannot be made";
  finding.remedy = {step("leave the choice to NCCL 2.21 or later", "unset NCCL_IB_GID_INDEX")};
  if (good != nullptr)
    finding.remedy.push_back(step("with an older NCCL, here and only here",
                                  fmt::format("export NCCL_IB_GID_INDEX={}", good->index)));
}

void invalid(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto chosen = picks(machine);
  for (const PortView& view : roce_tables(machine)) {
    if (!is_table(*view.port)) {
      out.unknown(subject_of(machine, view), Need::gids);
      continue;
    }
    if (!environment_known(machine)) starts_late(machine, view, out);
    for (const Pick& pick : chosen) {
      if (row(*view.port, pick.index) != nullptr) {
        out.pass();
        continue;
      }
      std::string there;
      for (const Gid& gid : view.port->gids)
        if (there.size() < 40) there += (there.empty() ? "" : ", ") + std::to_string(gid.index);
      Finding& finding = fail_port(out, machine, view,
                                   fmt::format("{}={} is not in the table (rows {})",
                                               pick.variable->name, pick.index, there));
      finding.evidence = {
          evidence(machine, pick.variable->name, pick.variable->value, {}, pick.variable->source),
          gid_evidence(machine, view.port->gids.front(), {})};
      finding.impact.text = "queue pairs cannot be made with a row that is empty";
      finding.impact.lost_fraction = 1;
      finding.remedy = {use_another(pick, view)};
    }
    if (chosen.empty() && environment_known(machine)) out.pass();
  }
}

void version_1(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto chosen = picks(machine);
  for (const PortView& view : roce_tables(machine)) {
    for (const Pick& pick : chosen) {
      const Gid* gid = row(*view.port, pick.index);
      if (gid == nullptr || !gid->type) continue;
      const bool old = *gid->type == "RoCE v1";
      if (!old && !is_link_local(*gid)) {
        out.pass();
        continue;
      }
      Finding& finding = fail_port(
          out, machine, view,
          old ? fmt::format("{}={} is RoCE v1: it is not routed and carries no DSCP",
                            pick.variable->name, pick.index)
              : fmt::format("{}={} is a link-local address", pick.variable->name, pick.index));
      finding.evidence = {
          evidence(machine, pick.variable->name, pick.variable->value, {}, pick.variable->source),
          gid_evidence(machine, *gid, "RoCE v2 with an IPv4 address")};
      finding.impact.text =
          "across routers connections time out; on one link RoCE runs without "
          "ECN and without its lossless class";
      finding.remedy = {use_another(pick, view)};
    }
  }
}

std::vector<Rule> table_rules() {
  return {
      Rule{.id = "RDM005",
           .name = "gid-without-rocev2",
           .severity = Severity::warning,
           .weight = 80,
           .needs = {Need::gids},
           .explains = {{"NCC008", Relation::anything}, {"NCC011", Relation::anything}},
           .look = without_v2,
           .page = {.what = "An active RoCE port has no RoCE v2 GID with an IP address.",
                    .why = "GIDs follow the addresses of the network interface. Link-local rows "
                           "(fe80::) are always there and do not cross routers, so in a routed "
                           "fabric no queue pair connects: completion error 12 or a timeout of "
                           "modify_qp, which looks like a cable.",
                    .by_hand = "show_gids\n"
                               "Look for a row with VER v2 and an IPv4 address. Without show_gids: "
                               "grep . /sys/class/infiniband/*/ports/*/gid_attrs/types/*",
                    .remedy = "Give the interface its address (and bring it up); in a pod attach "
                              "the RDMA interface to the pod's network namespace.",
                    .benign_if = "All peers are on one link and use link-local addresses on "
                                 "purpose. From ibstatus alone this is a note: it shows only row "
                                 "0, which is link-local on every host.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_IB_GID_INDEX",
                                   "InfiniBand Architecture Specification, annex A17 (RoCEv2)"}}},
  };
}

std::vector<Rule> index_rules() {
  return {
      Rule{.id = "RDM006",
           .name = "gid-index-invalid",
           .severity = Severity::error,
           .weight = 95,
           .needs = {Need::gids},
           .explains = {{"ENV009", Relation::anything},
                        {"NCC008", Relation::anything},
                        {"NCC011", Relation::anything}},
           .look = invalid,
           .page = {.what = "A variable picks a row of the GID table that does not exist here.",
                    .why = "Recipes set NCCL_IB_GID_INDEX=3 because that was the IPv4 row of one "
                           "host. Rows move when addresses change, and a container's table has "
                           "only the rows of its own interfaces: it may start at 4. With an empty "
                           "row no queue pair can be made.",
                    .by_hand = "show_gids; env | grep GID_INDEX\n"
                               "The INDEX column must hold the number, with VER v2 and an IPv4 "
                               "address.",
                    .remedy = "unset NCCL_IB_GID_INDEX: NCCL 2.21 and later picks the row by "
                              "address family and version (NCCL_IB_ADDR_FAMILY, "
                              "NCCL_IB_ROCE_VERSION_NUM, NCCL_IB_ADDR_RANGE).",
                    .benign_if = "The port is not among those that NCCL_IB_HCA names. Without "
                                 "variables a table that starts late is only a warning, and none "
                                 "once the environment is known to pick nothing.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_IB_GID_INDEX",
                                   "NCCL 2.21.5 release notes: dynamic GID detection"}}},
      Rule{.id = "RDM007",
           .name = "gid-index-rocev1",
           .severity = Severity::warning,
           .weight = 80,
           .needs = {Need::gids, Need::environment},
           .explains = {{"ENV009", Relation::anything}, {"NCC008", Relation::anything}},
           .look = version_1,
           .page = {.what = "A variable picks a RoCE v1 or a link-local row of the GID table.",
                    .why = "RoCE v1 is an Ethernet frame: it is not routed and has no DSCP, so ECN "
                           "and the lossless class do not apply. Link-local rows are not routed "
                           "either. Rows come in pairs, v1 before v2, so one off is enough.",
                    .by_hand = "show_gids; env | grep GID_INDEX\n"
                               "VER must be v2, the GID not fe80.",
                    .remedy = "unset the variable (NCCL 2.21 and later), or use the row with v2 "
                              "and an IPv4 address of each host.",
                    .benign_if = "The whole fabric is one layer-2 network that uses RoCE v1 on "
                                 "purpose.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_IB_GID_INDEX",
                                   "NCCL User Guide, Environment Variables, "
                                   "NCCL_IB_ROCE_VERSION_NUM"}}},
  };
}

}  // namespace

Family gids_rules() {
  static const std::vector<Rule> list = together({table_rules(), index_rules()});
  return list;
}

}  // namespace railgauge::judge
