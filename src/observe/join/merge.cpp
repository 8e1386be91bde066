#include "observe/join/merge.h"

#include <algorithm>
#include <map>

#include "model/field_lists.h"

namespace railgauge::observe {
namespace {

using namespace model;

// Every fact of one struct.
template <class Owner>
void merge_fields(Owner& into, const Owner& from, const Moved& moved) {
  each_field<Owner>(
      [&](const auto& field) { (into.*field.member).merge(from.*field.member, moved); });
  each_counter_field<Owner>([&](const auto& field) {
    for (const auto& [name, counter] : from.*field.member) {
      Counter& taken = (into.*field.member)[name];
      taken.value.merge(counter.value, moved);
      if (taken.later.empty()) taken.later = counter.later;
    }
  });
}

void merge_named(NamedFacts& into, const NamedFacts& from, const Moved& moved) {
  for (const auto& [name, fact] : from) into[name].merge(fact, moved);
}

// The one of `list` with the same `number`, added when missing.
template <class Part>
Part& numbered(std::vector<Part>& list, int Part::*number, int value) {
  for (Part& part : list)
    if (part.*number == value) return part;
  Part& added = list.emplace_back();
  added.*number = value;
  return added;
}

// The part of `into`, made when missing; nullptr when `from` has none.
template <class Part>
Part* part(Boxed<Part>& into, const Boxed<Part>& from) {
  if (!from) return nullptr;
  if (!into) into.emplace();
  return &*into;
}

std::uint64_t place_key(DeviceId a, DeviceId b) { return std::uint64_t{a.value} << 32 | b.value; }

void merge_gpu(GpuFacts& into, const GpuFacts& from, const Moved& moved) {
  merge_fields(into, from, moved);
  for (const NvLinkPort& port : from.nvlinks)
    merge_fields(numbered(into.nvlinks, &NvLinkPort::number, port.number), port, moved);
  for (const auto& mig : from.mig_devices)
    if (std::find(into.mig_devices.begin(), into.mig_devices.end(), mig) == into.mig_devices.end())
      into.mig_devices.push_back(mig);
}

void merge_nic(NicFacts& into, const NicFacts& from, const Moved& moved) {
  merge_fields(into, from, moved);
  for (const NicPort& port : from.ports) {
    NicPort& taken = numbered(into.ports, &NicPort::number, port.number);
    merge_fields(taken, port, moved);
    for (const Gid& gid : port.gids)
      merge_fields(numbered(taken.gids, &Gid::index, gid.index), gid, moved);
  }
}

}  // namespace

std::optional<DeviceKind> finer_kind(DeviceKind a, DeviceKind b) {
  if (a == b || b == DeviceKind::other) return a;
  if (a == DeviceKind::other) return b;
  if (a == DeviceKind::pcie_bridge && is_pcie_bridge(b)) return b;
  if (b == DeviceKind::pcie_bridge && is_pcie_bridge(a)) return a;
  return std::nullopt;
}

void merge_device(Device& into, const Device& from, const Moved& moved) {
  merge_fields(into, from, moved);
  if (auto* pci = part(into.pci, from.pci)) {
    merge_fields(*pci, *from.pci, moved);
    merge_fields(pci->link, from.pci->link, moved);
  }
  if (auto* cpu = part(into.cpu, from.cpu)) merge_fields(*cpu, *from.cpu, moved);
  if (auto* gpu = part(into.gpu, from.gpu)) merge_gpu(*gpu, *from.gpu, moved);
  if (auto* nic = part(into.nic, from.nic)) merge_nic(*nic, *from.nic, moved);
  for (const Attribute& attribute : from.attributes) {
    const Attribute taken{attribute.key, attribute.value, moved(attribute.source)};
    if (std::find(into.attributes.begin(), into.attributes.end(), taken) == into.attributes.end())
      into.attributes.push_back(taken);
  }
}

void merge_host(Machine& into, const Machine& from, const Moved& moved) {
  merge_fields(into.host, from.host, moved);
  merge_named(into.host.sysctls, from.host.sysctls, moved);
  merge_named(into.host.libraries, from.host.libraries, moved);
  merge_named(into.host.services, from.host.services, moved);
  std::map<std::string, std::size_t> known;
  for (std::size_t i = 0; i < into.modules.size(); ++i) known.emplace(into.modules[i].name, i);
  for (const KernelModule& module : from.modules) {
    const auto [place, added] = known.try_emplace(module.name, into.modules.size());
    if (added) into.modules.push_back({module.name, {}, {}, moved(module.source)});
    KernelModule& taken = into.modules[place->second];
    merge_fields(taken, module, moved);
    merge_named(taken.parameters, module.parameters, moved);
  }
}

// Two logs are two runs: only the sources are renumbered.
void merge_nccl_run(Machine& into, const NcclRun& from, const Moved& moved) {
  NcclRun run = from;
  run.version = {};
  run.cuda = {};
  run.cuda_driver = {};
  run.network = {};
  run.oob = {};
  run.channels = {};
  run.gdr_used = {};
  run.narrowest_pci = {};
  run.version.merge(from.version, moved);
  run.cuda.merge(from.cuda, moved);
  run.cuda_driver.merge(from.cuda_driver, moved);
  run.network.merge(from.network, moved);
  run.oob.merge(from.oob, moved);
  run.channels.merge(from.channels, moved);
  run.gdr_used.merge(from.gdr_used, moved);
  run.narrowest_pci.merge(from.narrowest_pci, moved);
  const auto move_all = [&](auto& list) {
    for (auto& entry : list) entry.source = moved(entry.source);
  };
  move_all(run.ranks);
  move_all(run.nics);
  move_all(run.gdr);
  move_all(run.connections);
  move_all(run.paths);
  move_all(run.warnings);
  run.source = moved(from.source);
  into.nccl_runs.push_back(std::move(run));
}

namespace {

HangDump moved_dump(HangDump dump, const Moved& moved) {
  dump.source = moved(dump.source);
  for (HangRank& rank : dump.ranks) {
    rank.source = moved(rank.source);
    for (CollectiveCall& call : rank.calls) call.source = moved(call.source);
    for (Stack& stack : rank.stacks) stack.source = moved(stack.source);
    for (GroupProgress& progress : rank.progress) progress.source = moved(progress.source);
  }
  for (LaunchCount& count : dump.launch_counts) count.source = moved(count.source);
  for (WatchdogTimeout& timeout : dump.timeouts) timeout.source = moved(timeout.source);
  return dump;
}

void move_sources(BenchmarkRun& run, const Moved& moved) {
  run.source = moved(run.source);
  for (BenchmarkRow& row : run.rows) row.source = moved(row.source);
}

}  // namespace

void merge_lists(Machine& into, const Machine& from, const Moved& moved) {
  for (const Variable& variable : from.variables)
    into.variables.push_back({variable.name, variable.value, moved(variable.source)});
  for (const Event& event : from.events) {
    into.events.push_back(event);
    into.events.back().source = moved(event.source);
  }
  for (const NcclRun& run : from.nccl_runs) merge_nccl_run(into, run, moved);
  for (const HangDump& dump : from.hangs) into.hangs.push_back(moved_dump(dump, moved));
  for (const BenchmarkRun& run : from.benchmarks) {
    into.benchmarks.push_back(run);
    move_sources(into.benchmarks.back(), moved);
  }
  for (const TopologyFile& file : from.topology_files) {
    into.topology_files.push_back(file);
    into.topology_files.back().source = moved(file.source);
    for (TopologyFault& fault : into.topology_files.back().faults)
      fault.source = moved(fault.source);
  }
  std::map<int, std::size_t> known;
  for (std::size_t i = 0; i < into.interrupts.size(); ++i)
    known.emplace(into.interrupts[i].number, i);
  for (const Interrupt& interrupt : from.interrupts) {
    const auto [place, added] = known.try_emplace(interrupt.number, into.interrupts.size());
    if (added) into.interrupts.push_back({.number = interrupt.number, .label = interrupt.label});
    Interrupt& taken = into.interrupts[place->second];
    merge_fields(taken, interrupt, moved);
    for (const auto& [cpu, counter] : interrupt.cpus) {
      Counter& count = taken.cpus[cpu];
      count.value.merge(counter.value, moved);
      if (count.later.empty()) count.later = counter.later;
    }
  }
}

void merge_link(Machine& into, const Link& from, const Moved& moved) {
  const DeviceId a = moved(from.a);
  const DeviceId b = moved(from.b);
  auto found = std::find_if(into.links.begin(), into.links.end(), [&](const Link& link) {
    return link.kind == from.kind && ((link.a == a && link.b == b) || (link.a == b && link.b == a));
  });
  if (found == into.links.end()) {
    found = into.links.insert(
        into.links.end(), Link{.a = a, .b = b, .kind = from.kind, .source = moved(from.source)});
  }
  found->width.merge(from.width, moved);
  found->width_possible.merge(from.width_possible, moved);
  found->speed.merge(from.speed, moved);
  found->speed_possible.merge(from.speed_possible, moved);
  found->version.merge(from.version, moved);
  if (!found->as_found) found->as_found = from.as_found;
  if (!found->nominal) found->nominal = from.nominal;
}

PairIndex::PairIndex(const Machine& machine) {
  for (std::size_t i = 0; i < machine.pairs.size(); ++i)
    places_.emplace(place_key(machine.pairs[i].a, machine.pairs[i].b), i);
}

void PairIndex::merge(Machine& into, const Pair& from, const Moved& moved) {
  const DeviceId a = std::min(moved(from.a), moved(from.b));
  const DeviceId b = std::max(moved(from.a), moved(from.b));
  if (a == b) return;
  const auto [place, added] = places_.try_emplace(place_key(a, b), into.pairs.size());
  if (added) {
    into.pairs.emplace_back();
    into.pairs.back().a = a;
    into.pairs.back().b = b;
  }
  Pair& pair = into.pairs[place->second];
  pair.smi.merge(from.smi, moved);
  pair.p2p_read.merge(from.p2p_read, moved);
  pair.p2p_write.merge(from.p2p_write, moved);
  pair.p2p_nvlink.merge(from.p2p_nvlink, moved);
  pair.p2p_atomics.merge(from.p2p_atomics, moved);
  pair.p2p_pcie.merge(from.p2p_pcie, moved);
  pair.rocm_weight.merge(from.rocm_weight, moved);
  pair.rocm_hops.merge(from.rocm_hops, moved);
  pair.rocm_link.merge(from.rocm_link, moved);
}

}  // namespace railgauge::observe
