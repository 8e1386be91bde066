// GPUs that should be there and are not, and GPUs of one machine that are not alike.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "judge/rules/gpu_health.h"
#include "judge/rules/nvlink_boards.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

// A container may show some GPUs only; so may a guest.
bool sees_part(const Patient& patient) {
  const auto& container = patient.machine.host.container;
  return in_virtual_machine(patient) || (container && *container != "none");
}

Finding& report(Verdicts& out, std::string subject, std::string text, Evidence seen) {
  Finding& finding = out.fail(std::move(subject), std::move(text));
  finding.evidence = {std::move(seen)};
  finding.impact.text =
      "jobs that ask for all GPUs do not start; NCCL's rings are those of another "
      "machine";
  finding.remedy = {{.text = "look whether the bus still sees it, and what the log says of it",
                     .command = "lspci -d 10de: ; nvidia-smi -L; sudo dmesg -T | grep -E "
                                "'Xid|NVRM|AER|pciehp'",
                     .needs_root = true},
                    {.text = "power the node off and on; if it stays away, reseat or exchange it",
                     .command = "sudo ipmitool chassis power cycle",
                     .needs_root = true,
                     .needs_reboot = true,
                     .risk = Risk::interrupts,
                     .risk_text = "everything on the node ends"}};
  return finding;
}

bool still_there(const Machine& now, const Device& was) {
  for (const DeviceId id : now.of_kind(DeviceKind::gpu)) {
    const Device& is = now[id];
    if (was.gpu->uuid && is.gpu->uuid && *was.gpu->uuid == *is.gpu->uuid) return true;
    if (was.address && is.address && *was.address == *is.address) return true;
    if (!was.address && !was.gpu->uuid && was.index && is.index && *was.index == *is.index)
      return true;
  }
  return false;
}

void against_earlier(const Patient& patient, Verdicts& out) {
  const Machine& then = *patient.earlier;
  const auto count_then = then.of_kind(DeviceKind::gpu).size();
  const auto count_now = patient.machine.of_kind(DeviceKind::gpu).size();
  if (count_now >= count_then) return out.pass();  // exchanged, not lost
  for (const DeviceId id : then.of_kind(DeviceKind::gpu)) {
    if (still_there(patient.machine, then[id])) continue;
    report(out, subject_of(then, id),
           fmt::format("was there before: {} GPUs then, {} now", count_then, count_now),
           {"GPUs", std::to_string(count_now), std::to_string(count_then),
            then.sources.text(then[id].seen_in)});
  }
}

void against_reference(const Patient& patient, Verdicts& out) {
  const auto wanted = patient.reference->of_kind(DeviceKind::gpu).size();
  const auto count = patient.machine.of_kind(DeviceKind::gpu).size();
  if (count >= wanted) return out.pass();
  report(out, "host", fmt::format("{} GPUs; {} has {}", count, patient.reference->name, wanted),
         {"GPUs", std::to_string(count), std::to_string(wanted), patient.reference->name});
}

// The driver numbers its GPUs; a function of the same product without a number was not taken up.
std::vector<DeviceId> not_taken_up(const Machine& machine) {
  std::vector<DeviceId> out;
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  const auto driver_has = [&](DeviceId id) {
    const Device& gpu = machine[id];
    return gpu.index.known() || gpu.gpu->uuid.known();
  };
  for (const DeviceId id : gpus) {
    const Device& gpu = machine[id];
    if (driver_has(id) || !gpu.pci || !gpu.pci->id || gpu.pci->physical_function) continue;
    const bool twin = std::any_of(gpus.begin(), gpus.end(), [&](DeviceId other) {
      const auto& pci = machine[other].pci;
      return driver_has(other) && pci && pci->id && *pci->id == *gpu.pci->id;
    });
    const auto& driver = gpu.pci->driver;
    const bool given_away = driver && contains(*driver, "vfio");
    if (twin && !given_away) out.push_back(id);
  }
  return out;
}

std::vector<int> gaps(const Machine& machine) {
  std::set<int> numbers;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    if (machine[id].index && machine[id].index.source().trust >= Trust::tool)
      numbers.insert(*machine[id].index);
  constexpr std::size_t enough = 4;
  constexpr std::size_t most_gaps = 2;  // more is a selection
  std::vector<int> out;
  if (numbers.size() < enough) return out;
  for (int i = 0; i < *numbers.rbegin(); ++i)
    if (!numbers.contains(i)) out.push_back(i);
  return out.size() > most_gaps ? std::vector<int>() : out;
}

// Seven of a board made for eight, three of one made for four: no such product is sold.
bool odd_board(const Patient& patient) {
  const Machine& machine = patient.machine;
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  if (gpus.size() != 7 && gpus.size() != 3) return false;
  constexpr int ampere = 80;
  return std::all_of(gpus.begin(), gpus.end(), [&](DeviceId id) {
    const GpuBoard* board = patient.catalogue.board(machine[id]);
    return home_of(patient, machine[id]) == NvLinkHome::baseboard &&
           board->compute_capability >= ampere && machine[id].index.known();
  });
}

