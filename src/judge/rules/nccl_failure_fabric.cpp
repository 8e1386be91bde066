// NVLink SHARP and multi-node NVLink that NCCL could not use.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/nccl_failure.h"
#include "judge/rules/nccl_said.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Warnings of a source file: NCCL's own CUDA errors name nothing but it.
Lines lines_of_file(const NcclRun& run, std::string_view file) {
  Lines out;
  for (const NcclWarning& line : run.warnings)
    if (contains(line.file, file) && !line.information) out.push_back(&line);
  return out;
}

void add(Lines& to, const Lines& more) {
  for (const NcclWarning* line : more)
    if (std::find(to.begin(), to.end(), line) == to.end()) to.push_back(line);
}

void nvls(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    Lines lines = lines_of_file(run, "nvls");
    for (const NcclWarning* line : lines_with(run, {"NVLS", "Multicast"}))
      if (!line->information) add(lines, {line});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: NVLink SHARP (NVLS) cannot be set up: {}; the NVSwitch fabric is not "
                    "ready, or fabric manager was started again without a reset of the GPUs",
                    speakers(run, lines), lines.front()->text));
    finding.impact.text = "the job stops; without NVLS all-reduce in one node loses up to a third";
    finding.remedy = {
        {.text = "see whether the fabric is complete",
         .command = "nvidia-smi -q | grep -A 4 Fabric; systemctl status nvidia-fabricmanager"},
        {.text = "start fabric manager again, then reset the GPUs (a variable does not mend it)",
         .command = "sudo systemctl restart nvidia-fabricmanager && sudo nvidia-smi -r",
         .needs_root = true,
         .risk = Risk::interrupts,
         .risk_text = "every job on the node ends"},
        {.text = "until then", .command = "export NCCL_NVLS_ENABLE=0"}};
  }
}

void imex(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    Lines lines = lines_of_file(run, "mnnvl");
    add(lines, lines_with(run, {"IMEX"}));
    // The CUDA error that belongs to it: "operation not permitted" of a channel.
    if (!lines.empty()) add(lines, lines_with(run, {"Cuda failure 800"}));
    if (lines.empty()) lines = lines_with(run, {"Cuda failure 800"});
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: multi-node NVLink is there and does not work: the IMEX channel cannot be "
                    "used (rights, or the IMEX domain is not up)",
                    speakers(run, lines)));
    finding.impact.text =
        "the job stops; without multi-node NVLink traffic between trays goes over the network";
    finding.remedy = {
        {.text = "see whether the domain is up on all nodes", .command = "nvidia-imex-ctl -N"},
        {.text = "see whether the channel is in the container, and may be opened",
         .command = "ls -l /dev/nvidia-caps-imex-channels"},
        {.text = "start the service on every node of the domain",
         .command = "sudo systemctl restart nvidia-imex",
         .needs_root = true,
         .risk = Risk::disturbs,
         .risk_text = "jobs that share memory between nodes end"},
        {.text = "until then", .command = "export NCCL_MNNVL_ENABLE=0"}};
  }
}

// nvml.h, NVML_GPU_FABRIC_HEALTH_MASK_*: fields of two bits, 0 not supported, 1 true, 2 false.
std::string health_words(std::uint64_t mask) {
  constexpr std::string_view names[] = {"bandwidth degraded", "route recovery in progress",
                                        "route unhealthy", "access timeout recovery"};
  std::string out;
  for (unsigned i = 0; i < 4; ++i)
    if ((mask >> 2 * i & 3) == 1) out += (out.empty() ? "" : ", ") + std::string(names[i]);
  return out;
}

