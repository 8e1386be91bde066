// What keeps devices apart: ACS, the IOMMU and its faults, drivers that take a device away.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "judge/rules/pcie_config.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

RemedyStep pass_through(std::string text) {
  return {.text = std::move(text),
          .command =
              "sudo sed -i 's/GRUB_CMDLINE_LINUX=\"/&iommu=pt /' "
              "/etc/default/grub && sudo update-grub",
          .needs_root = true,
          .needs_reboot = true,
          .risk = Risk::interrupts,
          .risk_text = "takes effect at the next boot"};
}

// A peer that traffic from `below` reaches through this port and without the CPU when nothing
// redirects: both are below one switch, and the peer is not below this port.
std::optional<DeviceId> peer_across(const Machine& machine, DeviceId port,
                                    const std::vector<DeviceId>& below) {
  const auto up = ancestry(machine, port);
  const auto top = std::find_if(up.rbegin(), up.rend(), [&](DeviceId id) {
    return machine[id].kind == DeviceKind::pcie_switch;
  });
  if (top == up.rend() || *top == port) return std::nullopt;
  for (const DeviceId peer : served_by(machine, *top)) {
    if (std::find(below.begin(), below.end(), peer) != below.end()) continue;
    const bool gpu = machine[peer].kind == DeviceKind::gpu ||
                     std::any_of(below.begin(), below.end(),
                                 [&](DeviceId id) { return machine[id].kind == DeviceKind::gpu; });
    if (gpu) return peer;
  }
  return std::nullopt;
}

std::string set_bits(const AcsControl& acs) {
  std::string out;
  const auto add = [&](bool set, const char* word) {
    if (set) out += (out.empty() ? "" : " ") + std::string(word);
  };
  add(acs.source_validation, "SrcValid+");
  add(acs.request_redirect, "ReqRedir+");
  add(acs.completion_redirect, "CmpltRedir+");
  add(acs.upstream_forwarding, "UpstreamFwd+");
  add(acs.direct_translated, "DirectTrans+");
  return out;
}

void report_redirect(const Machine& machine, DeviceId port, DeviceId from, DeviceId peer,
                     Verdicts& out) {
  const auto& acs = machine[port].pci->acs;
  Finding& finding = out.fail(machine, port,
                              fmt::format("sends traffic between {} and {} up to the CPU ({})",
                                          machine[from].id, machine[peer].id, set_bits(*acs)));
  finding.devices = {port, from, peer};
  if (serves_virtual_machines(machine)) {
    finding.severity = Severity::note;
    finding.weight = 20;
    finding.text += "; this machine serves guests, which need it";
  }
  finding.evidence = {evidence(machine, "ACSCtl", set_bits(*acs),
                               "ReqRedir- CmpltRedir- UpstreamFwd-", acs.source())};
  finding.impact.text =
      "peer-to-peer and GPUDirect RDMA go through the root complex: about half the bandwidth, "
      "shared with all others below it, and hangs on some machines";
  const auto& address = machine[port].address;
  finding.remedy = {
      {.text = "clear the redirection until the next boot",
       .command =
           fmt::format("sudo setpci -s {} ECAP_ACS+0x6.w=0000", address ? address->text() : "PORT"),
       .needs_root = true,
       .risk = Risk::disturbs,
       .risk_text = "devices below the port are no longer isolated from each other: not on hosts "
                    "that pass devices to guests"},
      {.text = "turn ACS (or VT-d, IOMMU) off in the BIOS to keep it so; in guests use ATS with "
               "DirectTrans instead",
       .command = {},
       .needs_root = true,
       .needs_reboot = true,
       .risk = Risk::interrupts,
       .risk_text = "needs a reboot"}};
}

void acs_redirect(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (in_virtual_machine(patient))
    return out.unknown("host", "ACS as the host sees it: a guest does not", "sudo lspci -vvv");
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (device.kind != DeviceKind::switch_port && device.kind != DeviceKind::pcie_bridge) continue;
    const auto below = served_by(machine, id);
    if (below.empty()) continue;
    const auto peer = peer_across(machine, id, below);
    if (!peer) continue;
    if (!device.pci || !device.pci->acs) {
      // Bridges without the capability say nothing and redirect nothing.
      if (device.pci && !device.pci->acs.refusals().empty())
        out.unknown(subject_of(machine, id), Need::pcie_config);
    } else if (device.pci->acs->redirects()) {
      report_redirect(machine, id, below.front(), *peer, out);
    } else {
      out.pass();
    }
  }
}

