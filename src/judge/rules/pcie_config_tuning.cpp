// Settings that cost bandwidth or latency: ASPM, BAR1, relaxed ordering, sizes of requests.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "judge/rules/pcie_config.h"
#include "judge/rules/pcie_link_path.h"
#include "judge/rules/unknown_once.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr BytesPerSecond fast_port = gigabits_per_second(200);

std::string address_of(const Device& device) {
  return device.address ? device.address->text() : "ADDRESS";
}

bool is_workstation_gpu(const Patient& patient, const Device& device) {
  const GpuBoard* board = patient.catalogue.board(device);
  const std::string& name = board != nullptr ? board->name : device.name.value_or("");
  return contains(name, "GeForce") || contains(name, "RTX") || contains(name, "TITAN") ||
         contains(name, "Quadro");
}

// 200 Gb/s or more: by its ports, else by a link that only such adapters have.
bool is_very_fast_nic(const Device& device) {
  if (!is_fast_nic(device)) return false;
  if (const auto rate = port_rates(device)) return *rate >= fast_port;
  return device.pci && device.pci->link.max_speed && device.pci->link.max_width &&
         device.pci->link.max_speed->generation() >= 4 && *device.pci->link.max_width >= 16;
}

void aspm(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : serving_devices(machine)) {
    const Device& device = machine[id];
    if (!device.pci || device.pci->physical_function) continue;
    const auto& state = device.pci->aspm;
    if (!state) {
      if (!state.refusals().empty()) out.unknown(subject_of(machine, id), Need::pcie_config);
      continue;
    }
    if (*state == Aspm::disabled) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(machine, id, fmt::format("ASPM {} is enabled", text(*state)));
    const auto served = served_by(machine, id);
    const bool desk = std::all_of(served.begin(), served.end(), [&](DeviceId one) {
      return machine[one].kind == DeviceKind::gpu && is_workstation_gpu(patient, machine[one]);
    });
    if (desk) {
      finding.severity = Severity::note;
      finding.weight = 15;
    }
    finding.evidence = {
        evidence(machine, "LnkCtl ASPM", std::string(text(*state)), "Disabled", state.source())};
    finding.impact.text =
        "a link that slept needs microseconds to wake: latency of small messages "
        "grows, and links that wake badly count errors or train again narrower";
    finding.remedy = {{.text = "turn ASPM off for the next boots, in the BIOS or for the kernel",
                       .command = "sudo sed -i 's/GRUB_CMDLINE_LINUX=\"/&pcie_aspm=off /' "
                                  "/etc/default/grub && sudo update-grub",
                       .needs_root = true,
                       .needs_reboot = true,
                       .risk = Risk::interrupts,
                       .risk_text = "takes effect at the next boot; where the firmware keeps ASPM "
                                    "to itself only the BIOS setting helps"}};
  }
}

void bar1(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr int ampere = 80;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    const auto& bar = device.gpu->bar1_bytes;
    const auto& memory = device.gpu->memory_bytes;
    if (!bar || !memory || *bar == 0) {
      out.unknown(subject_of(machine, id), "BAR1 and memory sizes", "nvidia-smi -q -d MEMORY");
      continue;
    }
    if (*bar >= *memory / 2) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(
        machine, id,
        fmt::format("BAR1 is {} for {} of memory", text_of_bytes(*bar), text_of_bytes(*memory)));
    const GpuBoard* board = patient.catalogue.board(device);
    const int capability =
        board != nullptr ? board->compute_capability : device.gpu->compute_capability.value_or(0);
    if (is_workstation_gpu(patient, device) || capability < ampere) {
      finding.severity = Severity::note;
      finding.weight = 20;
    }
    finding.evidence = {
        evidence(machine, "BAR1 total", text_of_bytes(*bar), text_of_bytes(*memory), bar.source())};
    finding.impact.text =
        "peers and adapters reach GPU memory through this window: GPUDirect RDMA "
        "registration fails or falls back once it is full";
    finding.remedy = {{.text = "switch on Above 4G Decoding and Resizable BAR (or large BAR) in "
                               "the BIOS; some boards need NVIDIA's display mode selector",
                       .command = {},
                       .needs_root = true,
                       .needs_reboot = true,
                       .risk = Risk::interrupts,
                       .risk_text = "needs a reboot"}};
  }
}

void relaxed_ordering(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const Device& device = machine[id];
    if (!is_very_fast_nic(device) || !device.pci || device.pci->physical_function) continue;
    const auto& on = device.pci->relaxed_ordering;
    if (!on) {
      if (!on.refusals().empty()) out.unknown(subject_of(machine, id), Need::pcie_config);
      continue;
    }
    if (*on) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(machine, id, "relaxed ordering is off");
    finding.evidence = {evidence(machine, "DevCtl", "RlxdOrd-", "RlxdOrd+", on.source())};
    finding.impact.text =
        "writes to memory wait for each other in the root complex; on AMD EPYC "
        "and in guests this keeps 200 and 400 Gb/s ports below their rate";
    finding.remedy = {
        {.text = "let the adapter's firmware switch it on (PCI_WR_ORDERING=1), then "
                 "reboot; NCCL uses it by itself (NCCL_IB_PCI_RELAXED_ORDERING=2)",
         .command = fmt::format("sudo mlxconfig -d {} set PCI_WR_ORDERING=1", address_of(device)),
         .needs_root = true,
         .needs_reboot = true,
         .risk = Risk::interrupts,
         .risk_text = "takes effect after a reset of the adapter or a reboot"}};
  }
}

