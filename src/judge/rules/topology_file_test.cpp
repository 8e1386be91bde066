#include <gtest/gtest.h>

#include "judge/rules/variables_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

Machine with_file(const char* kind, const std::vector<const char*>& faults) {
  Machine machine;
  const auto source = machine.sources.add("dir/topo.xml", Trust::file);
  TopologyFile file{kind, false, {}, source};
  std::uint32_t line = 3;
  for (const char* fault : faults)
    file.faults.push_back({fault, std::string("a ") + fault, source.at_line(line++)});
  machine.topology_files.push_back(file);
  return machine;
}

void gpu_at(Machine& machine, const char* address, const char* source, Trust trust) {
  const auto ref = machine.sources.add(source, trust);
  machine[machine.add(DeviceKind::gpu, ref)].address.claim(*PciAddress::parse(address), ref);
}

TEST(TopologyFile, EveryKindOfFaultHasItsRule) {
  for (const auto& [fault, rule] :
       std::vector<std::pair<const char*, const char*>>{{"unknown-tag", "CFG001"},
                                                        {"unknown-attribute", "CFG001"},
                                                        {"bad-value", "CFG002"},
                                                        {"bad-busid", "CFG003"},
                                                        {"duplicate-busid", "CFG003"},
                                                        {"missing-target", "CFG004"},
                                                        {"asymmetric", "CFG004"},
                                                        {"missing-link-speed", "CFG007"},
                                                        {"too-many-links", "CFG008"},
                                                        {"affinity-overlap", "CFG009"}}) {
    const auto said = says(rule, with_file("nccl topology", {fault, fault}));
    ASSERT_EQ(said.failures.size(), 1u) << fault;
    EXPECT_EQ(said.failures[0].evidence.size(), 2u);
    EXPECT_EQ(said.failures[0].evidence[0].source, "dir/topo.xml:3");
    EXPECT_EQ(said.failures[0].subject, "dir/topo.xml");
  }
}

TEST(TopologyFile, AFileWithoutFaultsPassesAndOtherXmlIsNotJudged) {
  for (const char* rule : {"CFG001", "CFG002", "CFG003", "CFG004", "CFG007", "CFG008", "CFG009"}) {
    EXPECT_TRUE(says(rule, with_file("nccl topology", {})).passed) << rule;
    const auto other = says(rule, with_file("hwloc", {}));
    EXPECT_TRUE(other.failures.empty());
    EXPECT_FALSE(other.passed);
  }
}

TEST(TopologyFile, MissingSpeedsAreANote) {
  EXPECT_EQ(says("CFG007", with_file("nccl topology", {"missing-link-speed"})).severity(),
            Severity::note);
}

TEST(TopologyOfAnotherMachine, GpusAtOtherAddresses) {
  Machine machine = with_file("nccl topology", {});
  gpu_at(machine, "0000:18:00.0", "lspci.txt", Trust::tool);
  gpu_at(machine, "0000:2a:00.0", "dir/topo.xml", Trust::file);
  const auto said = says("CFG005", machine);
  ASSERT_EQ(said.failures.size(), 1u);
  EXPECT_TRUE(holds(said.text(), "0000:2a:00.0"));
  EXPECT_EQ(said.severity(), Severity::warning);
  const auto named = says("CFG005", with_settings({"NCCL_TOPO_FILE=/etc/topo.xml"}, machine));
  EXPECT_EQ(named.severity(), Severity::error);
}

TEST(TopologyOfAnotherMachine, SameAddressesPassAndAloneIsUnknown) {
  Machine machine = with_file("nccl topology", {});
  gpu_at(machine, "0000:18:00.0", "dir/topo.xml", Trust::file);
  const auto alone = says("CFG005", machine);
  EXPECT_TRUE(alone.failures.empty());
  EXPECT_EQ(alone.unknowns.size(), 1u);
  gpu_at(machine, "0000:18:00.0", "lspci.txt", Trust::tool);
  EXPECT_TRUE(says("CFG005", machine).passed);
}

TEST(NotATopology, OnlyWhenAVariableNamesIt) {
  for (const char* kind : {"nccl graph", "hwloc"}) {
    const Machine machine = with_file(kind, {});
    EXPECT_TRUE(says("CFG006", machine).failures.empty());
    const auto said = says("CFG006", with_settings({"NCCL_TOPO_FILE=/etc/topo.xml"}, machine));
    ASSERT_EQ(said.failures.size(), 1u) << kind;
    EXPECT_EQ(said.severity(), Severity::error);
    EXPECT_TRUE(
        says("CFG006", with_settings({"NCCL_TOPO_FILE=/etc/b.xml"}, machine)).failures.empty());
  }
  EXPECT_TRUE(says("CFG006", with_file("nccl topology", {})).passed);
}

}  // namespace
}  // namespace railgauge::judge