bool has_word(const std::vector<std::string>& arguments, std::string_view word) {
  return std::any_of(arguments.begin(), arguments.end(), [&](const std::string& argument) {
    const auto equals = argument.find('=');
    if (equals == std::string::npos) return argument == word;
    const std::string_view key = std::string_view(argument).substr(0, equals + 1);
    if (!word.starts_with(key)) return false;
    const auto values = split(std::string_view(argument).substr(equals + 1), ',');
    return std::find(values.begin(), values.end(), word.substr(key.size())) != values.end();
  });
}

enum class Iommu : std::uint8_t { unknown, off, passes_through, translates };

Iommu iommu_of(const HostFacts& host) {
  if (host.iommu) {
    if (*host.iommu == "off") return Iommu::off;
    const bool translating = contains(*host.iommu, "DMA");
    const bool identity = contains(*host.iommu, "identity");
    if (identity && translating) return Iommu::unknown;  // some domains are the default of few
    return translating ? Iommu::translates : identity ? Iommu::passes_through : Iommu::unknown;
  }
  if (!host.kernel_arguments) return Iommu::unknown;
  const auto& words = *host.kernel_arguments;
  if (has_word(words, "iommu=off") || has_word(words, "intel_iommu=off") ||
      has_word(words, "amd_iommu=off"))
    return Iommu::off;
  if (has_word(words, "iommu=pt") || has_word(words, "iommu.passthrough=1"))
    return Iommu::passes_through;
  if (has_word(words, "intel_iommu=on") || has_word(words, "amd_iommu=on") ||
      has_word(words, "iommu=force"))
    return Iommu::translates;
  return Iommu::unknown;
}

// Grace reaches its GPUs through an SMMU that is meant to translate.
bool is_arm(const Machine& machine) {
  return std::any_of(machine.devices.begin(), machine.devices.end(), [](const Device& device) {
    return device.cpu && device.cpu->architecture &&
           (*device.cpu->architecture == "aarch64" || *device.cpu->architecture == "arm64");
  });
}

void iommu_translating(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto count = [&](DeviceKind kind) {
    const auto all = machine.of_kind(kind);
    return std::count_if(all.begin(), all.end(),
                         [&](DeviceId id) { return is_gpu_or_fast_nic(machine[id]); });
  };
  const auto gpus = count(DeviceKind::gpu);
  const auto nics = count(DeviceKind::nic);
  if (in_virtual_machine(patient) || is_arm(machine) || gpus + nics < 2) return;
  const Iommu state = iommu_of(machine.host);
  if (state == Iommu::unknown) return out.unknown({}, Need::kernel_arguments);
  if (state != Iommu::translates) return out.pass();
  const auto& host = machine.host;
  Finding& finding = out.fail("host", "the IOMMU translates what devices send to each other");
  if (serves_virtual_machines(machine)) {
    finding.severity = Severity::note;
    finding.weight = 20;
    finding.text += "; this machine serves guests, which need it";
  }
  if (host.iommu)
    finding.evidence.push_back(
        evidence(machine, "IOMMU domains", *host.iommu, "identity, or off", host.iommu.source()));
  if (host.kernel_arguments)
    finding.evidence.push_back(
        {"kernel arguments",
         has_word(*host.kernel_arguments, "iommu=pt") ? "iommu=pt" : "no iommu=pt", "iommu=pt",
         machine.sources.text(host.kernel_arguments.source())});
  finding.impact.text = fmt::format(
      "peer-to-peer between {} GPUs and {} adapters is sent to the root complex for translation: "
      "less bandwidth, and on some machines it hangs or gives wrong data",
      gpus, nics);
  finding.remedy = {
      pass_through("let the IOMMU pass devices through (or turn it off in the BIOS)")};
}

