// Words of the GPU drivers that are no Xids: a GPU that did not start, a reset, memory errors that
// AMD's driver reports.
#include <fmt/format.h>

#include <map>
#include <string>

#include "base/strings.h"
#include "judge/rules/unknown_once.h"
#include "judge/rules/xid.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Told by GPU001, or a matter of versions (OSL014).
bool told_elsewhere(const Event& event) {
  for (const char* words : {"fallen off the bus", "GPU is lost", "API mismatch"})
    if (contains(event.text, words)) return true;
  return false;
}

std::string saying(const Event& event) {
  if (contains(event.text, "RmInitAdapter failed") || contains(event.text, "probe routine failed"))
    return "the driver could not start it";
  if (contains(event.text, "requires a reset")) return "the driver asks for a reset";
  if (contains(event.text, "GPU reset begin")) return "the driver had to reset it";
  if (contains(event.text, "reset")) return "a reset of it failed";
  if (contains(event.text, "timeout")) return "a queue of it hung";
  if (contains(event.text, "uncorrectable") || contains(event.text, "poison"))
    return "memory or a block of it had an error that could not be corrected";
  return "the driver reported a fault";
}

struct Told {
  const Event* first = nullptr;
  std::uint64_t count = 0;
};

void driver_fault(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  out.pass();
  std::map<std::pair<std::optional<PciAddress>, std::string>, Told> faults;
  for (const Event& event : machine.events) {
    if (event.kind != EventKind::gpu_driver || event.severity < EventSeverity::nonfatal ||
        told_elsewhere(event))
      continue;
    Told& one = faults[{event.device, saying(event)}];
    if (one.first == nullptr) one.first = &event;
    one.count += event.count;
  }
  for (const auto& [key, one] : faults) {
    const auto device = key.first ? machine.at(*key.first) : std::nullopt;
    std::string text = key.second;
    if (one.count > 1) text += fmt::format(", {} times", one.count);
    Finding& finding =
        device ? out.fail(machine, *device, std::move(text)) : out.fail("a GPU", std::move(text));
    if (one.first->severity == EventSeverity::nonfatal) {
      finding.severity = Severity::warning;
      finding.weight = 50;
    }
    finding.evidence = {
        {"kernel log", one.first->text, {}, machine.sources.text(one.first->source)}};
    finding.impact.text = "programs on that GPU end, hang or do not start";
    finding.remedy = {{.text = "read what stands before it in the log: PCIe errors, Xids, versions",
                       .command = "sudo dmesg -T | grep -E 'NVRM|nvidia|amdgpu|AER' | tail -50",
                       .needs_root = true},
                      {.text = "reset the GPU; power the node off and on if that fails",
                       .command = "sudo nvidia-smi --gpu-reset, or: sudo rocm-smi --gpureset -d N",
                       .needs_root = true,
                       .risk = Risk::interrupts,
                       .risk_text = "jobs on the GPU end"}};
  }
}

}  // namespace

std::vector<Rule> gpu_driver_rules() {
  return {
      {.id = "GPU020",
       .name = "gpu-driver-fault",
       .severity = Severity::error,
       .weight = 78,
       .needs = {Need::kernel_log},
       .explains = {{"GPU010", Relation::same_device}, {"NCC105", Relation::anything}},
       .look = unknown_once<driver_fault>,
       .page = {.what = "A GPU's driver said, in other words than an Xid, that the GPU did not "
                        "start, hung, was reset or had an error it could not correct.",
                .why = "A GPU that the driver could not start (RmInitAdapter failed) is missing "
                       "for every job; one that is reset under a job ends it.",
                .by_hand = "sudo dmesg -T | grep -E 'RmInitAdapter|probe routine|amdgpu.*(reset|"
                           "error|timeout)'",
                .remedy = "Look at what stands before it; reset or power the node off and on; if "
                          "it stays, exchange the GPU.",
                .benign_if = "Corrected errors, retired pages and page faults of programs are no "
                             "faults and pass. A reset that somebody asked for.",
                .references = {"NVIDIA GPU debug guidelines",
                               "Linux kernel, Documentation/gpu/amdgpu (RAS, GPU recovery)"}}}};
}

}  // namespace railgauge::judge
