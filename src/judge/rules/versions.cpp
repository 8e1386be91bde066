// Versions that do not go together: driver and libraries, CUDA and driver, kernel modules and GPU,
// and what data/bad_pairs.yaml knows.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/ports_words.h"
#include "judge/rules/versions_compare.h"
#include "judge/rules/versions_seen.h"

namespace railgauge::judge {
namespace {

using namespace model;

void library_mismatch(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const Event& event : machine.events) {
    if (event.kind != EventKind::gpu_driver || !contains(event.text, "API mismatch")) continue;
    Finding& finding = out.fail("host", event.text);
    finding.evidence = {evidence(machine, "kernel log", event.text, {}, event.source)};
    finding.impact.text = "programs cannot use the GPUs";
    finding.remedy = {
        root_step("restart, so that the module on disk is loaded", "reboot", Risk::interrupts)};
    return;
  }
  const auto& driver = machine.host.driver;
  const auto at = machine.host.libraries.find("libnvidia-ml");
  if (!driver || at == machine.host.libraries.end() || !at->second) return;
  const Fact<std::string>& library = at->second;
  // A container and a host can each have their own; one that fits is enough.
  const bool fits = std::any_of(library.claims().begin(), library.claims().end(),
                                [&](const Claim<std::string>& claim) {
                                  return version_numbers(claim.value) == version_numbers(*driver);
                                });
  if (fits || version_numbers(*library).size() < 2) {
    out.pass();
    return;
  }
  Finding& finding = out.fail(
      "host",
      fmt::format("the loaded kernel module is {}, the libraries are {}", *driver, *library));
  finding.evidence = {evidence(machine, "kernel module", *driver, *library, driver.source()),
                      evidence(machine, "libnvidia-ml", *library, *driver, library.source())};
  finding.impact.text = "nvidia-smi and CUDA refuse to start: \"Driver/library version mismatch\"";
  finding.remedy = {
      root_step("load the new module: stop everything that uses the GPUs, then",
                "rmmod nvidia_drm nvidia_modeset nvidia_uvm nvidia_peermem nvidia && modprobe "
                "nvidia",
                Risk::interrupts, "every program on the GPUs ends"),
      root_step("or restart", "reboot", Risk::interrupts),
      root_step("keep updates from changing the driver by themselves",
                "apt-mark hold 'nvidia-*' 'libnvidia-*'")};
  finding.remedy[1].needs_reboot = true;
}

// The row of the table that says from which driver on this CUDA works.
const BadPair* minimum_driver(const Advice& advice, std::string_view cuda,
                              std::string_view driver) {
  for (const BadPair& pair : advice.bad_pairs)
    if (pair.first == "cuda" && pair.second == "driver" &&
        version_in(cuda, pair.first_from, pair.first_to) &&
        version_in(driver, pair.second_from, pair.second_to))
      return &pair;
  return nullptr;
}

void compare_cuda(const Patient& patient, const SeenVersion& cuda, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& can = machine.host.cuda;
  const auto& driver = machine.host.driver;
  const auto wanted = version_numbers(cuda.version);
  if (wanted.size() < 2) return;
  const BadPair* row = driver ? minimum_driver(patient.advice, cuda.version, *driver) : nullptr;
  const auto most = can ? version_numbers(*can) : std::vector<std::uint64_t>();
  const bool major = row != nullptr || (!most.empty() && wanted[0] > most[0]);
  const bool minor = most.size() > 1 && wanted[0] == most[0] && wanted[1] > most[1];
  if (!major && !minor) {
    if (can || driver) out.pass();
    return;
  }
  std::string text = fmt::format("{} {} is newer than the driver", cuda.what, cuda.version);
  if (can) text += fmt::format(", which goes up to CUDA {}", *can);
  if (driver) text += fmt::format(" ({})", *driver);
  Finding& finding = out.fail("host", std::move(text));
  finding.evidence = {evidence(machine, cuda.what, cuda.version, can.value_or(""), cuda.source)};
  if (driver)
    finding.evidence.push_back(
        evidence(machine, "driver", *driver,
                 row != nullptr ? row->second_to + " or later" : std::string(), driver.source()));
  if (row != nullptr) finding.references.push_back(row->source);
  finding.impact.text =
      major
          ? "CUDA does not start: \"CUDA driver version is insufficient for CUDA runtime version\""
          : "programs start by minor version compatibility; what needs the newer driver (PTX "
            "made by the newer compiler, new functions) fails when it is reached";
  finding.remedy = {step("update the driver", row != nullptr ? "" : "nvidia-smi"),
                    step("or use a container or build for the driver's CUDA"),
                    root_step("or, on data-centre GPUs, install the forward compatibility package",
                              "apt-get install cuda-compat-MAJOR-MINOR")};
  if (!major) {
    finding.severity = Severity::note;
    finding.weight = 20;
  }
  // Forward compatibility brings its own libcuda, newer than the module.
  const auto libcuda = machine.host.libraries.find("libcuda");
  if (driver && libcuda != machine.host.libraries.end() && libcuda->second &&
      version_less(*driver, *libcuda->second)) {
    finding.severity = Severity::note;
    finding.weight = 20;
    finding.text += "; a forward compatibility libcuda is installed";
  }
}

void cuda_newer(const Patient& patient, Verdicts& out) {
  for (const SeenVersion& cuda : versions_seen(patient.machine, "cuda"))
    compare_cuda(patient, cuda, out);
}

void open_modules(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto& open = machine.host.open_driver;
  constexpr int turing = 75;
  constexpr int blackwell = 100;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    const auto& capability = device.gpu->compute_capability;
    if (!capability || device.gpu->gcn_architecture) continue;
    const bool grace = contains(device.name.value_or(""), "GH200");
    const bool needs_open = *capability >= blackwell || grace;
    const bool needs_closed = *capability < turing;
    if (!open) {
      if (needs_open || needs_closed)
        out.unknown(subject_of(machine, id), "which flavour of the kernel modules is loaded",
                    "cat /proc/driver/nvidia/version");
      continue;
    }
    if (!(needs_open && !*open) && !(needs_closed && *open)) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(
        machine, id,
        needs_open ? "needs the open kernel modules; the closed ones are loaded"
                   : "is older than Turing and needs the closed kernel modules; the open ones are "
                     "loaded");
    finding.evidence = {
        evidence(machine, "flavour of the kernel modules", *open ? "open" : "closed",
                 needs_open ? "open" : "closed", open.source()),
        evidence(machine, "compute capability",
                 fmt::format("{}.{}", *capability / 10, *capability % 10), {},
                 capability.source())};
    finding.impact.text = "the driver does not take the GPU: \"No devices were found\"";
    finding.impact.lost_fraction = 1;
    finding.remedy = {
        root_step("install the other flavour, then restart",
                  needs_open ? "apt-get install nvidia-open" : "apt-get install cuda-drivers",
                  Risk::interrupts)};
    finding.remedy.front().needs_reboot = true;
  }
}