void read_request(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr int wanted = 4096;
  constexpr int tiny = 256;
  for (const DeviceId id : machine.of_kind(DeviceKind::nic)) {
    const Device& device = machine[id];
    if (!is_very_fast_nic(device) || !device.pci || device.pci->physical_function) continue;
    const auto& size = device.pci->max_read_request_bytes;
    if (!size) {
      if (!size.refusals().empty()) out.unknown(subject_of(machine, id), Need::pcie_config);
      continue;
    }
    if (*size >= wanted) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(
        machine, id, fmt::format("reads memory {} bytes at a time, not {}", *size, wanted));
    if (*size <= tiny) {
      finding.severity = Severity::warning;
      finding.weight = 45;
    }
    finding.evidence = {evidence(machine, "DevCtl MaxReadReq", std::to_string(*size),
                                 std::to_string(wanted), size.source())};
    finding.impact.text =
        "more requests for the same data: sending stays below the port's rate, "
        "most of all over long paths such as another socket or a guest";
    finding.remedy = {
        {.text = "set it to 4096 (value 5 in bits 14-12 of DevCtl) until the next "
                 "boot; the BIOS may have a setting to keep it",
         .command = fmt::format("sudo setpci -s {} CAP_EXP+8.w=5000:7000", address_of(device)),
         .needs_root = true,
         .risk = Risk::disturbs,
         .risk_text = "best while no traffic runs"}};
  }
}

void payload(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  if (links_are_virtual(patient))
    return out.unknown("host", "payload sizes as the host sees them", "sudo lspci -vvv");
  const auto serving = serving_devices(machine);
  for (const Link& link : machine.links) {
    if (link.kind != LinkKind::pcie || !serving.contains(link.a)) continue;
    const auto& low = machine[link.a].pci;
    const auto& high = machine[link.b].pci;
    if (!low || !high || low->physical_function) continue;
    if (!low->max_payload_bytes || !high->max_payload_bytes) continue;
    const int below = *low->max_payload_bytes;
    const int above = *high->max_payload_bytes;
    if (below == above) {
      out.pass();
      continue;
    }
    Finding& finding = out.fail(machine, link.a,
                                fmt::format("sends payloads of up to {} bytes; {} above takes {}",
                                            below, machine[link.b].id, above));
    finding.devices = {link.a, link.b};
    if (below < above) {
      finding.severity = Severity::note;
      finding.weight = 20;
      finding.text = fmt::format("payloads of {} bytes where {} above allows {}", below,
                                 machine[link.b].id, above);
    }
    finding.evidence = {evidence(machine, "DevCtl MaxPayload", std::to_string(below),
                                 std::to_string(above), low->max_payload_bytes.source()),
                        evidence(machine, "MaxPayload above", std::to_string(above), {},
                                 high->max_payload_bytes.source())};
    finding.impact.text = below > above
                              ? "a packet larger than the receiver takes is malformed: a fatal "
                                "PCIe error"
                              : "more headers for the same data";
    finding.remedy = {{.text = "let the kernel or the BIOS set one size along the path",
                       .command = "sudo sed -i 's/GRUB_CMDLINE_LINUX=\"/&pci=pcie_bus_safe /' "
                                  "/etc/default/grub && sudo update-grub",
                       .needs_root = true,
                       .needs_reboot = true,
                       .risk = Risk::interrupts,
                       .risk_text = "takes effect at the next boot"}};
  }
}

Rule aspm_rule() {
  return {
      .id = "PCI008",
      .name = "aspm-enabled",
      .severity = Severity::warning,
      .weight = 35,
      .needs = {Need::pcie_config},
      .explains = {},
      .look = unknown_once<aspm>,
      .page = {.what = "Active State Power Management is enabled on a link between a GPU or fast "
                       "adapter and the CPU.",
               .why = "Leaving L1 takes up to tens of microseconds, more than a small all-reduce. "
                      "Links with a marginal riser or retimer fail to come back cleanly: corrected "
                      "errors, or fewer lanes. ASPM does not touch NVLink.",
               .by_hand = "sudo lspci -vvv | grep -E '^[0-9a-f]|LnkCtl:'\n"
                          "\"LnkCtl: ASPM L1 Enabled\". LnkCap's \"ASPM L0s L1\" is only what it "
                          "could do.",
               .remedy = "ASPM off in the BIOS, or pcie_aspm=off.",
               .benign_if = "Only the capability is there and LnkCtl says Disabled (passes), or "
                            "the link belongs to a workstation's graphics card (a note).",
               .references = {"PCI Express Base Specification, 5.4.1 (ASPM) and 7.5.3.7 (Link "
                              "Control)",
                              "Linux kernel, Documentation/admin-guide/kernel-parameters.txt, "
                              "pcie_aspm="}}};
}

