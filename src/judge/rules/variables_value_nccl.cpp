// Values with a grammar of NCCL's own: path levels, lists of algorithms, adapters, interfaces.
#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/strings.h"
#include "judge/rules/variables_value.h"

namespace railgauge::judge {
namespace {

using model::NcclVersion;

constexpr std::string_view levels = "LOC|NVL|NVB|C2C|PIX|PXB|P2C|PXN|PHB|SYS";
constexpr std::string_view algorithms =
    "Tree|Ring|CollnetDirect|CollnetChain|NVLS|NVLSTree|PAT|CollNet";
constexpr std::string_view protocols = "LL|LL128|Simple";
constexpr std::string_view functions = "Broadcast|Reduce|AllGather|ReduceScatter|AllReduce";
constexpr NcclVersion strict_lists{2, 24, 0};

bool among(std::string_view word, std::string_view words, bool any_case) {
  const auto all = split(words, '|');
  return std::any_of(all.begin(), all.end(), [&](std::string_view one) {
    return any_case ? equal_nocase(one, word) : one == word;
  });
}

// ncclGetLevel() of NCCL's graph/paths.cc: a word of the path table, or a digit in front.
std::optional<ValueFault> level_fault(std::string_view value) {
  if (among(value, levels, false) || is_digit(value.front())) return std::nullopt;
  ValueFault fault{
      fmt::format("{} is no level: NCCL passes it over without a message", quoted(value)), {}};
  if (equal_nocase(value, "NODE"))
    fault.instead = "PHB";  // a word of nvidia-smi
  else if (starts_with_nocase(value, "NV"))
    fault.instead = "NVL";
  else
    fault.instead = nearest_word(value, levels);
  return fault;
}

// "ring,tree", "^LL128", from 2.24 "allreduce:tree,ring;allgather:ring".
std::optional<ValueFault> list_fault(std::string_view value, std::string_view words,
                                     const std::optional<NcclVersion>& nccl) {
  const bool strict = !nccl || *nccl >= strict_lists;
  for (std::string_view part : split(value, ';')) {
    if (const auto colon = part.find(':'); colon != std::string_view::npos) {
      const std::string_view function = trim(part.substr(0, colon));
      if (!among(function, functions, true))
        return ValueFault{fmt::format("{} is no collective of this list", quoted(function)),
                          nearest_word(function, functions), strict};
      part = part.substr(colon + 1);
    }
    part = trim(part);
    if (part.starts_with('^')) part.remove_prefix(1);
    for (const std::string_view one : split(part, ',')) {
      const std::string_view word = trim(one);
      if (word.empty() || among(word, words, true)) continue;
      return ValueFault{
          fmt::format("{} is none of {}", quoted(word),
                      fmt::join(split(words.substr(0, words.rfind("|CollNet")), '|'), ", ")),
          nearest_word(word, words), strict};
    }
  }
  return std::nullopt;
}

// "^mlx5_0:1,mlx5_1", "=eth0": names of letters, digits and a few signs.
std::optional<ValueFault> names_fault(std::string_view value, std::string_view what) {
  if (value.starts_with('^')) value.remove_prefix(1);
  if (value.starts_with('=')) value.remove_prefix(1);
  for (const std::string_view one : split(value, ',')) {
    const std::string_view name = trim(one).substr(0, trim(one).find(':'));
    if (name.starts_with('=') || name.starts_with('^'))
      return ValueFault{"\"^\" and \"=\" stand in front of the whole list only", {}};
    const bool odd = std::any_of(name.begin(), name.end(), [](char c) {
      return !is_letter(c) && !is_digit(c) && std::string_view("_-.@").find(c) == std::string::npos;
    });
    if (odd && contains(name, "*"))
      return ValueFault{fmt::format("{} has no pattern: each name is a prefix already", what),
                        std::string(value.substr(0, value.find('*')))};
    if (odd) return ValueFault{fmt::format("{} is no name of {}", quoted(name), what), {}};
  }
  return std::nullopt;
}

std::optional<ValueFault> network_fault(std::string_view value) {
  for (const char* wrong : {"RDMA", "InfiniBand", "RoCE", "verbs", "mlx5"})
    if (equal_nocase(value, wrong))
      return ValueFault{fmt::format("{} is no network of NCCL", quoted(value)), "IB", true};
  for (const char* wrong : {"TCP", "Ethernet", "eth", "sockets"})
    if (equal_nocase(value, wrong))
      return ValueFault{fmt::format("{} is no network of NCCL", quoted(value)), "Socket", true};
  return std::nullopt;
}

std::optional<ValueFault> cidr_fault(std::string_view value) {
  const auto slash = value.find('/');
  const auto bits =
      slash == std::string_view::npos ? std::nullopt : parse_int(value.substr(slash + 1));
  if (bits && *bits >= 0 && *bits <= 128 && (contains(value, ".") || contains(value, ":")))
    return std::nullopt;
  return ValueFault{fmt::format("{} is no network such as 10.1.0.0/16", quoted(value)), {}};
}

}  // namespace

std::optional<ValueFault> nccl_fault(std::string_view form, std::string_view value,
                                     const std::optional<NcclVersion>& nccl) {
  value = trim(value);
  if (value.empty()) return std::nullopt;
  if (form == "level") return level_fault(value);
  if (form == "nccl_algo") return list_fault(value, algorithms, nccl);
  if (form == "nccl_proto") return list_fault(value, protocols, nccl);
  if (form == "nccl_net") return network_fault(value);
  if (form == "ib_hca") return names_fault(value, "an adapter");
  if (form == "ifname") return names_fault(value, "an interface");
  if (form == "cidr") return cidr_fault(value);
  if (form == "xml_path" &&
      (value.ends_with(".json") || value.ends_with(".yaml") || value.ends_with(".txt")))
    return ValueFault{fmt::format("{} is no XML file, which is all that NCCL reads", quoted(value)),
                      {}};
  return std::nullopt;
}

}  // namespace railgauge::judge