Severity severity_of(const BadPair& pair) {
  return parse_severity(pair.severity).value_or(Severity::warning);
}

int weight_of(Severity severity) {
  return severity == Severity::error ? 70 : severity == Severity::warning ? 45 : 15;
}

void report(const Machine& machine, const BadPair& pair, const SeenVersion& first,
            const SeenVersion* second, Verdicts& out) {
  std::string subject = fmt::format("{} {}", first.what, first.version);
  if (second != nullptr) subject += fmt::format(" with {} {}", second->what, second->version);
  Finding& finding = out.fail(std::string(trim(subject)), pair.says);
  finding.severity = severity_of(pair);
  finding.weight = weight_of(finding.severity);
  finding.evidence = {evidence(machine, first.what, first.version,
                               pair.first_to.empty() ? std::string() : pair.first_to + " or later",
                               first.source)};
  if (second != nullptr)
    finding.evidence.push_back(
        evidence(machine, second->what, second->version, {}, second->source));
  finding.impact.text = pair.says;
  finding.remedy = {step(pair.remedy)};
  finding.references.push_back(pair.source);
}

// A row that holds here.
struct Hit {
  const BadPair* pair = nullptr;
  SeenVersion first;
  std::optional<SeenVersion> second;
};

// Rows of NCCL, or all others; those of cuda with driver are OSL015's.
std::vector<Hit> hits(const Patient& patient, bool of_nccl, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::vector<Hit> found;
  for (const BadPair& pair : patient.advice.bad_pairs) {
    if ((pair.first == "nccl") != of_nccl) continue;
    if (pair.first == "cuda" && pair.second == "driver") continue;
    for (const SeenVersion& first : versions_seen(machine, pair.first)) {
      if (!version_in(first.version, pair.first_from, pair.first_to)) {
        out.pass();
        continue;
      }
      if (pair.second.empty()) found.push_back({&pair, first, {}});
      for (const SeenVersion& second : versions_seen(machine, pair.second)) {
        if (version_in(second.version, pair.second_from, pair.second_to))
          found.push_back({&pair, first, second});
        else
          out.pass();
      }
    }
  }
  return found;
}

