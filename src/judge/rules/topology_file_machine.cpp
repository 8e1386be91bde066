// A topology file against the machine that other sources saw.
#include <fmt/format.h>

#include <algorithm>
#include <iterator>
#include <set>

#include "base/base_name.h"
#include "judge/rules/topology_file_rules.h"

namespace railgauge::judge {
namespace {

using namespace model;

struct Compared {
  std::set<PciAddress> only_in_file;
  std::set<PciAddress> only_on_machine;
  std::size_t in_both = 0;
};

// Adapters come and go with the names that NCCL gives them; GPUs are what a model is known by. One
// device may have both addresses, when the file and nvidia-smi agree on its number only.
Compared compare(const Machine& machine, SourceRef file) {
  std::set<PciAddress> by_file;
  std::set<PciAddress> by_others;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    for (const auto& claim : machine[id].address.claims()) {
      if (claim.source.index == file.index)
        by_file.insert(claim.value);
      else if (claim.source.trust > Trust::file)
        by_others.insert(claim.value);
    }
  Compared out;
  std::set_difference(by_file.begin(), by_file.end(), by_others.begin(), by_others.end(),
                      std::inserter(out.only_in_file, out.only_in_file.end()));
  std::set_difference(by_others.begin(), by_others.end(), by_file.begin(), by_file.end(),
                      std::inserter(out.only_on_machine, out.only_on_machine.end()));
  out.in_both = by_others.size() - out.only_on_machine.size();
  return out;
}

std::string addresses(const std::set<PciAddress>& list) {
  std::string out;
  std::size_t written = 0;
  for (const PciAddress& address : list) {
    if (written == 4) return out + ", …";
    out += (written++ == 0 ? "" : ", ") + address.text();
  }
  return out;
}

// Whether a variable makes NCCL read the file.
bool is_named(const Machine& machine, std::string_view file) {
  return std::any_of(
      machine.variables.begin(), machine.variables.end(), [&](const Variable& variable) {
        return variable.name == "NCCL_TOPO_FILE" && base_name(variable.value) == base_name(file);
      });
}

}  // namespace

void look_topology_of_another_machine(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const TopologyFile& file : machine.topology_files) {
    if (file.kind != "nccl topology") continue;
    const Compared found = compare(machine, file.source);
    const std::string name(machine.sources.name(file.source));
    if (found.only_in_file.empty()) {
      if (found.in_both > 0) out.pass();
      continue;
    }
    if (found.in_both + found.only_on_machine.size() == 0) {
      out.unknown(name, "the PCI addresses of this machine's GPUs", "lspci -D");
      continue;
    }
    const std::size_t count = found.only_in_file.size();
    Finding& finding = out.fail(
        name,
        fmt::format("names {} GPU{} at addresses where this machine has none ({}); its own are at "
                    "{}",
                    count, count == 1 ? "" : "s", addresses(found.only_in_file),
                    found.only_on_machine.empty() ? std::string("other addresses of the file")
                                                  : addresses(found.only_on_machine)));
    finding.evidence = {evidence(machine, "busid of GPUs", addresses(found.only_in_file),
                                 addresses(found.only_on_machine), file.source)};
    if (is_named(machine, name)) {
      finding.severity = Severity::error;
      finding.weight = 78;
    }
    finding.impact.text = "GPUs and adapters that share a switch look far apart to NCCL";
    finding.remedy = {{.text = "do not give NCCL this file", .command = "unset NCCL_TOPO_FILE"},
                      {.text = "let NCCL write what it sees",
                       .command = "NCCL_TOPO_DUMP_FILE=topo.xml all_reduce_perf -b 8 -e 8"}};
  }
}

}  // namespace railgauge::judge
