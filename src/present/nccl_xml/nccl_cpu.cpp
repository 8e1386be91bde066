#include <fmt/format.h>

#include <vector>

#include "base/strings.h"
#include "present/nccl_xml/nccl_elements.h"

namespace railgauge::present {
namespace {

using model::CpuFacts;

template <class T>
std::optional<std::string> decimal(const model::Fact<T>& fact) {
  return fact ? std::optional<std::string>(fmt::format("{}", *fact)) : std::nullopt;
}

// The node's own word, else that of the package around it.
template <class T>
const model::Fact<T>& of_node_or_package(const model::Machine& machine, model::DeviceId node,
                                         model::Fact<T> CpuFacts::*member) {
  const model::Fact<T>* fact = &((*machine[node].cpu).*member);
  for (const model::DeviceId up : model::ancestry(machine, node))
    if (!fact->known() && machine[up].cpu) fact = &((*machine[up].cpu).*member);
  return *fact;
}

// NCCL's familyid is family + (extended family << 4): 25 becomes 15 + (10 << 4) = 175.
int nccl_family(int family) { return family > 0xf ? 0xf + ((family - 0xf) << 4) : family; }

std::string_view without_zeros(std::string_view mask) {
  while (mask.size() > 1 && (mask.front() == '0' || mask.front() == ',')) mask.remove_prefix(1);
  return mask;
}

// The text of the file where it says the same CPUs, so that leading groups survive.
std::optional<std::string> affinity(const model::Device& node) {
  const std::string* text = stated(node, "affinity");
  const auto mask = node.cpu->cpus ? mask_of_cpu_list(*node.cpu->cpus) : std::nullopt;
  if (!mask) return text ? std::optional<std::string>(*text) : std::nullopt;
  if (text && without_zeros(lower(*text)) == without_zeros(*mask)) return *text;
  return mask;
}

}  // namespace

std::optional<std::string> mask_of_cpu_list(std::string_view list) {
  constexpr std::int64_t most_cpus = 16384;
  std::vector<std::uint32_t> groups(1, 0);
  if (trim(list).empty()) return "00000000";
  for (const std::string_view part : split(list, ',')) {
    const auto ends = split(part, '-');
    const auto first = parse_int(ends.front());
    const auto last = parse_int(ends.back());
    if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first || *last >= most_cpus)
      return std::nullopt;
    for (auto cpu = static_cast<std::uint32_t>(*first); cpu <= *last; ++cpu) {
      if (cpu / 32 >= groups.size()) groups.resize(cpu / 32 + 1, 0);
      groups[cpu / 32] |= 1u << cpu % 32;
    }
  }
  std::string out;
  for (auto it = groups.rbegin(); it != groups.rend(); ++it)
    out += fmt::format("{}{:08x}", out.empty() ? "" : ",", *it);
  return out;
}

XmlAttributes cpu_attributes(const model::Machine& machine, model::DeviceId id) {
  const model::Device& node = machine[id];
  XmlAttributes out;
  if (const std::string* host = stated(node, "host_hash")) out.emplace_back("host_hash", *host);
  add_attribute(out, "numaid", node, decimal(node.index));
  if (!node.index && !stated(node, "numaid")) out.emplace_back("numaid", "-1");
  if (const auto mask = affinity(node)) out.emplace_back("affinity", *mask);
  auto arch = of_node_or_package(machine, id, &CpuFacts::architecture).value_or("");
  if (arch == "aarch64") arch = "arm64";
  if (!arch.empty()) out.emplace_back("arch", arch);
  const auto& vendor = of_node_or_package(machine, id, &CpuFacts::vendor);
  const auto& family = of_node_or_package(machine, id, &CpuFacts::family);
  if (const std::string* text = stated(node, "vendor")) {
    out.emplace_back("vendor", *text);
  } else if (vendor) {
    // Zhaoxin's CPUs pad the name with blanks and NCCL compares all of it.
    out.emplace_back("vendor", *vendor == "Shanghai" ? "  Shanghai  " : *vendor);
  }
  if (const std::string* text = stated(node, "familyid")) {
    out.emplace_back("familyid", *text);
  } else if (family) {
    const bool from_file = family.source().trust == model::Trust::file;
    out.emplace_back("familyid", fmt::format("{}", from_file ? *family : nccl_family(*family)));
  }
  add_attribute(out, "modelid", node, decimal(of_node_or_package(machine, id, &CpuFacts::model)));
  return out;
}

}  // namespace railgauge::present
