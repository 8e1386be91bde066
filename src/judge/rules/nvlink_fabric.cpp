// The software that makes NVSwitches a fabric: its state, the fabric manager, IMEX.
#include "judge/rules/nvlink_fabric.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/nvlink_boards.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

RemedyStep restart_manager() {
  return {.text = "start the fabric manager of exactly the driver's version, and read its log",
          .command =
              "sudo systemctl restart nvidia-fabricmanager; sudo tail -50 "
              "/var/log/fabricmanager.log",
          .needs_root = true,
          .risk = Risk::interrupts,
          .risk_text = "jobs that use NVLink end"};
}

RemedyStep reset_all() {
  return {.text =
              "then reset all GPUs: a fabric that came back is not used by GPUs that started "
              "before it",
          .command = "sudo nvidia-smi --gpu-reset",
          .needs_root = true,
          .risk = Risk::interrupts,
          .risk_text = "all jobs on the node end"};
}

void incomplete(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const auto& state = machine[id].gpu->fabric_state;
    const auto& status = machine[id].gpu->fabric_status;
    if (!state || *state == "not_supported") continue;
    const bool completed = *state == "completed";
    if (completed && (!status || *status == "success")) {
      out.pass();
      continue;
    }
    Finding& finding =
        out.fail(machine, id,
                 completed ? fmt::format("the fabric probe is completed with status {}", *status)
                           : fmt::format("the NVLink fabric is {}", *state));
    finding.evidence = {evidence(machine, "Fabric State", *state, "completed", state.source())};
    if (status)
      finding.evidence.push_back(
          evidence(machine, "Fabric Status", *status, "success", status.source()));
    finding.impact.text =
        "CUDA does not start on this GPU (error 802, system not yet initialized) "
        "or runs without NVLink and NVLS";
    finding.remedy = {restart_manager(), reset_all()};
  }
}

// GB200 and GB300 trays have no NVSwitch of their own: the manager runs on the switch trays.
bool switches_elsewhere(const Patient& patient) {
  for (const DeviceId id : patient.machine.of_kind(DeviceKind::gpu)) {
    const GpuBoard* board = patient.catalogue.board(patient.machine[id]);
    if (board != nullptr && (contains(board->name, "GB200") || contains(board->name, "GB300")))
      return true;
  }
  return false;
}

bool needs_manager(const Patient& patient) {
  const Machine& machine = patient.machine;
  if (switches_elsewhere(patient)) return false;
  if (!machine.of_kind(DeviceKind::nvswitch).empty()) return true;
  constexpr std::ptrdiff_t whole_board = 8;  // boards of four are wired without switches
  constexpr int ampere = 80;
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  return std::count_if(gpus.begin(), gpus.end(), [&](DeviceId id) {
           const GpuBoard* board = patient.catalogue.board(machine[id]);
           return home_of(patient, machine[id]) == NvLinkHome::baseboard &&
                  board->compute_capability >= ampere;
         }) >= whole_board;
}

void manager_down(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (!needs_manager(patient)) return;
  if (in_virtual_machine(patient))
    return out.unknown("host", "the fabric manager of the host: guests have none of their own",
                       "systemctl status nvidia-fabricmanager, on the host");
  const auto& services = machine.host.services;
  const auto at = services.find("nvidia-fabricmanager");
  if (at != services.end() && at->second.known() && *at->second == "running") return out.pass();
  if (machine.host.container && *machine.host.container != "none")
    return out.unknown("host", Need::services);
  Finding& finding = out.fail("host",
                              "the fabric manager does not run; this board's NVSwitches "
                              "need it");
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  finding.devices = gpus;
  finding.evidence = {
      {"services", at != services.end() && at->second.known() ? *at->second : "not running",
       "nvidia-fabricmanager running",
       services.empty() ? std::string() : machine.sources.text(services.begin()->second.source())}};
  const bool works = std::any_of(gpus.begin(), gpus.end(), [&](DeviceId id) {
    return machine[id].gpu->fabric_state && *machine[id].gpu->fabric_state == "completed";
  });
  if (works) {
    finding.severity = Severity::warning;
    finding.weight = 50;
    finding.text += "; the fabric still stands as it was set up";
  }
  finding.impact.text = works ? "after a reset of GPUs or a link error nobody sets the fabric up"
                              : "GPUs do not reach each other by NVLink; CUDA fails with error 802";
  finding.remedy = {{.text = "start it now and at every boot",
                     .command = "sudo systemctl enable --now nvidia-fabricmanager",
                     .needs_root = true,
                     .risk = Risk::disturbs,
                     .risk_text = "jobs must be started again to use NVLink"},
                    reset_all()};
}

