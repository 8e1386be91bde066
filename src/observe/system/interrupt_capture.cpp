#include <fmt/format.h>

#include <set>

#include "base/strings.h"
#include "observe/sysfs/copy.h"
#include "observe/system/interrupt_lines.h"
#include "observe/system/interrupts.h"

namespace railgauge::observe {
namespace {

// 2048 CPUs times 1500 interrupts. A longer table would not help anybody.
constexpr std::size_t table_bytes = 32 << 20;
// Eight adapters with an interrupt for each of 512 CPUs, and what else there is.
constexpr std::size_t most_interrupts = 8192;
constexpr std::size_t most_functions = 16384;

void capture_table(const Root& root, Recording& recording) {
  const auto proc = Directory::open(root.prefix / "proc");
  if (!proc) return;
  auto text = proc->read_start("interrupts", table_bytes + 1);
  if (text && text->size() > table_bytes)
    return recording.add_refused("proc/interrupts", "larger than 32 MiB");
  keep(std::move(text), "proc/interrupts", recording);
}

// "../../../devices/pci0000:15/0000:15:01.0" is sys/devices/pci0000:15/0000:15:01.0.
std::string real_path(std::string_view target) {
  const auto start = target.find("devices/");
  if (start == std::string_view::npos || contains(target.substr(start), "..")) return {};
  return "sys/" + std::string(target.substr(start));
}

// Network adapters, displays and accelerators, by the kernel's "0x020000".
bool is_gpu_or_nic(std::string_view pci_class) {
  const auto code = parse_hex(trim(pci_class));
  if (!code || *code > 0xffffff) return false;
  const model::PciClass kind{static_cast<std::uint32_t>(*code)};
  return kind.is_network() || kind.is_display() || kind.is_accelerator();
}

void capture_function(const Directory& devices, const std::string& name, std::set<int>& numbers,
                      Recording& recording) {
  const auto target = devices.link(name);
  const std::string path = target ? real_path(*target) : "";
  if (path.empty()) return;
  const Entry* known = recording.find(path + "/class");
  const std::string pci_class =
      known != nullptr ? std::string(known->bytes) : devices.read(name + "/class").value_or("");
  if (!is_gpu_or_nic(pci_class)) return;
  const auto interrupts = devices.through(name + "/msi_irqs");
  if (!interrupts) return;
  for (const auto& file : interrupts->names()) {
    const auto number = parse_int(file);
    if (!number || *number < 0 || *number > 1 << 24 || numbers.size() >= most_interrupts) continue;
    numbers.insert(static_cast<int>(*number));
    recording.add_file(path + "/msi_irqs/" + file, "");
  }
}

void capture_owners(const Root& root, std::set<int>& numbers, Recording& recording) {
  const auto devices = Directory::open(root.prefix / "sys/bus/pci/devices");
  if (!devices) return;
  std::size_t count = 0;
  for (const auto& name : devices->names())
    if (++count <= most_functions) capture_function(*devices, name, numbers, recording);
}

}  // namespace

void capture_interrupts(const Root& root, Recording& recording) {
  std::set<int> numbers;
  capture_owners(root, numbers, recording);
  capture_table(root, recording);
  const Entry* table = recording.find("proc/interrupts");
  if (table != nullptr && table->kind == Entry::Kind::file)
    for (InterruptLines lines(table->bytes); lines.next() && numbers.size() < most_interrupts;)
      if (is_gpu_or_nic_label(lines.label())) numbers.insert(lines.number());
  const auto irq = Directory::open(root.prefix / "proc/irq");
  if (!irq) return;
  for (const int number : numbers)
    copy_file(*irq, fmt::format("{}/smp_affinity_list", number), "proc/irq", recording);
}

void sample_interrupts(const Root& root, Recording& sample) { capture_table(root, sample); }

}  // namespace railgauge::observe