// Notes of one version together: an old release has many.
void report_notes(const Machine& machine, const std::vector<const Hit*>& notes, Verdicts& out) {
  const SeenVersion& first = notes.front()->first;
  Finding& finding =
      out.fail(fmt::format("{} {}", first.what, first.version),
               fmt::format("{} of this version{}: {}", counted(notes.size(), "known fault"),
                           notes.size() > 1 ? ", the first" : "", notes.front()->pair->says));
  finding.severity = Severity::note;
  finding.weight = 15;
  std::string newest;
  for (const Hit* hit : notes) {
    if (version_less(newest, hit->pair->first_to)) newest = hit->pair->first_to;
    if (finding.evidence.size() < 8)
      finding.evidence.push_back(
          evidence(machine, hit->pair->says, first.version, hit->pair->first_to, first.source));
    finding.references.push_back(hit->pair->source);
  }
  finding.impact.text =
      "none for programs that do not use what is faulty; each row says what it is";
  finding.remedy = {step(newest.empty()
                             ? notes.front()->pair->remedy
                             : fmt::format("{} {} or later has none of them", first.what, newest))};
}

void report_all(const Machine& machine, const std::vector<Hit>& found, Verdicts& out) {
  std::map<std::string, std::vector<const Hit*>> notes;
  for (const Hit& hit : found) {
    if (severity_of(*hit.pair) == Severity::note)
      notes[hit.first.what + hit.first.version].push_back(&hit);
    else
      report(machine, *hit.pair, hit.first, hit.second ? &*hit.second : nullptr, out);
  }
  for (const auto& [version, rows] : notes) report_notes(machine, rows, out);
}

void known_bad(const Patient& patient, Verdicts& out) {
  report_all(patient.machine, hits(patient, false, out), out);
}

void nccl_known_bad(const Patient& patient, Verdicts& out) {
  report_all(patient.machine, hits(patient, true, out), out);
}