void manager_version(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (!needs_manager(patient)) return;
  const auto at = machine.host.libraries.find("nvidia-fabricmanager");
  if (at == machine.host.libraries.end() || !at->second)
    return out.unknown("host", "the fabric manager's version",
                       "nv-fabricmanager --version; cat /proc/driver/nvidia/version");
  if (*at->second == *machine.host.driver) return out.pass();
  Finding& finding = out.fail(
      "host", fmt::format("fabric manager {} beside driver {}", *at->second, *machine.host.driver));
  finding.evidence = {
      evidence(machine, "fabric manager", *at->second, *machine.host.driver, at->second.source())};
  finding.impact.text = "it refuses to start: no NVLink, CUDA error 802";
  finding.remedy = {
      {.text = "install the fabric manager of the driver's version, and hold both "
               "packages together",
       .command = fmt::format("sudo apt-get install nvidia-fabricmanager-{0}={1}-1",
                              machine.host.driver->substr(0, machine.host.driver->find('.')),
                              *machine.host.driver),
       .needs_root = true,
       .risk = Risk::interrupts,
       .risk_text = "jobs that use NVLink end"}};
}

void imex(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (!switches_elsewhere(patient)) return;
  const auto at = machine.host.services.find("nvidia-imex");
  if (at != machine.host.services.end() && at->second.known() && *at->second == "running")
    return out.pass();
  if (machine.host.container && *machine.host.container != "none")
    return out.unknown("host", Need::services);
  Finding& finding =
      out.fail("host", "nvidia-imex does not run: memory cannot be shared with other nodes");
  finding.evidence = {{"services", "no nvidia-imex", "nvidia-imex running",
                       machine.host.services.empty()
                           ? std::string()
                           : machine.sources.text(machine.host.services.begin()->second.source())}};
  finding.impact.text =
      "multi-node NVLink is off: NCCL fails in its mnnvl part (CUDA error 800) or "
      "takes the network between trays";
  finding.remedy = {{.text = "list the nodes of the NVLink domain in /etc/nvidia-imex/nodes_config."
                             "cfg, start it on all of them, and look at the domain",
                     .command = "sudo systemctl enable --now nvidia-imex && nvidia-imex-ctl -N",
                     .needs_root = true}};
}

const Attribute* attribute(const Device& device, std::string_view key) {
  for (const Attribute& one : device.attributes)
    if (contains(one.key, key)) return &one;
  return nullptr;
}

// nvmlGpuFabricInfoV_t::healthMask, two bits each (nvml.h): 1 is yes, 2 is no, 0 not supported.
std::string words_of_mask(std::uint64_t mask) {
  static constexpr const char* names[] = {"bandwidth degraded", "a route recovers",
                                          "a route is unhealthy", "access times out and recovers"};
  std::string out;
  for (unsigned i = 0; i < 4; ++i) {
    if ((mask >> (2 * i) & 3) != 1) continue;
    out += out.empty() ? names[i] : std::string(", ") + names[i];
  }
  return out;
}

std::optional<std::pair<std::string, const Attribute*>> degraded_words(const Device& device) {
  if (const Attribute* mask = attribute(device, "fabric_health_mask")) {
    const auto number =
        parse_hex(mask->value.starts_with("0x") ? std::string_view(mask->value).substr(2)
                                                : std::string_view(mask->value));
    const std::string words = number ? words_of_mask(*number) : std::string();
    return words.empty() ? std::nullopt : std::optional(std::pair{words, mask});
  }
  if (const Attribute* bandwidth = attribute(device, "fabric_bandwidth");
      bandwidth != nullptr && equal_nocase(bandwidth->value, "Degraded"))
    return std::pair{std::string("bandwidth degraded"), bandwidth};
  if (const Attribute* health = attribute(device, "fabric_health");
      health != nullptr && equal_nocase(health->value, "Unhealthy"))
    return std::pair{std::string("unhealthy"), health};
  return std::nullopt;
}

void degraded(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    if (attribute(device, "fabric_health") == nullptr &&
        attribute(device, "fabric_bandwidth") == nullptr)
      continue;
    const auto words = degraded_words(device);
    if (!words) {
      out.pass();
      continue;
    }
    Finding& finding =
        out.fail(machine, id, fmt::format("its NVLink fabric is degraded: {}", words->first));
    finding.evidence = {{"fabric health", words->second->value, "healthy",
                         machine.sources.text(words->second->source)}};
    finding.impact.text =
        "NVLink goes on with less bandwidth; rings through this GPU go at its pace";
    finding.remedy = {{.text = "look for links that are down and SXids, at the next service window "
                               "reset all GPUs",
                       .command = "nvidia-smi nvlink -s; sudo dmesg -T | grep -E 'Xid|SXid'",
                       .needs_root = true}};
  }
}

