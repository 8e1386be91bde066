#include "judge/rules/topology_file_rules.h"

namespace railgauge::judge {
namespace {

constexpr std::string_view source = "NCCL source, src/graph/xml.cc and src/graph/topo.cc";
constexpr std::string_view guide = "NCCL User Guide, Environment Variables: NCCL_TOPO_FILE";

std::vector<Rule> rules_of_words() {
  return {
      {.id = "CFG001",
       .name = "topology-unknown-word",
       .severity = Severity::warning,
       .weight = 45,
       .needs = {Need::topology_file},
       .page = {.what = "A topology file holds a tag or an attribute that NCCL does not know, or "
                        "one in the wrong place.",
                .why = "NCCL's parser passes unknown words over without a message. <gpu nvlink=…> "
                       "or <nvlinks> leave the GPU without NVLink in NCCL's eyes.",
                .by_hand = "Hold the file against one that NCCL wrote: NCCL_TOPO_DUMP_FILE.",
                .remedy = "Correct the word.",
                .benign_if = "It is RCCL's dialect (xgmi, gcn, arch), which is known and passes.",
                .references = {guide, source}}},
      {.id = "CFG002",
       .name = "topology-bad-value",
       .severity = Severity::warning,
       .weight = 50,
       .needs = {Need::topology_file},
       .page = {.what = "A value in a topology file is not one that NCCL understands.",
                .why = "link_speed is compared letter by letter with a list (\"16.0 GT/s PCIe\"); "
                       "any other text is Gen3. affinity is a hexadecimal mask; \"0-15\" is read "
                       "as one. speed of a net is a number of Mb/s.",
                .by_hand = "grep -nE 'link_speed|affinity|speed=' FILE",
                .remedy = "Write values as NCCL_TOPO_DUMP_FILE does.",
                .benign_if = "An empty link_speed is another rule's (CFG007).",
                .references = {guide, source}}},
      {.id = "CFG003",
       .name = "topology-bad-address",
       .severity = Severity::warning,
       .weight = 50,
       .needs = {Need::topology_file},
       .page = {.what = "A busid in a topology file is no PCI address, has capital letters, or "
                        "stands there twice.",
                .why = "NCCL looks devices up by this text, as the kernel writes it. What is not "
                       "found is added in another place, far from its switch.",
                .by_hand = "grep -o 'busid=\"[^\"]*\"' FILE | sort | uniq -d; lspci -D",
                .remedy = "Write dddd:bb:dd.f in small letters, each once.",
                .benign_if = "Addresses of virtual bridges (ffff:ff:01.0) are made up on purpose, "
                             "and pass.",
                .references = {guide, source}}},
      {.id = "CFG004",
       .name = "topology-link-without-end",
       .severity = Severity::warning,
       .weight = 50,
       .needs = {Need::topology_file},
       .page = {.what = "An NVLink in a topology file leads to a device that is not there, or its "
                        "two ends count differently.",
                .why = "NCCL adds a link to each direction as it is stated: bandwidth differs by "
                       "direction, or is missing.",
                .by_hand = "grep -n '<nvlink' FILE: each target must be a busid of the file, with "
                           "the same count on the way back.",
                .remedy = "Let both ends name each other.",
                .benign_if = "Links to NVSwitches and to hidden targets (fffffff:ffff:ff) have one "
                             "end only, and pass.",
                .references = {guide, source}}}};
}

std::vector<Rule> rules_of_machines() {
  return {
      {.id = "CFG005",
       .name = "topology-of-another-machine",
       .severity = Severity::warning,
       .weight = 62,
       .needs = {Need::topology_file},
       .explains = {{"ENV012"}, {"NCC022"}, {"NCC024"}},
       .page = {.what = "A topology file names GPUs at addresses where this machine has none.",
                .why = "NCCL believes the file. GPUs that it does not name are added without their "
                       "switches, so near adapters look far, and bandwidth falls.",
                .by_hand = "grep -o 'busid=\"[^\"]*\"' FILE against lspci -D | grep -i nvidia",
                .remedy = "unset NCCL_TOPO_FILE, or take the file of this model.",
                .benign_if = "The machine's own addresses are not known, or the file is looked at "
                             "apart from any machine.",
                .references = {guide}}},
      {.id = "CFG006",
       .name = "not-a-topology",
       .severity = Severity::error,
       .weight = 85,
       .needs = {Need::topology_file},
       .explains = {{"ENV012"}},
       .page = {.what = "NCCL_TOPO_FILE names a file that is no topology of NCCL: a graph, or the "
                        "XML of hwloc.",
                .why = "NCCL's topology has <system version=\"1\"> at its root. A graph "
                       "(<graphs>) is what NCCL_GRAPH_FILE takes; <topology> is hwloc's.",
                .by_hand = "head -3 FILE",
                .remedy = "unset NCCL_TOPO_FILE, or name the right file.",
                .benign_if = "The file is only looked at, and no variable names it.",
                .references = {guide}}},
      {.id = "CFG007",
       .name = "topology-speed-missing",
       .severity = Severity::note,
       .weight = 20,
       .needs = {Need::topology_file},
       .page = {.what = "PCIe links in a topology file have no speed.",
                .why = "NCCL then takes Gen3: 12 GB/s for x16. Files from virtual machines, where "
                       "/sys shows no speed, often look so.",
                .by_hand = "grep -n 'link_speed=\"\"' FILE",
                .remedy = "Fill in link_speed and link_width.",
                .benign_if = "The links are Gen3, or not on the way of traffic.",
                .references = {guide, source}}},
      {.id = "CFG008",
       .name = "topology-too-many-links",
       .severity = Severity::warning,
       .weight = 45,
       .needs = {Need::topology_file},
       .page = {.what = "A topology file gives a GPU more NVLinks than its generation has.",
                .why = "V100 has 6, A100 12, H100 and later 18. NCCL plans with what the file "
                       "says.",
                .by_hand = "Add up the counts of <nvlink> below a <gpu>; nvidia-smi nvlink -s",
                .remedy = "Correct the counts.",
                .benign_if = "Fewer links than the generation has are no fault: boards differ "
                             "(A800 8, H20 18, H100 with four GPUs 6).",
                .references = {source}}},
      {.id = "CFG009",
       .name = "topology-affinity-overlap",
       .severity = Severity::warning,
       .weight = 35,
       .needs = {Need::topology_file},
       .page = {.what = "Two CPUs of a topology file name the same cores in their affinity.",
                .why = "NCCL binds its threads to the mask of the node a GPU sits on: with a mask "
                       "that overlaps they may run on the other socket.",
                .by_hand = "grep -n 'affinity=' FILE; numactl -H",
                .remedy = "Give each core to one node.",
                .benign_if = "The machine is virtual and shows no NUMA nodes: all masks are equal "
                             "then, which is no overlap that anybody chose.",
                .references = {source}}}};
}

}  // namespace

std::vector<Rule> topology_file_rule_list(const std::array<Look, 9>& looks) {
  std::vector<Rule> out = rules_of_words();
  for (const Rule& rule : rules_of_machines()) out.push_back(rule);
  for (std::size_t i = 0; i < out.size(); ++i) out[i].look = looks[i];
  return out;
}

}  // namespace railgauge::judge
