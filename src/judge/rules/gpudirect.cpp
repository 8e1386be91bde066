// Whether adapters may read and write GPU memory: the peer memory module, or DMA-BUF which replaces
// it.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/ports_words.h"
#include "judge/rules/versions_compare.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr std::uint16_t nvidia_vendor = 0x10de;

bool has_nvidia_gpu(const Machine& machine) {
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    if (device.gpu->gcn_architecture) continue;
    if (device.pci && device.pci->id) {
      if (device.pci->id->vendor == nvidia_vendor) return true;
      continue;
    }
    const std::string name = device.name.value_or("NVIDIA");
    if (contains(name, "NVIDIA") || contains(name, "Tesla")) return true;
  }
  return false;
}

// Adapters whose driver takes part in peer memory. EFA has its own way.
std::vector<DeviceId> rdma_nics(const Machine& machine) {
  std::vector<DeviceId> out;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const auto& name = machine[id].nic->rdma_device;
    if (name && (name->starts_with("mlx") || name->starts_with("bnxt") || name->starts_with("ib") ||
                 name->starts_with("roce")))
      out.push_back(id);
  }
  return out;
}

enum class DmaBuf { works, cannot, unknown };

// Kernel 5.12, NVIDIA's open kernel modules. NCCL prefers it since 2.13.
DmaBuf dma_buf(const Machine& machine) {
  const auto& kernel = machine.host.kernel;
  if (kernel && version_less(*kernel, "5.12")) return DmaBuf::cannot;
  const auto& open = machine.host.open_driver;
  if (open && !*open) return DmaBuf::cannot;
  return kernel && open ? DmaBuf::works : DmaBuf::unknown;
}

std::string why_no_dma_buf(const Machine& machine) {
  if (machine.host.open_driver && !*machine.host.open_driver)
    return "the driver's kernel modules are the closed ones, which have no DMA-BUF";
  return fmt::format("kernel {} is older than 5.12, which brought DMA-BUF to RDMA",
                     machine.host.kernel.value_or("?"));
}

std::vector<RemedyStep> load() {
  return {root_step("load the module", "modprobe nvidia-peermem"),
          root_step("and at every boot",
                    "echo nvidia-peermem > /etc/modules-load.d/nvidia-peermem.conf"),
          step("or use the open kernel modules on kernel 5.12 or later: DMA-BUF then needs no "
               "module"),
          step("prove it: NCCL says \"GPU Direct RDMA Enabled\", perftest moves GPU memory",
               "ib_write_bw --use_cuda=0 --use_cuda_dmabuf")};
}

void missing(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto nics = rdma_nics(machine);
  if (!has_nvidia_gpu(machine) || nics.empty()) return;
  const bool loaded = module_named(machine, "nvidia_peermem") != nullptr ||
                      module_named(machine, "nv_peer_mem") != nullptr;
  if (loaded || machine.host.peer_memory) {
    out.pass();
    return;
  }
  const DmaBuf instead = dma_buf(machine);
  if (instead == DmaBuf::works) {
    out.pass();
    return;
  }
  if (instead == DmaBuf::unknown) {
    out.unknown("host", "whether DMA-BUF replaces nvidia_peermem: kernel and flavour of the driver",
                "uname -r; cat /proc/driver/nvidia/version");
    return;
  }
  Finding& finding =
      out.fail("host", "nvidia_peermem is not loaded, and " + why_no_dma_buf(machine));
  finding.devices = nics;
  finding.evidence = {
      evidence(machine, "loaded modules",
               counted(machine.modules.size(), "module") + " without nvidia_peermem",
               "nvidia_peermem", machine.modules.front().source)};
  finding.impact.text =
      "GPUDirect RDMA is off: data between machines is copied through host "
      "memory, at about half the bandwidth and with busy CPUs";
  finding.impact.lost_fraction = 0.5;
  finding.remedy = load();
}

