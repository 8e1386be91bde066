#include "observe/lspci/lspci_tree.h"

#include <array>
#include <optional>

#include "base/strings.h"
#include "observe/lspci/class_names.h"
#include "observe/lspci/device_line.h"
#include "observe/lspci/pci_machine.h"
#include "observe/lspci/tree_lines.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;

// Words in pci.ids names that say what a thing is. A name without one says nothing.
DeviceKind kind_of_name(std::string_view name) {
  const auto any = [&](const auto& words) {
    for (const std::string_view word : words)
      if (contains(name, word)) return true;
    return false;
  };
  static constexpr std::array<std::string_view, 5> not_the_chip{"Audio", "USB", "UCSI", "Bridge",
                                                                "Switch"};
  static constexpr std::array<std::string_view, 7> gpus{"GeForce", "Tesla", "Quadro",  "RTX",
                                                        "[A100",   "[H100", "Instinct"};
  static constexpr std::array<std::string_view, 4> nics{"ConnectX", "Ethernet", "InfiniBand",
                                                        "BlueField"};
  if (contains(name, "NVSwitch")) return DeviceKind::nvswitch;
  if (any(not_the_chip)) return DeviceKind::other;
  if (contains(name, "NVM") || contains(name, "SSD")) return DeviceKind::nvme;
  if (any(nics)) return DeviceKind::nic;
  return any(gpus) ? DeviceKind::gpu : DeviceKind::other;
}

void add_node(const TreeNode& node, PciMachine& out, std::vector<model::DeviceId>& ids) {
  const model::DeviceId id = out.device(node.address, node.line);
  ids.push_back(id);
  model::Device& device = out.machine[id];
  const auto here = out.at(node.line);
  if (node.secondary_bus) {
    device.kind = DeviceKind::pcie_bridge;
    device.pci->secondary_bus.claim(*node.secondary_bus, here);
    device.pci->subordinate_bus.claim(node.subordinate_bus, here);
  }
  if (node.bridge && ids[*node.bridge] != id) {
    device.parent = ids[*node.bridge];
    device.parent_source = here;
  }
  std::string_view name = node.name;
  if (const auto pci_id = bracketed_id(name)) {
    device.pci->id.claim(*pci_id, here);
    name = trim(name.substr(0, name.size() - 11));
  }
  if (name.empty()) return;
  device.name.claim(std::string(name), here);
  if (node.secondary_bus) return;
  device.kind = kind_of_name(name);
  if (device.kind == DeviceKind::gpu) device.gpu.emplace();
  if (device.kind == DeviceKind::nic) device.nic.emplace();
}

}  // namespace

bool looks_like_lspci_tree(std::string_view bytes) {
  return !parse_tree(strip_terminal_codes(bytes)).nodes.empty();
}

Result<model::Machine> read_lspci_tree(const Input& input) {
  const TreeText tree = parse_tree(strip_terminal_codes(input.bytes));
  if (tree.nodes.empty())
    return fail(ErrorKind::input, input.name +
                                      ": nothing of lspci -t: expected a tree that starts "
                                      "with \"-[0000:00]-+-00.0\" or \"-+-[0000:e0]-+-\"");
  PciMachine out(input);
  std::vector<model::DeviceId> ids;
  ids.reserve(tree.nodes.size());
  for (const auto& node : tree.nodes) add_node(node, out, ids);
  for (const auto& [line, text] : tree.problems) out.warn(line, text);
  out.note(0,
           "lspci -t prints no classes, so GPUs and adapters are told by their names only; "
           "lspci -vvv -nn tells them surely");
  return std::move(out.machine);
}

}  // namespace railgauge::observe
