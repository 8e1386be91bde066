// Names of adapters, interfaces, GIDs and files that a variable fixes.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_hardware.h"
#include "judge/rules/variables_harmful.h"

namespace railgauge::judge {
namespace {

using namespace model;

// "[^][=]name[:port],…"
struct NameList {
  bool excludes = false;
  bool exact = false;
  std::vector<std::string> names;
};

NameList name_list(std::string_view value) {
  NameList out;
  value = trim(value);
  if (value.starts_with('^')) {
    out.excludes = true;
    value.remove_prefix(1);
  }
  if (value.starts_with('=')) {
    out.exact = true;
    value.remove_prefix(1);
  }
  for (const std::string_view one : split(value, ','))
    if (const std::string_view name = trim(one); !name.empty() && out.names.size() < 32)
      out.names.emplace_back(name.substr(0, name.find(':')));
  return out;
}

bool listed(const std::vector<std::string>& list, const std::string& name) {
  return std::find(list.begin(), list.end(), name) != list.end();
}

// Devices that a name takes in by being their beginning, and that nobody named.
std::vector<std::string> taken_in(const NameList& list, const std::vector<std::string>& known) {
  std::vector<std::string> out;
  if (list.exact) return out;
  for (const std::string& device : known) {
    if (listed(list.names, device)) continue;
    for (const std::string& name : list.names)
      // A name that is no device itself ("mlx5", "ib") is a prefix on purpose.
      if (device.starts_with(name) && listed(known, name)) {
        out.push_back(device);
        break;
      }
  }
  return out;
}

// Names that fit nothing that there is.
std::vector<std::string> absent(const NameList& list, const std::vector<std::string>& known) {
  std::vector<std::string> out;
  for (const std::string& name : list.names)
    if (std::none_of(known.begin(), known.end(), [&](const std::string& device) {
          return list.exact ? device == name : device.starts_with(name);
        }))
      out.push_back(name);
  return out;
}

// "mlx5_1": one digit, so that "mlx5_10" begins with it, and not 0.
bool may_take_in_more(const std::string& name) {
  const auto digits = name.find_last_not_of("0123456789");
  return digits != std::string::npos && digits + 2 == name.size() && name.back() != '0';
}

RemedyStep exact_step(const EnvironmentSetting& setting) {
  const std::string_view value = trim(setting.value);
  const bool excludes = value.starts_with('^');
  return set_to(setting.name,
                fmt::format("{}={}", excludes ? "^" : "", value.substr(excludes ? 1 : 0)),
                "a \"=\" in front makes the names exact");
}

void look_gid(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_IB_GID_INDEX");
  if (setting == nullptr) return;
  const bool chooses = !environment.nccl() || *environment.nccl() >= NcclVersion{2, 21, 0};
  // Before 2.21 the default was 0, which is RoCE v1 nearly everywhere: there an index is needed.
  if (setting->number() < 0 || !chooses || adapter_picture(patient.machine).infiniband_only)
    return out.pass();
  Finding& finding =
      fail(out, patient, *setting,
           fmt::format("the GID index is fixed to {}: hosts and pods whose tables differ do not "
                       "connect, and NCCL 2.21 and later choose by themselves",
                       setting->value));
  finding.impact.text = "none while every host has the same table; error 12 where one differs";
  finding.remedy = {take_away(patient, *setting),
                    {.text = "to choose among several networks, say which",
                     .command = "export NCCL_IB_ADDR_RANGE=10.0.0.0/8"}};
}

void judge_prefix(const Patient& patient, Verdicts& out, const EnvironmentSetting& setting,
                  const std::vector<std::string>& known, bool adapters) {
  const NameList list = name_list(setting.value);
  if (list.exact) return out.pass();
  const auto more = taken_in(list, known);
  if (!known.empty() && more.empty()) return out.pass();
  if (known.empty()) {
    const auto name = std::find_if(list.names.begin(), list.names.end(), may_take_in_more);
    if (name == list.names.end() || !adapters) return out.pass();
    Finding& finding = fail(out, patient, setting,
                            fmt::format("{} is a prefix: it also takes in {}0 to {}9, where a node "
                                        "has them",
                                        *name, *name, *name));
    finding.severity = Severity::note;
    finding.weight = 15;
    finding.impact.text = "none on nodes with ten adapters or fewer";
    finding.remedy = {exact_step(setting)};
    return;
  }
  Finding& finding =
      fail(out, patient, setting,
           fmt::format("{} also {} {}, which begin{} like a name of the list",
                       quoted(setting.value), list.excludes ? "excludes" : "takes in",
                       fmt::join(more, ", "), more.size() == 1 ? "s" : ""));
  finding.impact.text = adapters ? "an adapter that was not meant carries traffic, or one that was "
                                   "meant does not"
                                 : "connections may be made over another network";
  finding.remedy = {exact_step(setting)};
}

void look_interface_prefix(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const AdapterPicture picture = adapter_picture(patient.machine);
  for (const char* name : {"NCCL_SOCKET_IFNAME", "NCCL_OOB_NET_IFNAME"})
    if (const EnvironmentSetting* setting = environment.find(name))
      judge_prefix(patient, out, *setting, picture.interfaces, false);
}

void look_adapter_prefix(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  if (const EnvironmentSetting* setting = environment.find("NCCL_IB_HCA"))
    judge_prefix(patient, out, *setting, adapter_picture(patient.machine).rdma, true);
}

void look_adapter_absent(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_IB_HCA");
  if (setting == nullptr) return;
  const NameList list = name_list(setting->value);
  const AdapterPicture picture = adapter_picture(patient.machine);
  if (picture.rdma.empty()) {
    if (!list.excludes) out.unknown(setting->name, Need::nics);
    return;
  }
  const auto missing = absent(list, picture.rdma);
  if (list.excludes || missing.empty()) return out.pass();
  const bool all = missing.size() == list.names.size();
  Finding& finding = fail(
      out, patient, *setting,
      fmt::format("{} names {}, which this machine does not have: it has {}",
                  quoted(setting->value), fmt::join(missing, ", "), fmt::join(picture.rdma, ", ")));
  if (all) {
    finding.severity = Severity::error;
    finding.weight = 85;
  }
  finding.impact.text = all ? "no adapter is left: traffic between nodes falls to TCP"
                            : "fewer adapters carry traffic than were meant to";
  finding.remedy = {set_to(setting->name, "=" + fmt::format("{}", fmt::join(picture.rdma, ",")),
                           "name the adapters that there are"),
                    take_away(patient, *setting)};
}

// Bonds, bridges and the like are not among the adapters that tools list.
bool is_hardware_name(std::string_view name) {
  for (const char* start : {"eth", "en", "ib", "hs", "rdma", "roce"})
    if (name.starts_with(start)) return true;
  return false;
}

void look_interface_absent(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_SOCKET_IFNAME");
  if (setting == nullptr) return;
  const NameList list = name_list(setting->value);
  const AdapterPicture picture = adapter_picture(patient.machine);
  if (picture.interfaces.empty()) {
    if (!list.excludes) out.unknown(setting->name, Need::nics);
    return;
  }
  const auto missing = absent(list, picture.interfaces);
  const bool all = missing.size() == list.names.size() &&
                   std::all_of(missing.begin(), missing.end(), is_hardware_name);
  if (list.excludes || missing.empty() || !all) return out.pass();
  Finding& finding = fail(out, patient, *setting,
                          fmt::format("{} fits no interface that was seen ({})",
                                      quoted(setting->value), fmt::join(picture.interfaces, ", ")));
  finding.impact.text = "NCCL finds no interface to start over, and initialisation fails";
  finding.remedy = {{.text = "look which interfaces there are", .command = "ip -br addr"},
                    take_away(patient, *setting)};
}

// What a provider of virtual machines installs with its image, for its own kind of machine.
bool is_of_provider(std::string_view path) {
  for (const char* part : {"virtualTopology", "aws-ofi-nccl", "/opt/microsoft/", "/opt/amazon/",
                           "/opt/oci", "/usr/local/nvidia/"})
    if (contains(path, part)) return true;
  return false;
}

void look_topology_file(const Patient& patient, Verdicts& out) {
  const Environment environment(patient);
  const EnvironmentSetting* setting = environment.find("NCCL_TOPO_FILE");
  if (setting == nullptr) return;
  if (is_of_provider(setting->value) || in_virtual_machine(patient)) return out.pass();
  Finding& finding = fail(out, patient, *setting,
                          fmt::format("NCCL takes the topology from {} instead of from the machine",
                                      quoted(setting->value)));
  finding.impact.text = "bandwidth, when the file was made for another kind of machine";
  finding.remedy = {{.text = "hold the file against the machine",
                     .command = fmt::format("railgauge check {}", setting->value)},
                    take_away(patient, *setting)};
}

Rule gid_rule() {
  return {
      .id = "ENV009",
      .name = "gid-index-fixed",
      .severity = Severity::note,
      .weight = 20,
      .needs = {Need::environment},
      .look = look_gid,
      .page = {.what = "NCCL_IB_GID_INDEX fixes the row of the GID table.",
               .why = "Index 3 is RoCE v2 over IPv4 on many hosts, and something else, or nothing, "
                      "on others: tables of virtual functions, pods and software RoCE differ. The "
                      "job then ends with completion error 12. From 2.21 NCCL looks for the right "
                      "row by itself.",
               .by_hand = "show_gids on every node: the row of the index must be v2 with the "
                          "address of the training network.",
               .remedy = "unset NCCL_IB_GID_INDEX; NCCL_IB_ADDR_RANGE chooses a network.",
               .benign_if = "NCCL is older than 2.21, every host has the same table, or the fabric "
                            "is InfiniBand.",
               .references = {nccl_guide}}};
}

Rule interface_rule() {
  return {
      .id = "ENV010",
      .name = "interface-prefix",
      .severity = Severity::warning,
      .weight = 30,
      .needs = {Need::environment},
      .look = look_interface_prefix,
      .page = {.what = "NCCL_SOCKET_IFNAME names an interface whose name is also the beginning of "
                       "another one's.",
               .why = "Names are prefixes unless the list begins with \"=\": eth1 is eth10, too.",
               .by_hand = "ip -br link; every name that begins like one of the list is taken.",
               .remedy = "NCCL_SOCKET_IFNAME==eth1 (two equal signs)",
               .benign_if = "The name is a prefix on purpose (\"eth\", \"ib\"), or nothing else "
                            "begins with it.",
               .references = {nccl_guide}}};
}

Rule adapter_rule() {
  return {
      .id = "ENV011",
      .name = "adapter-prefix",
      .severity = Severity::warning,
      .weight = 45,
      .needs = {Need::environment},
      .look = look_adapter_prefix,
      .page = {.what = "NCCL_IB_HCA names an adapter whose name is also the beginning of another "
                       "one's.",
               .why = "Names are prefixes unless the list begins with \"=\": mlx5_1 is also "
                      "mlx5_10 to mlx5_19, which may be storage adapters or virtual functions.",
               .by_hand = "ls /sys/class/infiniband; NCCL_DEBUG=INFO lists those taken in the line "
                          "\"NET/IB : Using\".",
               .remedy = "NCCL_IB_HCA==mlx5_1 (two equal signs)",
               .benign_if = "No other adapter begins with the name, or the name is a prefix on "
                            "purpose (\"mlx5\").",
               .references = {nccl_guide}}};
}

Rule adapter_absent_rule() {
  return {.id = "ENV032",
          .name = "adapter-absent",
          .severity = Severity::warning,
          .weight = 60,
          .needs = {Need::environment},
          .explains = {{"NCC001"}, {"NCC202"}},
          .look = look_adapter_absent,
          .page = {
              .what = "NCCL_IB_HCA names adapters that this machine does not have.",
              .why = "Names move with kernels, drivers and slots (mlx5_0, ibp24s0, rocep1s0). What "
                     "is not found is passed over; when nothing is found NCCL uses TCP.",
              .by_hand = "ls /sys/class/infiniband",
              .remedy = "Name the adapters that there are, or unset the variable.",
              .benign_if = "The list is shared by kinds of nodes, and enough of it is here.",
              .references = {nccl_guide}}};
}

Rule interface_absent_rule() {
  return {.id = "ENV033",
          .name = "interface-absent",
          .severity = Severity::warning,
          .weight = 60,
          .needs = {Need::environment},
          .look = look_interface_absent,
          .page = {
              .what = "NCCL_SOCKET_IFNAME fits no interface of the machine.",
              .why = "Ranks find each other over this interface: without one initialisation fails.",
              .by_hand = "ip -br addr",
              .remedy = "Name an interface that there is, or unset the variable.",
              .benign_if = "The interface exists only where the job runs (another container or "
                           "node), or it is a bond or bridge, which is not judged.",
              .references = {nccl_guide}}};
}

Rule topology_rule() {
  return {
      .id = "ENV012",
      .name = "topology-file-set",
      .severity = Severity::note,
      .weight = 20,
      .needs = {Need::environment},
      .look = look_topology_file,
      .page = {.what = "NCCL_TOPO_FILE is set on a machine that shows its topology itself.",
               .why = "NCCL believes the file without holding it against the machine. A file of "
                      "another model lowered bandwidth in Azure's own health checks. It is read "
                      "when a communicator starts; changing it later does nothing.",
               .by_hand = "Hold the busid of each GPU in the file against lspci.",
               .remedy = "Unset it on bare metal; in a virtual machine use the provider's file.",
               .benign_if = "The machine is virtual and the file comes with its image.",
               .references = {nccl_guide}}};
}

}  // namespace

std::vector<Rule> harmful_device_rules() {
  return {gid_rule(),
          interface_rule(),
          adapter_rule(),
          adapter_absent_rule(),
          interface_absent_rule(),
          topology_rule()};
}

}  // namespace railgauge::judge
