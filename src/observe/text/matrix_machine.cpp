#include "observe/text/matrix_machine.h"

#include <utility>

#include "base/strings.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {

using model::DeviceId;
using model::DeviceKind;

MatrixMachine::MatrixMachine(const Input& input) {
  machine.name = input.name;
  source_ = machine.sources.add(input.name, model::Trust::tool);
}

DeviceId MatrixMachine::device(const std::string& label, std::uint32_t line) {
  if (const auto found = devices_.find(label); found != devices_.end()) return found->second;
  const auto parsed = parse_label(label);
  const bool nic =
      parsed && (parsed->kind == LabelKind::nic_number || parsed->kind == LabelKind::nic_name);
  const DeviceId id = machine.add(nic ? DeviceKind::nic : DeviceKind::gpu, at(line));
  model::Device& added = machine[id];
  if (parsed && parsed->number >= 0) added.index.claim(parsed->number, at(line));
  if (parsed && parsed->kind == LabelKind::nic_name) added.nic->rdma_device.claim(label, at(line));
  if (const auto address = model::PciAddress::parse(label);
      parsed && parsed->kind == LabelKind::pci_address && address)
    added.address.claim(*address, at(line));
  devices_.emplace(label, id);
  return id;
}

model::Pair& MatrixMachine::pair(DeviceId a, DeviceId b) {
  if (b < a) std::swap(a, b);
  const std::uint64_t key = std::uint64_t{a.value} << 32 | b.value;
  const auto [found, added] = pairs_.try_emplace(key, machine.pairs.size());
  if (added) {
    machine.pairs.emplace_back();
    machine.pairs.back().a = a;
    machine.pairs.back().b = b;
  }
  return machine.pairs[found->second];
}

void MatrixMachine::note(std::uint32_t line, std::string text) {
  machine.remark(model::RemarkLevel::note, std::move(text), at(line));
}

void MatrixMachine::warn(std::uint32_t line, std::string text) {
  machine.remark(model::RemarkLevel::warning, std::move(text), at(line));
}

}  // namespace railgauge::observe