std::vector<Rule> state_rules() {
  return {
      {.id = "NVL007",
       .name = "fabric-incomplete",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::fabric_state},
       .explains = {{"NVL001", Relation::anything},
                    {"NVL002", Relation::anything},
                    {"NVL003", Relation::anything},
                    {"NVL011", Relation::same_device},
                    {"NCC012", Relation::anything},
                    {"NCC013", Relation::anything}},
       .look = unknown_once<incomplete>,
       .page = {.what = "A GPU has not joined the NVLink fabric: its state is not Completed, or it "
                        "is completed with an error.",
                .why = "On NVSwitch machines CUDA waits for the fabric: jobs fail with error 802, "
                       "or run without NVLink SHARP. Completed with status Unknown Error is a "
                       "failure, too, which many monitors miss.",
                .by_hand = "nvidia-smi -q | grep -A 4 Fabric\n"
                           "State: Completed, Status: Success is what it should say.",
                .remedy = "Restart the fabric manager, then reset the GPUs or reboot. "
                          "NCCL_NVLS_ENABLE=0 hides it for a while and costs bandwidth.",
                .benign_if = "The product has no fabric (Not Supported, N/A), or the node has "
                             "started within the last minutes (In Progress).",
                .references = {"NVIDIA Fabric Manager user guide",
                               "NVML API, nvmlDeviceGetGpuFabricInfoV"}}},
      {.id = "NVL008",
       .name = "fabric-manager-down",
       .severity = Severity::error,
       .weight = 92,
       .needs = {Need::gpus, Need::services},
       .explains = {{"NVL007", Relation::anything},
                    {"NVL001", Relation::anything},
                    {"NCC012", Relation::anything}},
       .look = unknown_once<manager_down>,
       .page = {.what = "The board has NVSwitches and the fabric manager does not run.",
                .why = "Without it the switches have no routes: CUDA fails with error 802 on HGX "
                       "H100 and later, and runs over PCIe on older ones.",
                .by_hand = "systemctl status nvidia-fabricmanager; tail /var/log/fabricmanager.log",
                .remedy = "systemctl enable --now nvidia-fabricmanager, of exactly the driver's "
                          "version; then reset the GPUs.",
                .benign_if = "The board has no NVSwitch (four GPUs, PCIe cards), the switches are "
                             "in other trays (GB200), a guest whose host runs it, or a container "
                             "that does not see the host's processes.",
                .references = {"NVIDIA Fabric Manager user guide"}}},
      {.id = "NVL009",
       .name = "fabric-manager-version",
       .severity = Severity::error,
       .weight = 88,
       .needs = {Need::gpus, Need::driver_version},
       .explains = {{"NVL008", Relation::anything}, {"NVL007", Relation::anything}},
       .look = unknown_once<manager_version>,
       .page = {.what = "The fabric manager is of another version than the driver.",
                .why = "It refuses to start unless both are equal to the last digit; an automatic "
                       "upgrade of only one of the packages is the usual way to get there.",
                .by_hand = "nv-fabricmanager --version; cat /proc/driver/nvidia/version",
                .remedy = "Install the same version of both and hold the packages.",
                .benign_if = "The board has no NVSwitch.",
                .references = {"NVIDIA Fabric Manager user guide, version matching"}}},
      {.id = "NVL010",
       .name = "imex-not-ready",
       .severity = Severity::warning,
       .weight = 60,
       .needs = {Need::gpus, Need::services},
       .explains = {{"NCC013", Relation::anything}, {"NCC014", Relation::anything}},
       .look = unknown_once<imex>,
       .page = {.what = "A node of a multi-node NVLink rack does not run nvidia-imex.",
                .why = "IMEX hands memory over between nodes. Without it NCCL cannot use NVLink "
                       "between trays and fails, or falls back to the network: an eighteenth of "
                       "the bandwidth.",
                .by_hand = "systemctl status nvidia-imex; nvidia-imex-ctl -N; ls "
                           "/dev/nvidia-caps-imex-channels",
                .remedy = "Start it on all nodes of the domain with the same node list.",
                .benign_if = "Jobs stay inside one tray, or IMEX is started by the job (Slurm, "
                             "Kubernetes compute domains) and none runs now.",
                .references = {"NVIDIA IMEX service guide", "NCCL user guide, NCCL_MNNVL_ENABLE"}}},
      {.id = "NVL011",
       .name = "fabric-degraded",
       .severity = Severity::warning,
       .weight = 65,
       .needs = {Need::fabric_state},
       .explains = {},
       .look = unknown_once<degraded>,
       .page = {.what = "The driver calls the NVLink fabric of a GPU degraded.",
                .why = "Routes were lost or bandwidth is below full; jobs go on more slowly.",
                .by_hand = "nvidia-smi -q | grep -A 12 Fabric",
                .remedy = "Look for links that are down; reset all GPUs; then service.",
                .benign_if = "The driver gives no health, or says Healthy.",
                .references = {"NVML API, nvmlGpuFabricInfo_v2_t, healthMask"}}}};
}

}  // namespace

Family nvlink_fabric_rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> out = state_rules();
    for (Rule& rule : nvswitch_rules()) out.push_back(std::move(rule));
    return out;
  }();
  return list;
}

}  // namespace railgauge::judge
