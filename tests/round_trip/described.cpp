#include "tests/round_trip/described.h"

#include <fmt/format.h>

namespace railgauge::present {
namespace {

using model::Device;
using model::Fact;

std::string word(int value) { return fmt::format("{}", value); }
std::string word(bool value) { return value ? "yes" : "no"; }
std::string word(const std::string& value) { return value; }
std::string word(model::PciAddress value) { return value.text(); }
std::string word(model::PciId value) {
  return fmt::format("{:04x}:{:04x}", value.vendor, value.device);
}
std::string word(model::PciClass value) { return fmt::format("{:06x}", value.code); }
std::string word(model::PcieSpeed value) { return value.text(); }
std::string word(BytesPerSecond value) { return fmt::format("{:.0f}", value.value); }

template <class T>
void say(std::string& out, const char* name, const Fact<T>& fact) {
  for (const auto& claim : fact.claims()) out += fmt::format(" {}={}", name, word(claim.value));
  for (const auto& refusal : fact.refusals()) out += fmt::format(" {}?{}", name, refusal.why);
}

void say_pci(std::string& out, const model::PciFacts& pci) {
  say(out, "id", pci.id);
  say(out, "subsystem", pci.subsystem);
  say(out, "class", pci.pci_class);
  say(out, "speed", pci.link.current_speed);
  say(out, "width", pci.link.current_width);
}

void say_cpu(std::string& out, const model::CpuFacts& cpu) {
  say(out, "vendor", cpu.vendor);
  say(out, "architecture", cpu.architecture);
  say(out, "family", cpu.family);
  say(out, "model", cpu.model);
  say(out, "cpus", cpu.cpus);
}

void say_gpu(std::string& out, const model::GpuFacts& gpu) {
  say(out, "sm", gpu.compute_capability);
  say(out, "gcn", gpu.gcn_architecture);
  say(out, "rank", gpu.rank);
  say(out, "dev", gpu.nccl_device);
  say(out, "gdr", gpu.gpudirect);
}

void say_nic(std::string& out, const model::NicFacts& nic) {
  say(out, "rdma", nic.rdma_device);
  say(out, "netdev", nic.netdev);
  say(out, "dev", nic.nccl_device);
  say(out, "gdr", nic.gpudirect);
  for (const auto& port : nic.ports) {
    out += fmt::format(" port {}", port.number);
    say(out, "rate", port.rate);
    say(out, "netdev", port.netdev);
  }
}

}  // namespace

std::string described(const model::Machine& machine) {
  std::string out;
  for (const Device& device : machine.devices) {
    out += model::text(device.kind);
    if (device.parent) out += fmt::format(" below {}", device.parent->value);
    say(out, "index", device.index);
    say(out, "address", device.address);
    say(out, "numa", device.numa_node);
    if (device.pci) say_pci(out, *device.pci);
    if (device.cpu) say_cpu(out, *device.cpu);
    if (device.gpu) say_gpu(out, *device.gpu);
    if (device.nic) say_nic(out, *device.nic);
    for (const auto& a : device.attributes) out += fmt::format(" {}=\"{}\"", a.key, a.value);
    out += '\n';
  }
  for (const auto& link : machine.links) {
    out += fmt::format("{} {} {}", model::text(link.kind), link.a.value, link.b.value);
    say(out, "width", link.width);
    if (link.as_found) out += " rate=" + word(*link.as_found);
    out += '\n';
  }
  return out;
}

}  // namespace railgauge::present
