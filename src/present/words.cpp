#include "present/words.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <optional>

#include "base/strings.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;
using model::Link;
using model::LinkKind;
using model::Machine;

// Rates closer than this are the same rate, rounded differently by two sources.
constexpr double same_rate = 0.995;

std::string pcie_shape(const Link& link) {
  std::string out;
  if (link.width) {
    out = fmt::format("x{}", *link.width);
    if (link.width_possible && *link.width_possible > *link.width)
      out += fmt::format(" of x{}", *link.width_possible);
  }
  if (link.speed) {
    if (!out.empty()) out += ' ';
    out += link.speed->text();
    if (link.speed_possible && *link.speed_possible > *link.speed)
      out += " of " + link.speed_possible->text();
  }
  return out;
}

std::string bond_shape(const Link& link, std::string_view word) {
  std::string out;
  if (link.width) {
    out = fmt::format("{}", *link.width);
    if (link.width_possible && *link.width_possible > *link.width)
      out += fmt::format(" of {}", *link.width_possible);
    out += "× ";
  }
  out += word;
  if (link.version) out += fmt::format("{}", *link.version);
  return out;
}

std::string shape_words(const Link& link) {
  switch (link.kind) {
    case LinkKind::pcie: return pcie_shape(link);
    case LinkKind::nvlink: return bond_shape(link, "NVLink");
    case LinkKind::xgmi: return bond_shape(link, "xGMI");
    case LinkKind::c2c: return bond_shape(link, "C2C");
    case LinkKind::socket: return bond_shape(link, "socket link");
    case LinkKind::mesh: return "on-die mesh";
    case LinkKind::internal: return "";
  }
  return "";
}

// A board sold with more than its slot, guest or file gives is the platform's limit, no trouble of
// the link.
template <class T>
bool by_the_board_only(const model::Fact<T>& possible) {
  return possible.source().trust == model::Trust::catalogue;
}

bool is_degraded(const Link& link) {
  const bool narrow = link.width && link.width_possible && *link.width < *link.width_possible;
  const bool slow = link.speed && link.speed_possible && *link.speed < *link.speed_possible;
  if (link.kind == LinkKind::pcie)
    return (narrow && !by_the_board_only(link.width_possible)) ||
           (slow && !by_the_board_only(link.speed_possible));
  if (narrow || slow) return true;
  return link.as_found && link.nominal && link.as_found->value < link.nominal->value * same_rate;
}

}  // namespace

std::string clean(std::string_view text) {
  std::string out = valid_utf8(strip_terminal_codes(text));
  for (char& c : out)
    if (c == '\n' || c == '\t' || c == '\x7f') c = ' ';
  return out;
}

std::string EdgeWords::text() const {
  if (!rate.empty()) return shape.empty() ? rate : shape + " " + rate;
  if (why.empty()) return shape;
  return (shape.empty() ? std::string() : shape + ", ") + "rate unknown: " + why;
}

std::string rate_words(const Reading<BytesPerSecond>& as_found,
                       const Reading<BytesPerSecond>& nominal) {
  if (!as_found) return "";
  const std::string found = text(*as_found);
  if (!nominal || as_found->value >= nominal->value * same_rate) return found;
  const std::string possible = text(*nominal);
  const auto unit = found.find(' ');
  const bool same_unit =
      unit != std::string::npos && possible.find(found.substr(unit)) != std::string::npos;
  return (same_unit ? found.substr(0, unit) : found) + " of " + possible;
}

EdgeWords edge_words(const Link& link) {
  EdgeWords out;
  out.shape = shape_words(link);
  out.rate = rate_words(link.as_found, link.nominal);
  // What is inside a chip has no rate of its own that could be missing.
  if (!link.as_found && link.kind != LinkKind::internal) out.why = clean(link.as_found.why());
  if (is_degraded(link))
    out.health = Health::degraded;
  else
    out.health = link.as_found ? Health::good : Health::unknown;
  out.inferred = is_inferred(link.source) || link.width.inferred() || link.speed.inferred();
  return out;
}

bool is_inferred(model::SourceRef source) {
  return source.index != 0 && source.trust <= model::Trust::inferred;
}

bool is_inferred(const Device& device) { return is_inferred(device.seen_in); }

std::string id_of(const Machine& machine, DeviceId id) {
  std::string out = clean(machine[id].id);
  return out.empty() ? fmt::format("{}#{}", text(machine[id].kind), id.value) : out;
}

std::string short_name(const Device& device) {
  if (!device.name) {
    if (device.cpu && device.cpu->model_name) return clean(trim(*device.cpu->model_name));
    return "";
  }
  std::string name = clean(trim(*device.name));
  // pci.ids writes the product in brackets: "MT2910 Family [ConnectX-7]".
  if (const auto open = name.find('['); open != std::string::npos) {
    const auto close = name.find(']', open);
    if (close != std::string::npos && close > open + 1)
      return name.substr(open + 1, close - open - 1);
  }
  static constexpr std::array<std::string_view, 6> makers{
      "NVIDIA Corporation ",           "NVIDIA ", "Mellanox Technologies ", "Broadcom / LSI ",
      "Advanced Micro Devices, Inc. ", "AMD "};
  for (std::string_view maker : makers)
    if (name.size() > maker.size() && starts_with_nocase(name, maker))
      return name.substr(maker.size());
  return name;
}

