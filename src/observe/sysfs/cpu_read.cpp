#include "observe/sysfs/cpu_read.h"

#include <fmt/format.h>

#include <map>
#include <optional>
#include <vector>

#include "observe/sysfs/attributes.h"
#include "observe/sysfs/cpu_names.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Machine;
using model::SourceRef;
using model::Trust;

constexpr std::uint32_t max_cpuinfo_lines = 256;
constexpr std::size_t max_nodes = 1024;

Reading<std::string> cpulist(std::string_view text) {
  if (text.find_first_not_of("0123456789,-") != std::string_view::npos || text.size() > 65536)
    return Reading<std::string>::not_reported("a list like \"0-47,96-143\"");
  return std::string(text);  // an empty list is a fact: memory without CPUs
}

Reading<std::vector<int>> distances(std::string_view text) {
  std::vector<int> out;
  for (const auto word : split_blank(text)) {
    const auto value = count(word);
    if (!value || out.size() == max_nodes)
      return Reading<std::vector<int>>::not_reported("distances like \"10 21\"");
    out.push_back(*value);
  }
  if (out.empty()) return Reading<std::vector<int>>::not_reported("distances like \"10 21\"");
  return out;
}

// "Node 0 MemTotal:  1056471812 kB", where kB means KiB.
Reading<std::uint64_t> memory_total(std::string_view text) {
  for (LineCursor lines(text); lines.next() && lines.number() < 64;) {
    const auto words = split_blank(lines.line());
    if (words.size() < 5 || words[2] != "MemTotal:" || words[4] != "kB") continue;
    if (const auto kib = parse_int(words[3]); kib && *kib >= 0 && *kib < INT64_MAX / 1024)
      return static_cast<std::uint64_t>(*kib) * 1024;
  }
  return Reading<std::uint64_t>::not_reported("a line like \"Node 0 MemTotal: 1024 kB\"");
}

Reading<int> package_number(std::string_view text) {
  if (text == "-1") return Reading<int>::failed("the kernel says -1: the firmware gave no package");
  return count(text);
}

// Packages by number, made when the first of their CPUs is met.
class Packages {
 public:
  Packages(const Recording& recording, Machine& machine)
      : recording_(recording), machine_(machine) {}

  std::optional<DeviceId> of_first_cpu(std::string_view list) {
    const auto cpu = first_cpu(list);
    if (!cpu) return std::nullopt;
    Attributes topology(recording_, machine_,
                        fmt::format("sys/devices/system/cpu/cpu{}/topology", *cpu));
    model::Fact<int> number;
    topology.fill(number, "physical_package_id", package_number);
    if (!number) {
      if (number.reading().is_failed())
        machine_.remark(
            model::RemarkLevel::note,
            fmt::format("the package of CPU {} is unknown: ", *cpu) + number.reading().why(),
            number.refusals().front().source);
      return std::nullopt;
    }
    const auto known = by_number_.find(*number);
    if (known != by_number_.end()) return known->second;
    const DeviceId id = machine_.add(DeviceKind::package, number.source());
    machine_[id].index.claim(*number, number.source());
    by_number_.emplace(*number, id);
    return id;
  }

  // A package's CPUs are those of its nodes.
  void add_cpus(DeviceId package, const model::Fact<std::string>& cpus) {
    if (!cpus || cpus->empty()) return;
    auto& list = cpus_[package];
    list.first += (list.first.empty() ? "" : ",") + *cpus;
    list.second = cpus.source();
    list.second.trust = Trust::inferred;
  }

  void finish() {
    for (const auto& [id, list] : cpus_) machine_[id].cpu->cpus.claim(list.first, list.second);
    if (by_number_.empty()) return;
    // cpuinfo was read for the first processor; that the other packages are like the first is an
    // inference.
    model::CpuFacts first;
    describe(first, Trust::kernel);
    model::CpuFacts others;
    describe(others, Trust::inferred);
    for (const auto& [number, id] : by_number_) {
      model::CpuFacts facts = id == by_number_.begin()->second ? first : others;
      facts.cpus = machine_[id].cpu->cpus;
      machine_[id].cpu = std::move(facts);
    }
  }