void iommu_fault(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  out.pass();
  std::map<std::optional<PciAddress>, std::pair<const Event*, std::uint64_t>> faults;
  for (const Event& event : machine.events) {
    if (event.kind != EventKind::iommu) continue;
    auto& one = faults.try_emplace(event.device, &event, 0).first->second;
    one.second += event.count;
  }
  for (const auto& [address, fault] : faults) {
    const auto id = address ? machine.at(*address) : std::nullopt;
    std::string says = fmt::format("{} IOMMU fault{}: it touched memory that it was not given",
                                   fault.second, fault.second == 1 ? "" : "s");
    Finding& finding = id ? out.fail(machine, *id, std::move(says))
                          : out.fail(address ? address->text() : "a device", std::move(says));
    const bool ours = id && is_gpu_or_fast_nic(machine[*id]);
    if (!ours) {
      finding.severity = Severity::warning;
      finding.weight = 40;
    }
    finding.evidence = {
        {"kernel log", fault.first->text, {}, machine.sources.text(fault.first->source)}};
    finding.impact.text =
        "the access was refused: GPUDirect or peer-to-peer fails with local "
        "protection errors (NCCL: error 4) or hangs";
    finding.remedy = {
        pass_through("let the IOMMU pass devices through, and see whether ACS redirects")};
  }
}

void foreign_driver(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  static constexpr std::string_view user_space[] = {"uio_pci_generic", "igb_uio"};
  static constexpr std::string_view hand_over[] = {"vfio-pci", "pci-stub", "xen-pciback",
                                                   "pciback"};
  const auto is_one_of = [](const auto& list, const std::string& driver) {
    return std::find(std::begin(list), std::end(list), driver) != std::end(list);
  };
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (!is_gpu_or_fast_nic(device) || !device.pci || device.pci->physical_function) continue;
    const auto& driver = device.pci->driver;
    if (!driver) continue;
    const bool uio = is_one_of(user_space, *driver);
    if (!uio && !is_one_of(hand_over, *driver)) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(
        machine, id,
        uio ? fmt::format("belongs to {}: gone from CUDA, RDMA and the network", *driver)
            : fmt::format("belongs to {}: handed over to a guest or to user space", *driver));
    if (!uio) {
      finding.severity = Severity::note;
      finding.weight = 20;
    }
    finding.evidence = {evidence(machine, "driver", *driver,
                                 device.gpu ? "nvidia, amdgpu" : "mlx5_core or the maker's",
                                 driver.source())};
    finding.impact.text = "jobs on the host cannot use it";
    const std::string address = device.address ? device.address->text() : "ADDRESS";
    finding.remedy = {{.text = "give it back to its own driver",
                       .command = fmt::format("echo {0} | sudo tee /sys/bus/pci/devices/{0}/driver"
                                              "/unbind && echo {0} | sudo tee "
                                              "/sys/bus/pci/drivers_probe",
                                              address),
                       .needs_root = true,
                       .risk = Risk::interrupts,
                       .risk_text = "a guest or program that uses it loses it"}};
  }
}

Rule acs_rule() {
  return {
      .id = "PCI009",
      .name = "acs-redirect",
      .severity = Severity::warning,
      .weight = 75,
      .needs = {Need::pcie_config, Need::topology},
      .explains = {{"NCC205", Relation::anything},
                   {"NCC009", Relation::anything},
                   {"PCI024", Relation::same_device}},
      .look = unknown_once<acs_redirect>,
      .page = {.what = "A PCIe switch port redirects peer-to-peer traffic of a GPU to the CPU "
                       "(Access Control Services).",
               .why = "GPUs and adapters below one switch could talk at the link's full rate. With "
                      "request or completion redirect, or upstream forwarding, every packet goes "
                      "up the shared uplink and down again: half the bandwidth or less, and the "
                      "NCCL guide names ACS as a cause of hangs.",
               .by_hand = "sudo lspci -vvv | grep -E '^[0-9a-f]|ACSCtl'\n"
                          "ReqRedir+, CmpltRedir+ or UpstreamFwd+ on a port above a GPU or "
                          "adapter. SrcValid+ alone redirects nothing.",
               .remedy = "setpci ECAP_ACS+0x6.w=0000 on each such port after every boot, or ACS "
                         "off in the BIOS. In guests: ATS on the adapters and DirectTrans.",
               .benign_if = "The port is on a path to storage only, SrcValid alone is set, no peer "
                            "is reached through it without the CPU anyway, or the host passes "
                            "devices to guests and needs the isolation (a note). A guest cannot "
                            "see it.",
               .references = {"NCCL user guide, Troubleshooting: PCI Access Control Services (ACS)",
                              "PCI Express Base Specification, 6.12 (Access Control Services)"}}};
}

