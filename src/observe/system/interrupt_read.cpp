#include <fmt/format.h>

#include <map>

#include "base/strings.h"
#include "observe/sysfs/attributes.h"
#include "observe/sysfs/pci_names.h"
#include "observe/system/host_text.h"
#include "observe/system/interrupt_lines.h"
#include "observe/system/interrupts.h"

namespace railgauge::observe {
namespace {

using model::PciAddress;
using model::SourceRef;
using model::Trust;

constexpr std::size_t most_interrupts = 16384;
constexpr std::size_t most_remarks = 100;

// Whose interrupts are whose, beside what their labels say.
struct Owners {
  std::map<int, PciAddress> by_number;                       // from msi_irqs
  std::map<std::string, PciAddress, std::less<>> by_netdev;  // from /sys/class/net
};

Owners owners(const Recording& recording) {
  Owners out;
  constexpr std::string_view folder = "/msi_irqs/";
  for (auto it = recording.entries.lower_bound("sys/devices/");
       it != recording.entries.end() && it->first.starts_with("sys/devices/"); ++it) {
    const std::string_view path = it->first;
    const auto slash = path.rfind('/');
    if (slash < folder.size() || path.substr(slash + 1 - folder.size(), folder.size()) != folder)
      continue;
    const auto number = parse_int(path.substr(slash + 1));
    const auto address = last_function(path.substr(0, slash + 1 - folder.size()));
    if (number && address && *number >= 0 && *number <= 1 << 24)
      out.by_number.emplace(static_cast<int>(*number), *address);
  }
  for (const auto& name : recording.list("sys/class/net"))
    if (const Entry* link = recording.find("sys/class/net/" + name + "/device");
        link != nullptr && link->kind == Entry::Kind::link)
      if (const auto address = last_function(link->bytes)) out.by_netdev.emplace(name, *address);
  return out;
}

// "i40e-eno1-TxRx-3" and "eno1" name the network device eno1.
std::optional<PciAddress> netdev_in(std::string_view label, const Owners& owners) {
  if (owners.by_netdev.empty()) return std::nullopt;
  for (std::size_t start = 0; start < label.size();) {
    const auto end = std::min(label.find_first_of(" ,-@:", start), label.size());
    if (const auto found = owners.by_netdev.find(label.substr(start, end - start));
        found != owners.by_netdev.end())
      return found->second;
    start = end + 1;
  }
  return std::nullopt;
}

// Takes the interrupt of the current line when it is a GPU's or an adapter's.
bool take(const InterruptLines& lines, const Owners& owners, SourceRef source,
          model::Machine& machine) {
  const auto owned = owners.by_number.find(lines.number());
  const auto netdev = netdev_in(lines.label(), owners);
  if (owned == owners.by_number.end() && !netdev && !is_gpu_or_nic_label(lines.label()))
    return false;
  const SourceRef here = source.at_line(lines.line());
  model::Interrupt interrupt;
  interrupt.number = lines.number();
  interrupt.label = valid_utf8(lines.label());
  if (owned != owners.by_number.end())
    interrupt.device.claim(owned->second, here);
  else if (const auto named = pci_address_in(lines.tail()))
    interrupt.device.claim(*named, here);
  else if (netdev)
    interrupt.device.claim(*netdev, here);
  const bool whole = lines.for_each_count(
      [&](int cpu, std::uint64_t count) { interrupt.cpus[cpu].value.claim(count, here); });
  if (!whole && machine.remarks.size() < most_remarks)
    machine.remark(model::RemarkLevel::warning,
                   fmt::format("interrupt {} has fewer counts than there are CPUs in the header",
                               lines.number()),
                   here);
  machine.interrupts.push_back(std::move(interrupt));
  return true;
}

bool read_table(std::string_view text, const Owners& owners, SourceRef source,
                model::Machine& machine) {
  bool found = false;
  for (InterruptLines lines(text); lines.next();) {
    found = found || lines.whole();
    if (machine.interrupts.size() < most_interrupts) take(lines, owners, source, machine);
  }
  return found;
}

Reading<std::string> cpu_list(std::string_view text) {
  if (text.empty()) return Reading<std::string>::failed("the kernel gives an empty list");
  if (text.find_first_not_of("0123456789,-") != std::string_view::npos)
    return Reading<std::string>::not_reported("a list like \"0-47,96-143\"");
  return std::string(text);
}

}  // namespace

void read_interrupts(const Recording& recording, model::Machine& machine) {
  const Entry* table = recording.find("proc/interrupts");
  if (table == nullptr || table->kind == Entry::Kind::link) return;
  const SourceRef source = machine.sources.add("proc/interrupts", Trust::kernel);
  if (table->kind == Entry::Kind::refused)
    return machine.remark(model::RemarkLevel::note, "not read: " + std::string(table->bytes),
                          source);
  read_table(table->bytes, owners(recording), source, machine);
  for (model::Interrupt& interrupt : machine.interrupts)
    Attributes(recording, machine, fmt::format("proc/irq/{}", interrupt.number))
        .fill(interrupt.affinity, "smp_affinity_list", cpu_list);
}

bool interrupts_text(std::string_view text, SourceRef source, model::Machine& machine) {
  return read_table(text, {}, source, machine);
}

}  // namespace railgauge::observe
