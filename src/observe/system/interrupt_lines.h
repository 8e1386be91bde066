// The lines of /proc/interrupts, one at a time, without looking at the counts that nobody asks for:
// a table of 256 CPUs and 2000 interrupts is 5 MB, of which few lines belong to GPUs and NICs.
//   for (InterruptLines lines(text); lines.next();)
//     if (wanted(lines.label())) lines.for_each_count([](int cpu, std::uint64_t taken) {…});
// Only interrupts with a number are given: NMI, LOC and their like belong to no device.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "model/pci.h"

namespace railgauge::observe {

class InterruptLines {
 public:
  explicit InterruptLines(std::string_view text) : lines_(text) {}
  bool next();

  std::uint32_t line() const { return lines_.number(); }
  int number() const { return number_; }
  // Who takes it: "mlx5_comp3@pci:0000:18:00.0", "nvidia", "eth0-TxRx-1, eth1-TxRx-1".
  std::string_view label() const { return label_; }
  // What stands between counts and label, and the label: newer kernels name the device here
  // ("PCI-MSIX-0000:00:05.0").
  std::string_view tail() const { return tail_; }
  // Whether every CPU of the header has its count, as far as that was looked at.
  bool whole() const { return whole_; }

  // Calls take(cpu, count) for every CPU that took at least one; whether every CPU had its count.
  template <class Take>
  bool for_each_count(Take&& take) const {
    std::string_view rest = counts_;
    for (const int cpu : cpus_) {
      const auto count = next_number(rest);
      if (!count) return false;
      if (*count != 0) take(cpu, *count);
    }
    return true;
  }

 private:
  static std::optional<std::uint64_t> next_number(std::string_view& rest);
  bool read_header(std::string_view line);
  bool skip_counts(std::string_view& rest) const;  // up to the first word that is no count
  bool read_line(std::string_view line);

  LineCursor lines_;
  std::vector<int> cpus_;  // by column; CPUs that are offline have none
  int number_ = 0;
  std::string_view counts_;
  std::string_view tail_;
  std::string_view label_;
  bool whole_ = false;
};

// The first address of a PCI function in the text: "0000:18:00.0".
std::optional<model::PciAddress> pci_address_in(std::string_view text);

// Whether the label is one of a GPU's or a network adapter's driver, judged by its words alone.
bool is_gpu_or_nic_label(std::string_view label);

}  // namespace railgauge::observe