Rule iommu_rule() {
  return {
      .id = "PCI010",
      .name = "iommu-translating",
      .severity = Severity::warning,
      .weight = 50,
      .needs = {Need::gpus},
      .explains = {{"PCI024", Relation::anything}},
      .look = unknown_once<iommu_translating>,
      .page = {.what = "The IOMMU is on and translates, on a machine with several GPUs or "
                       "adapters that is no guest.",
               .why = "Translated peer-to-peer must go to the root complex, where the IOMMU sits. "
                      "It costs bandwidth and latency, and NVIDIA and NCCL name it as a cause of "
                      "hangs and wrong results of GPU peer-to-peer.",
               .by_hand = "cat /proc/cmdline; sort /sys/kernel/iommu_groups/*/type | uniq -c\n"
                          "\"DMA\" or \"DMA-FQ\" is translating, \"identity\" is passed through.",
               .remedy = "iommu=pt on the kernel's command line, or VT-d / AMD IOMMU off in the "
                         "BIOS.",
               .benign_if = "The host passes devices to guests (then a note), it is a Grace or "
                            "other Arm machine, whose SMMU is meant to translate, or it has one "
                            "GPU and no fast adapter.",
               .references = {"NCCL user guide, Troubleshooting: IO Virtualization (VT-d, IOMMU)",
                              "Linux kernel, Documentation/admin-guide/kernel-parameters.txt, "
                              "iommu="}}};
}

Rule fault_rule() {
  return {
      .id = "PCI024",
      .name = "iommu-fault",
      .severity = Severity::error,
      .weight = 75,
      .needs = {Need::kernel_log},
      .explains = {{"NCC009", Relation::anything}},
      .look = unknown_once<iommu_fault>,
      .page = {.what = "The IOMMU refused an access of a device.",
               .why = "The device sent to an address that is not mapped for it: peer-to-peer "
                      "through a translating IOMMU, a driver fault, or memory that was taken away "
                      "while an RDMA operation was under way.",
               .by_hand = "sudo dmesg -T | grep -E 'DMAR|AMD-Vi|IO_PAGE_FAULT|arm-smmu'",
               .remedy = "iommu=pt; look at ACS; update the driver of the device.",
               .benign_if = "Once while a driver was loaded or a device reset. Other devices than "
                            "GPUs and fast adapters are only a warning.",
               .references = {"Linux kernel, Documentation/arch/x86/iommu.rst (formerly "
                              "Intel-IOMMU.txt)"}}};
}

Rule driver_rule() {
  return {
      .id = "PCI023",
      .name = "device-on-foreign-driver",
      .severity = Severity::error,
      .weight = 80,
      .needs = {Need::gpus},
      .explains = {{"GPU010", Relation::anything}, {"RDM028", Relation::same_device}},
      .look = unknown_once<foreign_driver>,
      .page = {.what = "A GPU or adapter is bound to a driver that is not its own.",
               .why = "Binding a mlx5 adapter to uio_pci_generic circulates as a step towards "
                      "GPUDirect. It takes the adapter out of RDMA and the network; GPUDirect "
                      "needs nvidia-peermem or DMA-BUF and the adapter's own driver.",
               .by_hand = "lspci -k | grep -A3 -E 'NVIDIA|Mellanox|Ethernet|Infiniband'\n"
                          "\"Kernel driver in use:\" vfio-pci, uio_pci_generic, pci-stub.",
               .remedy = "Unbind it and let its own driver probe again; take the binding out of "
                         "modprobe.d and driverctl.",
               .benign_if = "vfio-pci on a host that passes the device to a guest, or a program "
                            "that drives it from user space (a note).",
               .references = {"Linux kernel, Documentation/driver-api/vfio.rst",
                              "NVIDIA GPUDirect RDMA documentation"}}};
}

}  // namespace

std::vector<Rule> pcie_isolation_rules() {
  return {acs_rule(), iommu_rule(), fault_rule(), driver_rule()};
}

}  // namespace railgauge::judge
