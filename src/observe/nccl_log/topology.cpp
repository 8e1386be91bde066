// NCCL's own topology, which the subsystem GRAPH prints:
//   + PCI[0.2] - PCI/0-65000 (104c823200000000)
//   GPU/0-26000 :GPU/0-26000 (0/5000.0/LOC) GPU/0-41000 (3/16.0/SYS) CPU/0-2 (1/24.0/PHB)
// Older versions leave the number of the system out: "GPU/1B000".
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/nccl_log/bus_id.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 2> words{"GPU/", "+ PCI["};
constexpr std::size_t paths_max = 4096;  // of one line

// "GPU/0-26000" of this system; the other systems of an NVLink domain have other numbers.
std::optional<model::PciAddress> gpu_at(std::string_view word) {
  if (!word.starts_with("GPU/")) return std::nullopt;
  word.remove_prefix(4);
  if (const auto dash = word.find('-'); dash != std::string_view::npos) {
    if (word.substr(0, dash) != "0") return std::nullopt;
    word.remove_prefix(dash + 1);
  }
  return bus_id(word);
}

bool take_paths(const NcclLine& line, RunBuilder& run) {
  const auto words_of_line = split_blank(line.text.substr(0, 1u << 16));
  if (words_of_line.size() < 3 || !contains(line.text, " :")) return false;
  const auto from = gpu_at(words_of_line[0]);
  if (!from) return false;
  for (std::size_t i = 1; i + 1 < words_of_line.size() && i < paths_max; i += 2) {
    std::string_view name = words_of_line[i];
    if (name.front() == ':') name.remove_prefix(1);
    const auto to = gpu_at(name);
    if (!to || *to == *from) continue;
    const auto parts = split(until(words_of_line[i + 1].substr(1), ")"), '/');
    if (parts.size() != 3) continue;
    const auto rate = parse_double(parts[1]);
    if (!rate || *rate < 0) continue;
    run.path({*from, *to, event_text(parts[2].substr(0, 8)), *rate, run.here(line)});
  }
  return true;
}

bool take_pci(const NcclLine& line, RunBuilder& run) {
  const auto rate = after(line.text, "+ PCI[");
  if (!rate) return false;
  const auto value = parse_double(until(*rate, "]"));
  if (!value || *value < 0) return false;
  auto& narrowest = run.run.narrowest_pci;
  if (!narrowest || *value < *narrowest) {
    narrowest = {};
    narrowest.claim(*value, run.here(line));
  }
  return true;
}

bool take(const NcclLine& line, RunBuilder& run) {
  return line.text.starts_with("GPU/") ? take_paths(line, run) : take_pci(line, run);
}

}  // namespace

Statement topology_statement() { return {words, take}; }

}  // namespace railgauge::observe
