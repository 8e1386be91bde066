// Settings of kernel and modules: frequency governor, huge pages, the nouveau driver.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/host_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

// Kernel arguments that take the hardware's own frequency control away: then "powersave" really
// keeps the lowest frequency.
bool plain_cpufreq(const Machine& machine) {
  const auto& arguments = machine.host.kernel_arguments;
  return arguments &&
         std::any_of(arguments->begin(), arguments->end(), [](const std::string& word) {
           return word == "intel_pstate=disable" || word == "intel_pstate=passive" ||
                  word == "amd_pstate=disable" || word == "amd_pstate=passive";
         });
}

void governor(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& fact = machine.host.cpu_governor;
  if (*fact == "performance") {
    out.pass();
    return;
  }
  Finding& finding = out.fail("host", fmt::format("the CPU frequency governor is {}", *fact));
  if (contains(*fact, "powersave") && plain_cpufreq(machine)) {
    finding.severity = Severity::warning;
    finding.weight = 50;
    finding.text += ", which here keeps the lowest frequency";
  }
  finding.evidence = {evidence(machine, "scaling_governor", *fact, "performance", fact.source())};
  finding.impact.text =
      "CPUs that wake up slowly add microseconds to kernel launches, proxies and "
      "small messages";
  finding.remedy = {root_step("until the next boot", "cpupower frequency-set -g performance"),
                    root_step("for good", "tuned-adm profile hpc-compute")};
}

void huge_pages(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& fact = machine.host.transparent_huge_pages;
  if (!fact) return;
  if (*fact != "always") {
    out.pass();
    return;
  }
  Finding& finding = out.fail("host", "transparent huge pages are on for every program");
  finding.evidence = {
      evidence(machine, "transparent_hugepage/enabled", *fact, "madvise", fact.source())};
  finding.impact.text =
      "the kernel stops a program now and then to put pages together: steps that "
      "take longer without a cause";
  finding.remedy = {root_step("leave the choice to programs, and measure",
                              "echo madvise > /sys/kernel/mm/transparent_hugepage/enabled")};
}

void nouveau(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const KernelModule* found = module_named(machine, "nouveau");
  if (found == nullptr) {
    out.pass();
    return;
  }
  const bool nvidia = module_named(machine, "nvidia") != nullptr;
  Finding& finding =
      out.fail("host", nvidia ? "nouveau is loaded beside NVIDIA's driver"
                              : "nouveau is loaded and NVIDIA's driver is not: there is no CUDA");
  if (nvidia) {
    finding.severity = Severity::warning;
    finding.weight = 40;
  }
  finding.evidence = {evidence(machine, "loaded module", "nouveau", "nvidia", found->source)};
  finding.impact.text =
      nvidia ? "a GPU that nouveau holds is not NVIDIA's to use" : "CUDA finds no GPU";
  finding.remedy = {root_step("keep it from loading",
                              "printf 'blacklist nouveau\\noptions nouveau modeset=0\\n' > "
                              "/etc/modprobe.d/nouveau.conf && update-initramfs -u"),
                    root_step("restart", "reboot", Risk::interrupts)};
  finding.remedy.back().needs_reboot = true;
}

}  // namespace

std::vector<Rule> host_setting_rules() {
  return {
      Rule{.id = "OSL004",
           .name = "governor-powersave",
           .severity = Severity::note,
           .weight = 20,
           .needs = {Need::governor},
           .look = governor,
           .page = {.what = "The CPU frequency governor is not performance.",
                    .why = "Between short bursts of work the CPU falls to a low frequency and "
                           "takes microseconds to rise. Kernel launches and NCCL's proxies are "
                           "such bursts.",
                    .by_hand = "grep . /sys/devices/system/cpu/cpu*/cpufreq/scaling_governor | "
                               "sort | uniq -c; cat "
                               "/sys/devices/system/cpu/cpu0/cpufreq/scaling_driver",
                    .remedy = "cpupower frequency-set -g performance",
                    .benign_if = "intel_pstate and amd_pstate in active mode: their powersave "
                                 "follows the load. So it is a note unless the kernel's arguments "
                                 "take them away.",
                    .references = {"Linux kernel, Documentation/admin-guide/pm/cpufreq.rst and "
                                   "intel_pstate.rst"}}},
      Rule{.id = "OSL005",
           .name = "huge-pages-always",
           .severity = Severity::note,
           .weight = 10,
           .needs = {Need::memory},
           .look = huge_pages,
           .page = {.what = "Transparent huge pages are on for every program.",
                    .why = "They save TLB misses, and cost pauses while pages are put together. "
                           "Which of the two wins depends on the program.",
                    .by_hand = "cat /sys/kernel/mm/transparent_hugepage/enabled",
                    .remedy = "madvise, after measuring.",
                    .benign_if = "Always a note: many trainings run faster with it.",
                    .references = {"Linux kernel, Documentation/admin-guide/mm/transhuge.rst"}}},
      Rule{.id = "OSL013",
           .name = "nouveau-loaded",
           .severity = Severity::error,
           .weight = 95,
           .needs = {Need::modules},
           .look = nouveau,
           .page = {.what = "The nouveau driver is loaded.",
                    .why = "It takes the GPU at boot; NVIDIA's driver cannot take it then, and "
                           "CUDA finds nothing.",
                    .by_hand = "lsmod | grep nouveau; lspci -k -d 10de:",
                    .remedy = "Blacklist it, make the initramfs anew, restart.",
                    .benign_if = "It holds a display card beside the GPUs: with NVIDIA's driver "
                                 "loaded as well this is a warning.",
                    .references = {"NVIDIA Driver Installation Guide, disabling nouveau"}}},
  };
}

}  // namespace railgauge::judge