void health(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    for (const Attribute& attribute : machine[id].attributes) {
      if (attribute.key != "nccl.mnnvl_health_mask") continue;
      std::string_view digits = attribute.value;
      if (digits.starts_with("0x")) digits.remove_prefix(2);
      const auto mask = parse_hex(digits);
      if (!mask || *mask == 0) {
        out.pass();
        continue;
      }
      const std::string bad = health_words(*mask);
      Finding& finding = out.fail(
          machine, id,
          bad.empty()
              ? fmt::format("NVLink fabric health mask {}: no field says that it is degraded; "
                            "compare with nvidia-smi if jobs of many ranks fail",
                            attribute.value)
              : fmt::format("NVLink fabric health mask {}: {}", attribute.value, bad));
      finding.evidence = {evidence(machine, "healthMask", attribute.value,
                                   "0x0, or 0xaa where all fields are supported and false",
                                   attribute.source)};
      if (bad.empty()) {
        finding.severity = Severity::note;
        finding.weight = 20;
      }
      finding.impact.text = bad.empty() ? "none, if the fields are right"
                                        : "paths of the rack's NVLink are down: less bandwidth, "
                                          "and jobs of many ranks can crash";
      finding.remedy = {
          {.text = "read the same fields from the driver",
           .command = "nvidia-smi -q | grep -A 12 Fabric"},
          {.text = "repair the fabric: look at the NVLink switches' own state in NMX or "
                   "fabric manager"},
          {.text = "until then", .command = "export NCCL_MNNVL_ENABLE=0"}};
    }
  }
}

}  // namespace

void add_fabric_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC012",
       .name = "nvls-failed",
       .severity = Severity::error,
       .weight = 85,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = nvls,
       .page = {
           .what = "NCCL could not set up NVLink SHARP (multicast over the NVSwitches).",
           .why = "CUDA errors 1, 401 and 801 in nvls.cc mean that the fabric is not in the state "
                  "it must be in: fabric manager down, of another version, or started again while "
                  "the GPUs kept their old registration. The job stops.",
           .by_hand = "nvidia-smi -q | grep -A 4 Fabric : State Completed, Status Success\n"
                      "systemctl status nvidia-fabricmanager\nls /dev/nvidia-caps in the container",
           .remedy = "Restart fabric manager, then reset all GPUs (nvidia-smi -r) or reboot. "
                     "NCCL_NVLS_ENABLE=0 only helps until then.",
           .benign_if = "Never as a warning. \"NVLS multicast support is not available\" at level "
                        "INFO is usual on boards without NVSwitch and is passed over.",
           .references = {"NVIDIA NCCL User Guide: Environment Variables (NCCL_NVLS_ENABLE)",
                          "NVIDIA Fabric Manager User Guide",
                          "CUDA Driver API: cuMulticastCreate, cuMulticastBindMem"}}});
  rules.push_back(
      {.id = "NCC013",
       .name = "mnnvl-imex",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = imex,
       .page = {
           .what =
               "GPUs of several nodes share an NVLink domain, and NCCL cannot map memory across "
               "them.",
           .why = "Memory is exported through the IMEX service and a channel device. Without the "
                  "right to open /dev/nvidia-caps-imex-channels/channel0, or with the domain not "
                  "up, CUDA answers 800, operation not permitted, and the job stops.",
           .by_hand = "nvidia-imex-ctl -N : all nodes READY\nls -l /dev/nvidia-caps-imex-channels "
                      "inside the container",
           .remedy = "Start nvidia-imex on all nodes with the same nodes_config.cfg, and pass the "
                     "channel to the container. NCCL_MNNVL_ENABLE=0 goes without.",
           .benign_if = "Never: what it names is not used.",
           .references = {"NVIDIA IMEX Service documentation",
                          "NVIDIA NCCL User Guide: Environment Variables (NCCL_MNNVL_ENABLE)"}}});
  rules.push_back(
      {.id = "NCC014",
       .name = "mnnvl-degraded",
       .severity = Severity::error,
       .weight = 85,
       .needs = {Need::nccl_log, Need::gpus},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = health,
       .page = {
           .what = "NCCL's log shows a health mask of the NVLink fabric that is not zero.",
           .why = "The mask has fields of two bits: bandwidth degraded, route recovery, route "
                  "unhealthy, access timeout; 1 is true, 2 is false, 0 not supported. A true one "
                  "means that paths of the rack are down: bandwidth shrinks, and jobs over many "
                  "nodes can crash.",
           .by_hand = "grep healthMask in NCCL's log; nvidia-smi -q | grep -A 12 Fabric",
           .remedy = "Repair the fabric. NCCL_MNNVL_ENABLE=0 goes over the network until then.",
           .benign_if = "No field is true: 0xaa is every field supported and false. It is then a "
                        "note.",
           .references = {"NVIDIA NVML API Reference: nvmlGpuFabricInfo_v2_t, "
                          "NVML_GPU_FABRIC_HEALTH_MASK",
                          "NVIDIA NCCL User Guide: Environment Variables (NCCL_MNNVL_ENABLE)"}}});
}

}  // namespace railgauge::judge