void broken(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::vector<const Event*> bad;
  std::uint64_t times = 0;
  for (const Event& event : machine.events)
    if (event.kind == EventKind::peer_memory && event.severity >= EventSeverity::nonfatal) {
      bad.push_back(&event);
      times += event.count;
    }
  if (bad.empty()) {
    out.pass();
    return;
  }
  Finding& finding =
      out.fail("host", fmt::format("the peer memory module could not be loaded: {} ({})",
                                   bad.front()->text, counted(times, "message")));
  for (const Event* event : bad)
    if (finding.evidence.size() < 4)
      finding.evidence.push_back(evidence(machine, "kernel log", event->text, {}, event->source));
  finding.impact.text =
      "it was built against another ib_core than the one that runs: no GPUDirect "
      "RDMA by this way";
  finding.remedy = {
      root_step("build the driver's modules anew after every change of OFED or kernel",
                "dkms autoinstall", Risk::interrupts, "GPUs must be idle to reload the driver"),
      root_step("load it again and read the log", "modprobe nvidia-peermem; dmesg | tail"),
      step("or use DMA-BUF: open kernel modules, kernel 5.12 or later")};
  const bool loaded_later = module_named(machine, "nvidia_peermem") != nullptr;
  if (loaded_later || dma_buf(machine) == DmaBuf::works) {
    finding.severity = Severity::note;
    finding.weight = 20;
    finding.text += loaded_later ? "; it is loaded now" : "; DMA-BUF does without it";
  }
}

void leftover(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (!has_nvidia_gpu(machine) && module_named(machine, "nvidia") == nullptr) return;
  const KernelModule* old = module_named(machine, "nv_peer_mem");
  if (old == nullptr) {
    out.pass();
    return;
  }
  const bool both = module_named(machine, "nvidia_peermem") != nullptr;
  const auto& driver = machine.host.driver;
  if (!both && driver && version_less(*driver, "470")) {
    out.pass();  // it was the way then
    return;
  }
  Finding& finding =
      out.fail("host", both ? "nv_peer_mem is loaded beside nvidia_peermem, which replaced it"
                            : "nv_peer_mem is loaded: nvidia_peermem of the driver replaced it");
  finding.evidence = {evidence(machine, "loaded module", "nv_peer_mem " + old->version.value_or(""),
                               "nvidia_peermem", old->source)};
  finding.impact.text =
      "it is no longer maintained and breaks with every new kernel or OFED; with "
      "both, whichever comes first serves the adapters";
  finding.remedy = {root_step("take the old one away",
                              "modprobe -r nv_peer_mem && systemctl "
                              "disable nv_peer_mem",
                              Risk::disturbs, "jobs that use GPUDirect RDMA must have ended"),
                    root_step("remove its package", "apt-get purge nvidia-peer-memory-dkms"),
                    root_step("load the driver's own", "modprobe nvidia-peermem")};
}

void invalid_context(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::vector<Event> said;
  for (const Event& event : machine.events)
    if (event.kind == EventKind::peer_memory && contains(event.text, "invalid context"))
      said.push_back(event);
  if (said.empty()) {
    out.pass();
    return;
  }
  const auto groups = event_groups(said);
  std::uint64_t times = 0;
  for (const EventGroup& group : groups) times += group.count;
  const auto& rate = groups.front().per_hour;
  constexpr std::uint64_t many = 1000;
  const bool often = times >= many || (times >= 50 && rate && *rate >= 100);
  Finding& finding =
      out.fail("host", fmt::format("a process ended while an adapter used its GPU memory ({})",
                                   counted(times, "message")));
  if (often) finding.severity = Severity::warning;
  finding.evidence = {evidence(machine, "kernel log", said.front().text, {}, said.front().source)};
  finding.impact.text = often ? "jobs are killed in the middle of transfers, again and again: look "
                                "why they end"
                              : "none: the module cleans up after a process that was killed";
  if (often)
    finding.remedy = {
        root_step("see what ended the processes", "dmesg -T | grep -E 'Xid|oom|Killed|segfault'")};
}

