// NCCL topology files: what is wrong with one as a file, and against the machine it is for.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/base_name.h"
#include "base/strings.h"
#include "judge/rules/families.h"
#include "judge/rules/topology_file_rules.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool is_topology(const TopologyFile& file) { return file.kind == "nccl topology"; }

// The variable that makes NCCL read this file, if one was given, too.
const Variable* named_by(const Machine& machine, const TopologyFile& file, std::string_view name) {
  const std::string_view wanted = base_name(machine.sources.name(file.source));
  for (const Variable& variable : machine.variables)
    if (variable.name == name && !wanted.empty() && base_name(variable.value) == wanted)
      return &variable;
  return nullptr;
}

// One finding for each file with faults of these kinds; the faults are its evidence.
void look_faults(const Patient& patient, Verdicts& out, std::initializer_list<const char*> kinds,
                 std::string_view what, std::string_view impact, std::string_view remedy) {
  constexpr std::size_t most_evidence = 8;
  const Machine& machine = patient.machine;
  for (const TopologyFile& file : machine.topology_files) {
    if (!is_topology(file)) continue;
    std::vector<const TopologyFault*> found;
    for (const TopologyFault& fault : file.faults)
      if (std::find(kinds.begin(), kinds.end(), fault.kind) != kinds.end()) found.push_back(&fault);
    if (found.empty()) {
      out.pass();
      continue;
    }
    Finding& finding =
        out.fail(std::string(machine.sources.name(file.source)),
                 found.size() == 1
                     ? found[0]->text
                     : fmt::format("{} {}, the first: {}", found.size(), what, found[0]->text));
    for (std::size_t i = 0; i < found.size() && i < most_evidence; ++i)
      finding.evidence.push_back(
          evidence(machine, "line of the file", found[i]->text, {}, found[i]->source));
    finding.impact.text = impact;
    finding.remedy = {{.text = std::string(remedy)}};
  }
}

void look_words(const Patient& patient, Verdicts& out) {
  look_faults(patient, out, {"unknown-tag", "unknown-attribute"}, "words that NCCL does not know",
              "NCCL passes them over without a message: what they should say is missing",
              "correct the words");
}

void look_values(const Patient& patient, Verdicts& out) {
  look_faults(patient, out, {"bad-value"}, "values that NCCL does not understand",
              "NCCL takes a default without a message: an unknown speed is Gen3, an unknown mask "
              "is another set of CPUs",
              "write the values as NCCL_TOPO_DUMP_FILE does");
}

void look_addresses(const Patient& patient, Verdicts& out) {
  look_faults(patient, out, {"bad-busid", "duplicate-busid"}, "addresses that are none, or twice",
              "NCCL does not find the device, and adds it where it guesses",
              "write busid as in lspci -D, in small letters, each once");
}

void look_links(const Patient& patient, Verdicts& out) {
  look_faults(patient, out, {"missing-target", "asymmetric"}, "NVLinks that do not fit together",
              "NCCL counts the link in one direction only, or not at all",
              "let both ends name each other with the same count");
}

void look_speeds(const Patient& patient, Verdicts& out) {
  look_faults(patient, out, {"missing-link-speed"}, "links without a speed",
              "NCCL takes Gen3 x16, 12 GB/s, for them",
              "fill in link_speed and link_width where they are known");
}

void look_counts(const Patient& patient, Verdicts& out) {
  look_faults(patient, out, {"too-many-links"}, "GPUs with more NVLinks than they have",
              "NCCL plans for bandwidth that is not there", "correct the counts");
}

void look_affinity(const Patient& patient, Verdicts& out) {
  look_faults(patient, out, {"affinity-overlap"}, "NUMA nodes that share CPUs",
              "ranks are bound to CPUs of another node", "give each CPU to one node");
}

void look_kind(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const TopologyFile& file : machine.topology_files) {
    if (is_topology(file)) {
      out.pass();
      continue;
    }
    const Variable* variable = named_by(machine, file, "NCCL_TOPO_FILE");
    if (variable == nullptr) continue;
    Finding& finding =
        out.fail(std::string(machine.sources.name(file.source)),
                 fmt::format("NCCL_TOPO_FILE names this file, which is {}",
                             file.kind == "nccl graph" ? "a graph: the channels NCCL chose"
                             : file.kind == "hwloc"    ? "hwloc's XML, not NCCL's"
                                                       : "no topology of NCCL"));
    finding.evidence = {evidence(machine, variable->name, variable->value, {}, variable->source)};
    finding.impact.text = "initialisation fails, or the file is passed over";
    finding.remedy = {{.text = "remove the variable", .command = "unset NCCL_TOPO_FILE"}};
    if (file.kind == "nccl graph")
      finding.remedy.push_back({.text = "a graph is given as NCCL_GRAPH_FILE"});
  }
}

}  // namespace

Family topology_file_rules() {
  static const std::vector<Rule> list = topology_file_rule_list(
      {look_words, look_values, look_addresses, look_links, look_topology_of_another_machine,
       look_kind, look_speeds, look_counts, look_affinity});
  return list;
}

}  // namespace railgauge::judge