std::string address_of(const Device& device) {
  return device.address ? device.address->text() : std::string();
}

std::string short_address(const Device& device) {
  if (!device.address) return "";
  const std::string full = device.address->text();
  return device.address->domain == 0 ? full.substr(5) : full;
}

std::string port_words(const model::NicPort& port) {
  std::string out;
  const auto add = [&](const std::string& part) {
    if (!out.empty() && !part.empty()) out += ' ';
    out += part;
  };
  if (port.state) add(clean(*port.state));
  if (port.rate) add(text(*port.rate));
  if (port.link_layer) add(clean(*port.link_layer));
  return out;
}

std::string plural(std::size_t count, std::string_view one, std::string_view many) {
  return fmt::format("{} {}", count, count == 1 ? one : many);
}

std::vector<std::string> count_words(const Machine& machine) {
  std::vector<std::string> out;
  const auto packages = machine.of_kind(DeviceKind::package).size();
  const auto nodes = machine.of_kind(DeviceKind::numa_node).size();
  if (packages > 0)
    out.push_back(plural(packages, "CPU", "CPUs"));
  else if (nodes > 0)
    out.push_back(plural(nodes, "NUMA node", "NUMA nodes"));
  const auto gpus = machine.of_kind(DeviceKind::gpu).size();
  out.push_back(gpus > 0 ? plural(gpus, "GPU", "GPUs") : "no GPUs listed");
  const auto nics = machine.of_kind(DeviceKind::nic).size();
  out.push_back(nics > 0 ? plural(nics, "NIC", "NICs") : "no NICs listed");
  return out;
}

namespace {

// "gpu12" is ("gpu", 12); "rdmap79s0" counts at its end only, which says nothing of its neighbours.
std::optional<std::pair<std::string, std::int64_t>> numbered(const std::string& id) {
  const std::size_t last = id.find_last_not_of("0123456789");
  if (last == std::string::npos || last + 1 == id.size()) return std::nullopt;
  const auto number = parse_int(std::string_view(id).substr(last + 1));
  if (!number) return std::nullopt;
  return std::pair{id.substr(0, last + 1), *number};
}

bool follows(const std::string& id, const std::string& before) {
  const auto a = numbered(before);
  const auto b = numbered(id);
  // Names that do not count the same way are no evidence of a gap.
  return !a || !b || a->first != b->first || b->second == a->second + 1;
}

}  // namespace

std::string range_words(const Machine& machine, const std::vector<DeviceId>& ids) {
  constexpr std::size_t most_parts = 6;
  std::vector<std::string> parts;
  for (std::size_t i = 0; i < ids.size();) {
    std::size_t end = i + 1;
    while (end < ids.size() && follows(id_of(machine, ids[end]), id_of(machine, ids[end - 1])))
      ++end;
    const std::string first = id_of(machine, ids[i]);
    if (end - i > 2) {
      parts.push_back(first + "…" + id_of(machine, ids[end - 1]));
    } else {
      end = i + 1;
      parts.push_back(first);
    }
    i = end;
  }
  if (parts.size() > most_parts) {
    parts.erase(parts.begin() + 2, parts.end() - 1);
    parts[1] = "…";
  }
  std::string out;
  for (const std::string& part : parts) out += (out.empty() ? "" : ", ") + part;
  return out;
}

std::string short_range(const Machine& machine, const std::vector<DeviceId>& ids) {
  if (ids.size() < 3) return range_words(machine, ids);
  const auto digit = [](char c) { return c >= '0' && c <= '9'; };
  const std::string first = id_of(machine, ids.front());
  const std::string last = id_of(machine, ids.back());
  const std::size_t most = std::min(first.size(), last.size());
  // What both begin and end with, whole numbers only.
  std::size_t head = 0;
  while (head < most && first[head] == last[head]) ++head;
  while (head > 0 && digit(first[head - 1])) --head;
  std::size_t tail = 0;
  while (tail < most - head && first[first.size() - tail - 1] == last[last.size() - tail - 1])
    ++tail;
  while (tail > 0 && digit(first[first.size() - tail])) --tail;
  if (head == 0 || last.size() == head + tail) return first + "…" + last;
  return first.substr(0, first.size() - tail) + "…" + last.substr(head);
}

std::string lost_nvlinks(const Machine& machine, DeviceId gpu) {
  const auto& ports = machine[gpu].gpu->nvlinks;
  const auto down = [](const model::NvLinkPort& port) { return port.active && !*port.active; };
  if (ports.empty() || !std::all_of(ports.begin(), ports.end(), down)) return "";
  const bool others = std::any_of(machine.links.begin(), machine.links.end(),
                                  [](const Link& link) { return link.kind == LinkKind::nvlink; });
  return others ? fmt::format("0 of {} NVLinks", ports.size()) : "";
}

std::vector<DeviceId> endpoints(const Machine& machine, DeviceKind kind) {
  std::vector<DeviceId> out = machine.of_kind(kind);
  const auto number = [&](DeviceId id) {
    return machine[id].index.value_or(std::numeric_limits<int>::max());
  };
  std::stable_sort(out.begin(), out.end(),
                   [&](DeviceId a, DeviceId b) { return number(a) < number(b); });
  return out;
}

}  // namespace railgauge::present