 private:
  void describe(model::CpuFacts& cpu, Trust trust) {
    const SourceRef here = machine_.sources.add("proc/cpuinfo", trust);
    const auto number = [&](model::Fact<int>& fact, const char* key) {
      const auto value = cpuinfo(recording_, key);
      if (!value) return;
      if (auto parsed = parse_number(value->text))
        fact.claim(*parsed, here.at_line(value->line));
      else
        fact.refuse("it holds " + quoted(value->text), here.at_line(value->line));
    };
    if (const auto arm = cpuinfo(recording_, "CPU implementer")) {
      cpu.vendor.claim(arm_vendor(arm->text), here.at_line(arm->line));
      cpu.architecture.claim("arm64", here.at_line(arm->line));
      number(cpu.family, "CPU architecture");
      number(cpu.model, "CPU part");
    } else if (const auto vendor = cpuinfo(recording_, "vendor_id")) {
      cpu.vendor.claim(vendor->text, here.at_line(vendor->line));
      cpu.architecture.claim("x86_64", here.at_line(vendor->line));
      number(cpu.family, "cpu family");
      number(cpu.model, "model");
      number(cpu.core_count, "cpu cores");
    } else if (const auto power = cpuinfo(recording_, "cpu")) {
      if (power->text.starts_with("POWER"))
        cpu.architecture.claim("ppc64", here.at_line(power->line));
      cpu.model_name.claim(power->text, here.at_line(power->line));
    }
    if (const auto name = cpuinfo(recording_, "model name"))
      cpu.model_name.claim(name->text, here.at_line(name->line));
  }

  static std::optional<int> parse_number(std::string_view text) {
    const auto value = text.starts_with("0x")
                           ? std::optional<std::int64_t>(parse_hex(text).value_or(UINT64_MAX))
                           : parse_int(text);
    if (!value || *value < 0 || *value > INT32_MAX) return std::nullopt;
    return static_cast<int>(*value);
  }

  // Main ID Register implementer codes, from the Arm architecture reference manual.
  static std::string arm_vendor(std::string_view code) {
    if (code == "0x41") return "ARM";
    if (code == "0x4e") return "NVIDIA";
    if (code == "0xc0") return "Ampere";
    if (code == "0x48") return "HiSilicon";
    return "ARM implementer " + quoted(code, 16);
  }

  const Recording& recording_;
  Machine& machine_;
  std::map<int, DeviceId> by_number_;
  std::map<DeviceId, std::pair<std::string, SourceRef>> cpus_;
};

void read_node(int number, const std::string& path, const Recording& recording, Machine& machine,
               Packages& packages) {
  const DeviceId id = machine.add(DeviceKind::numa_node, machine.sources.add(path, Trust::kernel));
  Attributes attributes(recording, machine, path);
  model::CpuFacts cpu;
  attributes.fill(cpu.cpus, "cpulist", cpulist);
  attributes.fill(cpu.distances, "distance", distances);
  attributes.fill(cpu.memory_bytes, "meminfo", memory_total);
  const auto package = packages.of_first_cpu(cpu.cpus.value_or(""));
  model::Device& node = machine[id];
  node.index.claim(number, node.seen_in);
  node.numa_node.claim(number, node.seen_in);
  if (package) {
    node.parent = package;
    node.parent_source = machine[*package].seen_in;
    packages.add_cpus(*package, cpu.cpus);
  }
  node.cpu = std::move(cpu);
}

}  // namespace

std::optional<CpuinfoValue> cpuinfo(const Recording& recording, std::string_view key) {
  const Entry* entry = recording.find("proc/cpuinfo");
  if (entry == nullptr || entry->kind != Entry::Kind::file) return std::nullopt;
  for (LineCursor lines(entry->bytes); lines.next() && lines.number() < max_cpuinfo_lines;) {
    if (trim(lines.line()).empty()) return std::nullopt;
    const auto colon = lines.line().find(':');
    if (colon == std::string_view::npos || trim(lines.line().substr(0, colon)) != key) continue;
    return CpuinfoValue{valid_utf8(trim(lines.line().substr(colon + 1))), lines.number()};
  }
  return std::nullopt;
}

void read_cpus(const Recording& recording, Machine& machine) {
  Packages packages(recording, machine);
  const std::string nodes = "sys/devices/system/node";
  std::map<int, std::string> by_number;
  for (const auto& name : recording.list(nodes))
    if (const auto number = node_number(name); number && by_number.size() < max_nodes)
      by_number.emplace(*number, nodes + "/" + name);
  for (const auto& [number, path] : by_number)
    read_node(number, path, recording, machine, packages);
  if (by_number.empty()) {  // a kernel without NUMA: one package that holds every CPU online
    model::Fact<std::string> online;
    Attributes(recording, machine, "sys/devices/system/cpu").fill(online, "online", cpulist);
    if (const auto package = packages.of_first_cpu(online.value_or("")))
      packages.add_cpus(*package, online);
  }
  packages.finish();
  if (const Entry* refused = recording.find(nodes);
      refused != nullptr && refused->kind == Entry::Kind::refused)
    machine.remark(model::RemarkLevel::warning, "not read: " + std::string(refused->bytes),
                   machine.sources.add(nodes, Trust::kernel));
}

}  // namespace railgauge::observe