void missing(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto failures = [&] { return out.failures.size(); };
  if (patient.earlier != nullptr) against_earlier(patient, out);
  if (patient.reference != nullptr && failures() == 0) against_reference(patient, out);
  for (const DeviceId id : not_taken_up(machine)) {
    Finding& finding =
        report(out, subject_of(machine, id), "is on the bus, but the driver does not list it",
               {"seen on the bus", subject_of(machine, id), "a number of the driver",
                machine.sources.text(machine[id].seen_in)});
    finding.devices = {id};
  }
  if (failures() > 0) return;
  const auto holes = gaps(machine);
  if (!holes.empty() && !sees_part(patient)) {
    report(out, "host",
           fmt::format("the driver's numbers have a gap: no GPU {}", fmt::join(holes, ", ")),
           {"GPU numbers", fmt::format("without {}", fmt::join(holes, ", ")), "no gap", {}})
        .severity = Severity::warning;
    return;
  }
  if (odd_board(patient)) {
    const auto count = machine.of_kind(DeviceKind::gpu).size();
    if (sees_part(patient))
      return out.unknown("host", "how many GPUs the host has: this is a part of it",
                         "nvidia-smi -L, on the host");
    report(out, "host", fmt::format("{} GPUs of a board that is made for {}", count, count + 1),
           {"GPUs", std::to_string(count), std::to_string(count + 1), {}})
        .severity = Severity::warning;
    return;
  }
  out.pass();
}

template <class Key>
void unlike(const Machine& machine, Verdicts& out, std::string_view what, Key key) {
  std::map<std::string, std::vector<DeviceId>> kinds;
  SourceRef source;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Fact<std::string>& fact = key(machine[id]);
    if (!fact) continue;
    kinds[*fact].push_back(id);
    source = fact.source();
  }
  if (kinds.empty())
    return out.unknown("all GPUs", std::string(what) + " of the GPUs", "nvidia-smi -q");
  if (kinds.size() == 1) return out.pass();
  std::vector<std::string> parts;
  constexpr std::size_t most_shown = 4;
  for (const auto& [name, ids] : kinds)
    if (parts.size() < most_shown) parts.push_back(fmt::format("{} × {}", ids.size(), name));
  const std::string list = fmt::format("{}", fmt::join(parts, ", "));
  Finding& finding = out.fail("all GPUs", fmt::format("differ in {}: {}", what, list));
  finding.devices = machine.of_kind(DeviceKind::gpu);
  finding.evidence = {evidence(machine, std::string(what), list, "one", source)};
}

void mixed_gpus(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (machine.of_kind(DeviceKind::gpu).size() < 2) return;
  unlike(
      machine, out, "product", [](const Device& d) -> const auto& { return d.name; });
  for (Finding& finding : out.failures) {
    finding.impact.text = "collectives go at the pace of the slowest; NCCL tunes for one kind only";
    finding.remedy = {{.text = "give a job GPUs of one kind", .command = "CUDA_VISIBLE_DEVICES=…"}};
  }
}

void mixed_vbios(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::set<std::string> names;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    if (machine[id].name) names.insert(*machine[id].name);
  if (machine.of_kind(DeviceKind::gpu).size() < 2 || names.size() > 1) return;
  unlike(
      machine, out, "VBIOS", [](const Device& d) -> const auto& { return d.gpu->vbios; });
  for (Finding& finding : out.failures) {
    finding.impact.text =
        "seldom any: power and clock tables may differ; a card that was exchanged "
        "is known by it";
    finding.remedy = {{.text = "bring all to the maker's current version at a service window",
                       .command = "nvidia-smi --query-gpu=index,vbios_version --format=csv"}};
  }
}

}  // namespace

std::vector<Rule> gpu_missing_rules() {
  return {
      {.id = "GPU010",
       .name = "gpu-missing",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::gpus},
       .explains = {{"NCC105", Relation::anything}},
       .look = unknown_once<missing>,
       .page = {.what = "A GPU is gone: it was in an older recording, belongs to this kind of "
                        "machine, is on the bus without the driver, or leaves a gap.",
                .why = "Jobs that count on all GPUs do not start, or start with another numbering: "
                       "GPU 4 is then the board's fifth no more.",
                .by_hand = "nvidia-smi -L | wc -l; lspci -d 10de: | grep -cE '3D|VGA'",
                .remedy = "Read the kernel log for Xid 79 and PCIe errors; power off and on; "
                          "reseat or exchange.",
                .benign_if = "A container or guest was given some GPUs only, a GPU was taken out "
                             "or handed to a guest (vfio) on purpose, or a tool was asked about "
                             "some of them.",
                .references = {"NVIDIA GPU debug guidelines"}}},
      {.id = "GPU017",
       .name = "mixed-gpus",
       .severity = Severity::note,
       .weight = 20,
       .needs = {Need::gpus},
       .explains = {},
       .look = unknown_once<mixed_gpus>,
       .page = {.what = "The machine has GPUs of several products.",
                .why = "A job over all of them goes at the pace of the slowest, and peer-to-peer "
                       "between products may not exist.",
                .by_hand = "nvidia-smi -L",
                .remedy = "CUDA_VISIBLE_DEVICES for GPUs of one kind.",
                .benign_if = "One of them is for the screen. It is a note only.",
                .references = {"CUDA C++ Programming Guide, CUDA_VISIBLE_DEVICES"}}},
      {.id = "GPU018",
       .name = "mixed-vbios",
       .severity = Severity::note,
       .weight = 15,
       .needs = {Need::gpus},
       .explains = {},
       .look = unknown_once<mixed_vbios>,
       .page = {.what = "GPUs of one product have different VBIOS versions.",
                .why = "Limits of power and clocks come with it, so one GPU may be slower for no "
                       "visible reason.",
                .by_hand = "nvidia-smi --query-gpu=index,vbios_version --format=csv",
                .remedy = "The maker's firmware bundle for the whole board.",
                .benign_if = "Boards of different orders in one machine. It is a note only.",
                .references = {"nvidia-smi(1), VBIOS Version"}}}};
}

}  // namespace railgauge::judge