std::vector<Rule> driver_rules() {
  return {
      Rule{.id = "OSL014",
           .name = "driver-library-mismatch",
           .severity = Severity::error,
           .weight = 95,
           .needs = {Need::driver_version},
           .look = library_mismatch,
           .page = {.what = "The loaded NVIDIA kernel module and the driver's libraries have "
                            "different versions.",
                    .why = "They only work together. It happens when an update replaces the files "
                           "while the old module stays loaded, or when a container brings "
                           "libraries of its own.",
                    .by_hand = "cat /proc/driver/nvidia/version; ls -l "
                               "/usr/lib/*/libnvidia-ml.so.*; nvidia-smi\n"
                               "\"Failed to initialize NVML: Driver/library version mismatch\".",
                    .remedy = "Reload the module with all GPU programs stopped, or restart. Hold "
                              "the driver's packages.",
                    .benign_if = "Several copies of the library are installed and one of them "
                                 "fits. A newer libcuda alone is forward compatibility.",
                    .references = {"NVIDIA Driver Installation Guide, version locking"}}},
      Rule{.id = "OSL015",
           .name = "cuda-newer-than-driver",
           .severity = Severity::error,
           .weight = 85,
           .needs = {Need::driver_version},
           .look = cuda_newer,
           .page = {.what = "A CUDA runtime is newer than the driver supports.",
                    .why = "A runtime of a newer major version does not start. Within one major "
                           "version from CUDA 11 on it starts, but PTX of the newer compiler and "
                           "new functions fail. CUDA 11 needs driver 450, 12 needs 525, 13 needs "
                           "580.",
                    .by_hand = "nvidia-smi | grep 'CUDA Version'; ls -l /usr/local/cuda*/lib64/"
                               "libcudart.so.*\n"
                               "The number of nvidia-smi is the highest CUDA of the driver, not "
                               "what is installed.",
                    .remedy = "Update the driver, use an older container, or install the forward "
                              "compatibility package.",
                    .benign_if = "Only the minor version is newer, or a forward compatibility "
                                 "libcuda is installed: then it is a note.",
                    .references = {"CUDA Compatibility, minor version compatibility, table 1",
                                   "CUDA Toolkit Release Notes, driver versions"}}},
  };
}

std::vector<Rule> module_rules() {
  return {
      Rule{.id = "OSL016",
           .name = "open-modules-needed",
           .severity = Severity::error,
           .weight = 95,
           .needs = {Need::gpus},
           .look = open_modules,
           .page = {.what =
                        "A GPU runs with the flavour of kernel modules that does not support it.",
                    .why = "Blackwell and Grace Hopper work with the open kernel modules only; "
                           "GPUs before Turing with the closed ones only, as the open ones need "
                           "the GSP processor. With the wrong flavour the GPU is not found.",
                    .by_hand = "cat /proc/driver/nvidia/version\n"
                               "\"NVIDIA UNIX Open Kernel Module\" is the open one. modinfo nvidia "
                               "| grep license: Dual MIT/GPL is open, NVIDIA closed.",
                    .remedy = "Install the other flavour (packages nvidia-open, cuda-drivers) and "
                              "restart.",
                    .benign_if = "The flavour is not known: then it is not judged. From Turing to "
                                 "Hopper both work.",
                    .references = {"NVIDIA Driver Installation Guide, Kernel Modules"}}},
  };
}

// What both rules about the table have in common.
Rule of_table(std::string_view id, std::string_view name, Need need,
              void (*look)(const Patient&, Verdicts&)) {
  return Rule{
      .id = id,
      .name = name,
      .severity = Severity::warning,
      .weight = 45,
      .needs = {need},
      .look = look,
      .page = {
          .what = "A version has a fault that its makers have described, alone or together "
                  "with another.",
          .why = "Hangs and wrong results of single releases are found again and again by "
                 "people who believe them to be their own program's. The table "
                 "(data/bad_pairs.yaml) names each with its source.",
          .by_hand = "nvidia-smi; NCCL_DEBUG=VERSION; uname -r; ofed_info -s; ibv_devinfo | "
                     "grep fw_ver",
          .remedy = "As the row says; mostly the release that repairs it.",
          .benign_if = "The part that is broken is not used: each row says which one it is, "
                       "and what only some programs use is a note. A vendor may have put the "
                       "repair into an older version.",
          .references = {"NCCL release notes", "NVIDIA Data Center GPU Driver Release Notes"}}};
}

std::vector<Rule> known_rules() {
  return {of_table("OSL017", "versions-known-bad", Need::driver_version, known_bad),
          of_table("OSL018", "nccl-known-bad", Need::nccl_version, nccl_known_bad)};
}

}  // namespace

Family versions_rules() {
  static const std::vector<Rule> list = together({driver_rules(), module_rules(), known_rules()});
  return list;
}

}  // namespace railgauge::judge
