#include <algorithm>

#include "observe/sysfs/attributes.h"
#include "observe/system/host.h"
#include "observe/system/mixture.h"
#include "observe/system/sysctl_names.h"

namespace railgauge::observe {
namespace {

using model::Trust;

constexpr std::size_t most_kinds = 32;  // of governors or domains; the kernel has under ten

// The values of DIRECTORY/*/NAME as one text.
void fill_mixture(const Recording& recording, const std::string& directory, const std::string& name,
                  model::Fact<std::string>& fact, model::Machine& machine) {
  Tally tally;
  for (const auto& entry : recording.list(directory)) {
    const auto value = recording.text(directory + "/" + entry + "/" + name);
    if (value && !value->empty() && value->size() <= 64 && tally.size() < most_kinds)
      ++tally[valid_utf8(*value)];
  }
  if (!tally.empty()) fact.claim(mixture(tally), machine.sources.add(directory, Trust::kernel));
}

void read_iommu(const Recording& recording, model::Machine& machine) {
  fill_mixture(recording, "sys/kernel/iommu_groups", "type", machine.host.iommu, machine);
  if (machine.host.iommu) return;
  // Kernels before 5.11 do not say which kind of domain a group has.
  Attributes(recording, machine, "system")
      .fill(machine.host.iommu, "iommu-groups.txt", [](std::string_view text) {
        const auto groups = count(text);
        if (!groups) return Reading<std::string>::not_reported("the number of IOMMU groups");
        return Reading<std::string>(*groups == 0 ? "off" : "on");
      });
}

// "hugepages-2048kB" is 2 MiB.
std::uint64_t page_bytes(std::string_view name) {
  constexpr std::string_view start = "hugepages-";
  if (!name.starts_with(start) || !name.ends_with("kB")) return 0;
  const auto kib = parse_int(name.substr(start.size(), name.size() - start.size() - 2));
  constexpr std::int64_t largest_kib = 1 << 28;  // 256 GiB; the largest page there is has 16 GiB
  return kib && *kib > 0 && *kib <= largest_kib ? static_cast<std::uint64_t>(*kib) * 1024 : 0;
}

void fill_pages(const Recording& recording, const std::string& name,
                model::Fact<std::uint64_t>& fact, model::Machine& machine) {
  const std::string directory = "sys/kernel/mm/hugepages";
  std::uint64_t bytes = 0;
  bool known = false;
  for (const auto& size : recording.list(directory)) {
    const auto pages = recording.text(directory + "/" + size + "/" + name);
    const auto number = pages ? count(*pages) : Reading<int>();
    if (!number || page_bytes(size) == 0) continue;
    bytes += page_bytes(size) * static_cast<std::uint64_t>(*number);
    known = true;
  }
  if (known) fact.claim(bytes, machine.sources.add(directory, Trust::kernel));
}

void read_sysctls(const Recording& recording, model::Machine& machine) {
  Attributes values(recording, machine, "proc/sys");
  for (const auto path : sysctl_names) {
    if (path == "kernel/numa_balancing" || !values.has(std::string(path))) continue;
    std::string name(path);
    std::replace(name.begin(), name.end(), '/', '.');
    values.fill(machine.host.sysctls[name], std::string(path), [](std::string_view text) {
      // "4096\t131072\t6291456" has tabs between its numbers.
      std::string words;
      for (const auto word : split_blank(text.substr(0, 1024)))
        words += (words.empty() ? "" : " ") + valid_utf8(word);
      return plain_text(words);
    });
  }
}

}  // namespace

void read_many(const Recording& recording, model::Machine& machine) {
  fill_mixture(recording, "sys/devices/system/cpu/cpufreq", "scaling_governor",
               machine.host.cpu_governor, machine);
  read_iommu(recording, machine);
  fill_pages(recording, "nr_hugepages", machine.host.huge_pages_bytes, machine);
  fill_pages(recording, "free_hugepages", machine.host.huge_pages_free_bytes, machine);
  read_sysctls(recording, machine);
}

}  // namespace railgauge::observe
