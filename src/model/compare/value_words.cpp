#include "model/compare/value_words.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <utility>

namespace railgauge::model::comparing {
namespace {

struct Unit {
  std::string_view ending;
  std::string_view words;
};
constexpr std::array<Unit, 8> units{{{"_bytes", ""},
                                     {"_mhz", " MHz"},
                                     {"_watts", " W"},
                                     {"_celsius", " °C"},
                                     {"_percent", " %"},
                                     {"_bytes_per_second", ""},
                                     {"_megatransfers_per_second", ""},
                                     {"_seconds", " s"}}};

constexpr std::array<std::pair<std::string_view, std::string_view>, 22> names{{
    {"vbios", "VBIOS"},
    {"gsp_firmware", "GSP firmware"},
    {"numa_node", "NUMA node"},
    {"numa_affinity", "NUMA affinity"},
    {"cpu_affinity", "CPU affinity"},
    {"gpu_numa_id", "NUMA node of the memory"},
    {"numa_distances", "NUMA distances"},
    {"mtu_bytes", "MTU"},
    {"active_mtu_bytes", "active RDMA MTU"},
    {"max_mtu_bytes", "largest RDMA MTU"},
    {"bar1_bytes", "BAR1 size"},
    {"mig_enabled", "MIG"},
    {"ecc_enabled", "ECC"},
    {"acs", "ACS"},
    {"aspm", "ASPM"},
    {"iommu", "IOMMU"},
    {"cuda", "CUDA"},
    {"os", "operating system"},
    {"ofed", "OFED"},
    {"id", "PCI id"},
    {"driver", "driver"},
    {"cpus", "CPUs"},
}};

std::string short_number(double value) {
  std::array<char, 40> text{};
  std::snprintf(text.data(), text.size(), "%.1f", value);
  std::string out = text.data();
  if (out.ends_with(".0")) out.resize(out.size() - 2);
  return out;
}

std::string hex(unsigned value, int digits) {
  std::string out;
  while (digits < 8 && value >> (4 * digits) != 0) ++digits;
  while (digits-- > 0) out += "0123456789abcdef"[value >> (4 * digits) & 15];
  return out;
}

std::string with_unit(std::string_view key, std::string number) {
  for (const Unit& unit : units)
    if (key.ends_with(unit.ending)) return number + std::string(unit.words);
  return number;
}

}  // namespace

std::string fact_name(std::string_view key) {
  for (const auto& [known, name] : names)
    if (known == key) return std::string(name);
  for (const Unit& unit : units)
    if (key.ends_with(unit.ending) && key.size() > unit.ending.size()) {
      key.remove_suffix(unit.ending.size());
      break;
    }
  std::string out(key);
  std::replace(out.begin(), out.end(), '_', ' ');
  return out;
}

std::string property_name(std::string_view key, const std::string& subject) {
  const auto after = [&](std::string_view start) { return std::string(key.substr(start.size())); };
  for (const std::string_view start : {"variables.", "libraries.", "sysctls.", "kernel log."})
    if (key.starts_with(start)) return after(start);
  if (key.starts_with("services.")) return "service " + after("services.");
  if (key.starts_with("modules.")) {
    std::string module = after("modules.");
    constexpr std::string_view parameters = ".parameters.";
    if (const auto at = module.find(parameters); at != std::string::npos)
      return "parameter " + module.substr(at + parameters.size()) + " of module " +
             module.substr(0, at);
    constexpr std::string_view version = ".version";
    if (module.ends_with(version))
      return "version of module " + module.substr(0, module.size() - version.size());
    return "module " + module;
  }
  if (subject != "host") return fact_name(key) + " of " + subject;
  if (key == "driver") return "NVIDIA driver";
  if (key == "shm_bytes") return "size of /dev/shm";
  return fact_name(key);
}

std::string value_words(std::string_view, const std::string& value) {
  return value.empty() ? "nothing" : value;
}
std::string value_words(std::string_view key, bool value) {
  for (const std::string_view ending : {"_enabled", "persistence_mode", "balancing"})
    if (key.ends_with(ending)) return value ? "on" : "off";
  return value ? "yes" : "no";
}
std::string value_words(std::string_view key, int value) {
  if (key == "compute_capability")
    return std::to_string(value / 10) + "." + std::to_string(value % 10);
  return with_unit(key, std::to_string(value));
}
std::string value_words(std::string_view key, std::uint64_t value) {
  if (key.ends_with("_bytes")) return text_of_bytes(value);
  return with_unit(key, std::to_string(value));
}
std::string value_words(std::string_view key, double value) {
  return with_unit(key, short_number(value));
}
std::string value_words(std::string_view, BytesPerSecond value) { return railgauge::text(value); }
std::string value_words(std::string_view, const PciAddress& value) { return value.text(); }
std::string value_words(std::string_view, PcieSpeed value) { return value.text(); }
std::string value_words(std::string_view, DeviceKind value) {
  return std::string(model::text(value));
}
std::string value_words(std::string_view, Aspm value) { return std::string(model::text(value)); }
std::string value_words(std::string_view key, Limit value) {
  return value.unlimited() ? "unlimited" : value_words(key, *value.most);
}
std::string value_words(std::string_view, PciId value) {
  return hex(value.vendor, 4) + ":" + hex(value.device, 4);
}
std::string value_words(std::string_view, PciClass value) { return "0x" + hex(value.code, 6); }
std::string value_words(std::string_view, PciPort value) {
  switch (value) {
    case PciPort::endpoint: return "endpoint";
    case PciPort::root_port: return "root port";
    case PciPort::switch_upstream: return "upstream port";
    case PciPort::switch_downstream: return "downstream port";
    case PciPort::pci_bridge: return "PCI bridge";
    case PciPort::root_integrated: return "integrated endpoint";
  }
  return "endpoint";
}
std::string value_words(std::string_view, const AcsControl& value) {
  const std::array<std::pair<bool, const char*>, 7> bits{
      {{value.source_validation, "SrcValid"},
       {value.translation_blocking, "TransBlk"},
       {value.request_redirect, "ReqRedir"},
       {value.completion_redirect, "CmpltRedir"},
       {value.upstream_forwarding, "UpstreamFwd"},
       {value.egress_control, "EgressCtrl"},
       {value.direct_translated, "DirectTrans"}}};
  std::string out;
  for (const auto& [set, name] : bits)
    if (set) out += (out.empty() ? "" : " ") + std::string(name);
  return out.empty() ? "off" : out;
}
std::string value_words(std::string_view, const std::vector<int>& value) {
  std::string out;
  for (const int one : value) out += (out.empty() ? "" : " ") + std::to_string(one);
  return out.empty() ? "nothing" : out;
}
std::string value_words(std::string_view, const std::vector<std::string>& value) {
  std::string out;
  for (const std::string& one : value) out += (out.empty() ? "" : ", ") + one;
  return out.empty() ? "nothing" : out;
}

std::string list_words(const std::vector<std::string>& words, std::size_t most) {
  const std::size_t shown = words.size() <= most ? words.size() : most - 1;
  std::string out;
  for (std::size_t i = 0; i < shown; ++i) {
    const bool last = i + 1 == words.size() && words.size() > 1;
    out += (i == 0 ? "" : last ? " and " : ", ") + words[i];
  }
  if (shown < words.size()) out += " and " + std::to_string(words.size() - shown) + " more";
  return out;
}

}  // namespace railgauge::model::comparing
