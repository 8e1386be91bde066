#include <fmt/format.h>

#include <map>

#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Machine;

// "8× H100 80GB HBM3", most frequent order not needed: as first met.
std::string count_names(const Machine& machine, const std::vector<DeviceId>& ids) {
  std::vector<std::pair<std::string, std::size_t>> counts;
  for (DeviceId id : ids) {
    std::string name = short_name(machine[id]);
    if (name.empty()) continue;
    auto at = counts.begin();
    while (at != counts.end() && at->first != name) ++at;
    if (at == counts.end())
      counts.emplace_back(std::move(name), 1);
    else
      ++at->second;
  }
  std::vector<std::string> parts;
  for (const auto& [name, count] : counts) parts.push_back(fmt::format("{}× {}", count, name));
  return fmt::format("{}", fmt::join(parts, ", "));
}

// "8 GPUs: 8× H100 80GB HBM3"; the names are those of the kind that was counted.
std::vector<Span> counts(const Machine& machine) {
  const auto words = count_words(machine);
  std::vector<Span> out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    // CPUs or NUMA nodes come first where any are known, then GPUs and NICs.
    const std::size_t from_end = words.size() - i;
    const DeviceKind kind = from_end == 1   ? DeviceKind::nic
                            : from_end == 2 ? DeviceKind::gpu
                                            : DeviceKind::package;
    const std::string names = count_names(machine, machine.of_kind(kind));
    out.push_back({words[i] + (names.empty() ? "" : ": " + names)});
  }
  return out;
}

void add_fact(std::vector<Span>& out, std::string_view what, const model::Fact<std::string>& fact) {
  if (fact) out.push_back({fmt::format("{} {}", what, clean(*fact)), Ink::dim});
}

}  // namespace

void write_header(TreeContext& tree) {
  const Machine& machine = tree.machine;
  const auto& host = machine.host;
  const std::string name = clean(host.hostname.value_or(machine.name));
  std::vector<Span> title;
  if (!name.empty()) title.push_back({name, Ink::bold});
  if (host.product) title.push_back({clean(*host.product), Ink::bold});
  if (title.empty()) title.push_back({"machine", Ink::bold});
  tree.page.flow({}, {{"  "}}, title);

  if (!machine.devices.empty()) tree.page.flow({}, {{"  "}}, counts(machine));

  std::vector<Span> software;
  add_fact(software, "driver", host.driver);
  add_fact(software, "CUDA", host.cuda);
  add_fact(software, "kernel", host.kernel);
  if (host.hypervisor && *host.hypervisor != "none")
    add_fact(software, "hypervisor", host.hypervisor);
  if (!software.empty()) tree.page.flow({}, {{"  "}}, software);
}

}  // namespace railgauge::present