Rule bar1_rule() {
  return {
      .id = "PCI011",
      .name = "bar1-small",
      .severity = Severity::warning,
      .weight = 50,
      .needs = {Need::gpus},
      .explains = {},
      .look = unknown_once<bar1>,
      .page = {.what = "The window through which others reach a GPU's memory is much smaller than "
                       "the memory.",
               .why = "GPUDirect RDMA and peer-to-peer map GPU memory into BAR1. An 80 GB GPU with "
                      "256 MiB of BAR1 can register 256 MiB, and fails beyond.",
               .by_hand = "nvidia-smi -q -d MEMORY | grep -A1 -E 'FB Memory|BAR1'",
               .remedy = "Above 4G Decoding and Resizable BAR in the BIOS.",
               .benign_if = "A workstation card, or one before Ampere such as the T4, that comes "
                            "with 256 MiB (a note).",
               .references = {"NVIDIA GPUDirect RDMA documentation, BAR sizes",
                              "nvidia-smi(1), BAR1 Memory Usage"}}};
}

Rule ordering_rule() {
  return {
      .id = "PCI013",
      .name = "relaxed-ordering-off",
      .severity = Severity::note,
      .weight = 25,
      .needs = {Need::pcie_config, Need::nics},
      .explains = {},
      .look = unknown_once<relaxed_ordering>,
      .page = {.what = "An adapter of 200 Gb/s or more may not send writes out of order.",
               .why = "With strict order each write waits for the one before. Hosts with long "
                      "paths to memory (AMD EPYC, another socket, guests) then lose up to half of "
                      "the rate.",
               .by_hand = "sudo lspci -vvv -s ADDRESS | grep RlxdOrd",
               .remedy = "PCI_WR_ORDERING=1 by mlxconfig, or the BIOS's setting.",
               .benign_if = "Bandwidth measured is that of the line anyway; older Intel hosts gain "
                            "nothing. It is a note for that reason.",
               .references = {"NCCL user guide, NCCL_IB_PCI_RELAXED_ORDERING",
                              "PCI Express Base Specification, 7.5.3.4 (Device Control)"}}};
}

Rule read_request_rule() {
  return {
      .id = "PCI014",
      .name = "read-request-small",
      .severity = Severity::note,
      .weight = 25,
      .needs = {Need::pcie_config, Need::nics},
      .explains = {},
      .look = unknown_once<read_request>,
      .page = {.what = "An adapter of 200 Gb/s or more reads memory in small requests.",
               .why = "The adapter keeps a bounded number of reads under way. With 512 instead of "
                      "4096 bytes each, an eighth of the data is under way, and long paths starve "
                      "the port. 128 or 256 bytes are a warning.",
               .by_hand = "sudo lspci -vvv -s ADDRESS | grep MaxReadReq",
               .remedy = "setpci -s ADDRESS CAP_EXP+8.w=5000:7000 after each boot, or the BIOS's "
                         "setting.",
               .benign_if = "512 bytes and the rate is reached: adapters with many tags hide it. "
                            "It is a note for that reason.",
               .references = {"PCI Express Base Specification, 7.5.3.4 (Device Control)",
                              "NVIDIA networking, Understanding PCIe configuration for maximum "
                              "performance"}}};
}

Rule payload_rule() {
  return {.id = "PCI015",
          .name = "payload-mismatch",
          .severity = Severity::warning,
          .weight = 45,
          .needs = {Need::pcie_config, Need::topology},
          .explains = {},
          .look = unknown_once<payload>,
          .page = {.what = "The two ends of a link are set to different payload sizes.",
                   .why = "A packet larger than the receiver's size is malformed, which is a fatal "
                          "error; a sender set smaller than need be only sends more headers.",
                   .by_hand = "sudo lspci -vvv | grep -E '^[0-9a-f]|MaxPayload'\n"
                              "DevCtl of the device against DevCtl of the port above.",
                   .remedy = "pci=pcie_bus_safe, or the BIOS's payload setting on all slots alike.",
                   .benign_if = "The device is set smaller than its port (a note); a hot-plugged "
                                "device under pci=pcie_bus_perf.",
                   .references = {"PCI Express Base Specification, 7.5.3.4 (Device Control)",
                                  "Linux kernel, Documentation/admin-guide/kernel-parameters.txt, "
                                  "pcie_bus_safe"}}};
}

}  // namespace

std::vector<Rule> pcie_tuning_rules() {
  return {aspm_rule(), bar1_rule(), ordering_rule(), read_request_rule(), payload_rule()};
}

}  // namespace railgauge::judge