std::vector<Rule> module_rules() {
  return {
      Rule{
          .id = "RDM021",
          .name = "peermem-missing",
          .severity = Severity::warning,
          .weight = 75,
          .needs = {Need::gpus, Need::nics, Need::modules},
          .explains = {{"NCC002", Relation::anything}, {"NCC204", Relation::anything}},
          .look = missing,
          .page = {.what = "Nothing lets adapters reach GPU memory: nvidia_peermem is not loaded "
                           "and DMA-BUF cannot stand in.",
                   .why = "Without GPUDirect RDMA data goes GPU, host memory, adapter: about half "
                          "the bandwidth between machines, and CPUs busy with copying.",
                   .by_hand = "lsmod | grep peermem; cat /proc/driver/nvidia/version; uname -r\n"
                              "\"Open Kernel Module\" and kernel 5.12 or later mean that DMA-BUF "
                              "works without the module. In an NCCL log: GPU Direct RDMA "
                              "Disabled.",
                   .remedy = "modprobe nvidia-peermem, or the open kernel modules. uio_pci_generic "
                             "has nothing to do with it and takes RDMA away.",
                   .benign_if = "The open kernel modules run on kernel 5.12 or later, the adapter "
                                "is EFA (its own way), or jobs never leave the machine.",
                   .references = {"NVIDIA GPUDirect RDMA documentation, nvidia-peermem",
                                  "NVIDIA GPU Operator documentation, GPUDirect RDMA (DMA-BUF)",
                                  "NCCL User Guide, Troubleshooting, GPU Direct"}}},
      Rule{
          .id = "RDM022",
          .name = "peermem-broken",
          .severity = Severity::error,
          .weight = 85,
          .needs = {Need::kernel_log},
          .explains = {{"RDM021", Relation::anything}, {"NCC002", Relation::anything}},
          .look = broken,
          .page = {.what = "nvidia_peermem or nv_peer_mem could not be loaded: its symbols do not "
                           "match ib_core.",
                   .why = "The module was built against another RDMA stack than the one that "
                          "runs: OFED was installed or updated after the driver, or the kernel "
                          "changed. GPUDirect RDMA is off by this way.",
                   .by_hand = "dmesg | grep -E 'peermem|peer_mem'\n"
                              "\"disagrees about version of symbol ib_register_peer_memory_client"
                              "\", \"Unknown symbol\".",
                   .remedy = "Reinstall the driver (or dkms autoinstall) after OFED, so that it is "
                             "built against it; or use DMA-BUF.",
                   .benign_if = "The module was loaded later, or DMA-BUF works here: then it is a "
                                "note.",
                   .references = {"NVIDIA GPUDirect RDMA documentation, nvidia-peermem",
                                  "Mellanox/nv_peer_memory, issues 28 and 79"}}},
  };
}

std::vector<Rule> old_rules() {
  return {
      Rule{.id = "RDM023",
           .name = "peermem-leftover",
           .severity = Severity::warning,
           .weight = 40,
           .needs = {Need::modules},
           .look = leftover,
           .page = {.what = "The old module nv_peer_mem is loaded.",
                    .why = "Driver 470 brought nvidia_peermem in its place. The old one is no "
                           "longer maintained, must be built by hand for each kernel and OFED, and "
                           "registers a second client when both are loaded.",
                    .by_hand = "lsmod | grep -E 'nv_peer_mem|nvidia_peermem'",
                    .remedy = "Remove its package, load nvidia-peermem.",
                    .benign_if = "The driver is older than 470.",
                    .references = {"Mellanox/nv_peer_memory, README",
                                   "NVIDIA GPUDirect RDMA documentation, nvidia-peermem"}}},
      Rule{.id = "RDM024",
           .name = "peermem-invalid-context",
           .severity = Severity::note,
           .weight = 10,
           .needs = {Need::kernel_log},
           .look = invalid_context,
           .page = {.what = "nvidia-peermem skipped a callback: the process whose GPU memory an "
                            "adapter used was gone.",
                    .why = "The message comes after a process was killed during GPUDirect RDMA. It "
                           "is a trace of something else.",
                    .by_hand = "dmesg -T | grep 'invalid context'",
                    .remedy = "None; if there are many, find out what ends the processes.",
                    .benign_if = "A few: information only. From a thousand, or a hundred an hour, "
                                 "it is a warning.",
                    .references = {"NVIDIA open-gpu-kernel-modules, nvidia-peermem.c"}}},
  };
}

}  // namespace

Family gpudirect_rules() {
  static const std::vector<Rule> list = together({module_rules(), old_rules()});
  return list;
}

}  // namespace railgauge::judge
