#include "observe/nccl_xml/nccl_topo_xml.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"
#include "base/strings.h"
#include "observe/nccl_xml/nccl_graph_xml.h"
#include "observe/nccl_xml/other_xml.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::LinkKind;
using model::Machine;
using model::PciAddress;

Machine sample(const std::string& name) {
  const std::string path = RAILGAUGE_SOURCE_DIR "/tests/fuzz/nccl_topo_xml/" + name;
  const auto machine = read_nccl_topo_xml({name, read_file(path, 1 << 20).value()});
  return machine.value();
}

DeviceId at(const Machine& machine, const char* address) {
  return machine.at(*PciAddress::parse(address)).value();
}

// The line of the remark that holds the text; 0 when there is none.
std::uint32_t remark_line(const Machine& machine, std::string_view text) {
  for (const auto& remark : machine.remarks)
    if (contains(remark.text, text)) return remark.source.line;
  return 0;
}

TEST(NcclTopoXml, TreeKindsFollowTheClasses) {
  const Machine machine = sample("nvlink_mesh.xml");
  EXPECT_TRUE(machine.remarks.empty() == false);
  const auto gpu = at(machine, "3c:00.0");
  const auto& device = machine[gpu];
  EXPECT_EQ(device.kind, DeviceKind::gpu);
  EXPECT_EQ(machine[*device.parent].kind, DeviceKind::pcie_switch);
  EXPECT_EQ(machine[*machine[*device.parent].parent].kind, DeviceKind::numa_node);
  EXPECT_EQ(*device.numa_node, 0);
  EXPECT_EQ(*device.index, 0);
  EXPECT_EQ(*device.gpu->compute_capability, 70);
  EXPECT_EQ(*device.gpu->gpudirect, true);
  EXPECT_EQ(device.pci->link.current_speed->generation(), 3);
  EXPECT_EQ(*device.pci->link.current_width, 16);
  EXPECT_EQ(device.pci->id->device, 0x1db1);
  EXPECT_EQ(device.index.source().line, 5u);
  EXPECT_EQ(device.index.source().trust, model::Trust::file);
  EXPECT_EQ(*machine.devices[0].cpu->cpus, "0-15");
  EXPECT_EQ(machine[at(machine, "3e:00.0")].nic->ports.size(), 2u);
}

TEST(NcclTopoXml, BothDirectionsAreOneLinkAndDifferingCountsAreDisputed) {
  const Machine machine = sample("nvlink_mesh.xml");
  ASSERT_EQ(machine.links.size(), 2u);
  EXPECT_EQ(machine.links[0].kind, LinkKind::nvlink);
  EXPECT_EQ(*machine.links[0].width, 2);
  EXPECT_TRUE(machine.links[0].width.disputed());
  EXPECT_FALSE(machine.links[1].width.disputed());
  EXPECT_EQ(remark_line(machine, "says 1 links to 0000:3c:00.0, which says 2 (line 6)"), 12u);
}

TEST(NcclTopoXml, SwitchesAreDeclaredByFunctionTargetOrHiddenTarget) {
  const Machine chips = sample("nvswitch.xml");
  EXPECT_EQ(chips.of_kind(DeviceKind::nvswitch).size(), 2u);
  EXPECT_TRUE(chips[at(chips, "c4:00.0")].pci);
  EXPECT_FALSE(chips[at(chips, "c5:00.0")].pci);
  EXPECT_EQ(chips.links.size(), 4u);
  const Machine hidden = sample("hidden_switch.xml");
  ASSERT_EQ(hidden.of_kind(DeviceKind::nvswitch).size(), 1u);
  EXPECT_FALSE(hidden[hidden.of_kind(DeviceKind::nvswitch)[0]].address);
  EXPECT_EQ(hidden.links.size(), 2u);
  EXPECT_EQ(*hidden.links[1].width, 18);
}

TEST(NcclTopoXml, UnknownSpeedAndWidthStayUnknownAndSayWhatNcclWouldAssume) {
  const Machine machine = sample("virtual_machine.xml");
  const auto& link = machine[at(machine, "0001:00:00.0")].pci->link;
  EXPECT_FALSE(link.current_speed);
  EXPECT_FALSE(link.current_width);
  EXPECT_TRUE(link.current_speed.reading().is_failed());
  EXPECT_EQ(remark_line(machine, "would assume Gen3"), 3u);
  EXPECT_EQ(remark_line(machine, "would assume x16"), 3u);
}

TEST(NcclTopoXml, LinksThatJoinNothingStayAttributes) {
  const Machine machine = sample("virtual_machine.xml");
  EXPECT_TRUE(machine.links.empty());
  EXPECT_EQ(remark_line(machine, "from a GPU to itself"), 5u);
  EXPECT_EQ(remark_line(machine, "is no device of this file"), 6u);
  const auto& kept = machine[at(machine, "0001:00:00.0")].attributes;
  EXPECT_EQ(std::count_if(kept.begin(), kept.end(),
                          [](const auto& a) { return a.key == "nccl.nvlink.loose"; }),
            2);
}

TEST(NcclTopoXml, NicOfTheCpuIsVirtualAndPortZeroIsAnInterface) {
  const Machine machine = sample("virtual_machine.xml");
  const auto nics = machine.of_kind(DeviceKind::nic);
  ASSERT_EQ(nics.size(), 1u);
  const auto& nic = machine[nics[0]];
  EXPECT_FALSE(nic.address);
  EXPECT_EQ(*nic.nic->netdev, "eth0");
  EXPECT_FALSE(nic.nic->rdma_device);
  ASSERT_EQ(nic.nic->ports.size(), 2u);
  EXPECT_FALSE(nic.nic->ports[0].rate);
  EXPECT_DOUBLE_EQ(nic.nic->ports[1].rate->value, 5e9);  // 40000 Mb/s
  EXPECT_FALSE(machine.devices[0].index);                // numaid -1
}

TEST(NcclTopoXml, RcclDialectHasXgmiAndUnshiftsTheCpuFamily) {
  const Machine machine = sample("rccl_xgmi.xml");
  ASSERT_EQ(machine.links.size(), 2u);
  EXPECT_EQ(machine.links[0].kind, LinkKind::xgmi);
  EXPECT_EQ(*machine.devices[0].cpu->family, 25);  // 175 is 15 + (10 << 4)
  EXPECT_EQ(*machine[at(machine, "38:00.0")].gpu->gcn_architecture, "gfx90a");
  EXPECT_FALSE(machine[at(machine, "38:00.0")].gpu->compute_capability);
  EXPECT_EQ(*machine.devices[3].cpu->vendor, "AuthenticAMD");
}

TEST(NcclTopoXml, ChipToChipLinksLeadToTheCpu) {
  const Machine grace = sample("grace_c2c.xml");
  ASSERT_EQ(grace.links.size(), 1u);
  EXPECT_EQ(grace.links[0].kind, LinkKind::c2c);
  EXPECT_EQ(grace[grace.links[0].b].kind, DeviceKind::numa_node);
  EXPECT_EQ(*grace.links[0].width, 10);
  const Machine power = sample("power9.xml");
  ASSERT_EQ(power.links.size(), 3u);
  EXPECT_EQ(power[power.links[1].b].kind, DeviceKind::numa_node);
}

TEST(NcclTopoXml, SkeletonWithoutGpusIsNoError) {
  const Machine machine = sample("skeleton.xml");
  EXPECT_EQ(machine[at(machine, "0000:00:1a.0")].kind, DeviceKind::other);
  EXPECT_EQ(remark_line(machine, "no PCI class"), 4u);
  EXPECT_EQ(machine.of_kind(DeviceKind::gpu).size(), 1u);
}

TEST(NcclTopoXml, EveryMistakeIsRemarkedAtItsLine) {
  const Machine machine = sample("mistakes.xml");
  EXPECT_EQ(remark_line(machine, "version=\"3\""), 1u);
  EXPECT_EQ(remark_line(machine, "looks like a CPU list"), 2u);
  EXPECT_EQ(remark_line(machine, "did you mean \"familyid\""), 2u);
  EXPECT_EQ(remark_line(machine, "upper-case"), 3u);
  EXPECT_EQ(remark_line(machine, "\"16GT/s\" is not one of the strings"), 3u);
  EXPECT_EQ(remark_line(machine, "no attribute \"nvlink\""), 4u);
  EXPECT_EQ(remark_line(machine, "13 NVLinks, but a GPU of sm 80 has 12"), 4u);
  EXPECT_EQ(remark_line(machine, "0000:3c:00.0\" is no device"), 5u);
  EXPECT_EQ(remark_line(machine, "stands in the file twice"), 8u);
  EXPECT_EQ(remark_line(machine, "\"fast\""), 8u);
  EXPECT_EQ(remark_line(machine, "link_width=\"wide\""), 8u);
  EXPECT_EQ(remark_line(machine, "did you mean \"gpu\""), 9u);
  EXPECT_EQ(remark_line(machine, "expects it inside <nic>"), 10u);
  EXPECT_EQ(remark_line(machine, "speed=\"100Gb/s\""), 12u);
  EXPECT_EQ(remark_line(machine, "8 CPUs are also in the mask"), 13u);
}

std::vector<std::string> fault_kinds(const Machine& machine) {
  std::vector<std::string> out;
  for (const auto& fault : machine.topology_files.at(0).faults) out.push_back(fault.kind);
  return out;
}

TEST(NcclTopoXml, FaultsOfTheFileStandByLineWithTheirKind) {
  const Machine machine = sample("mistakes.xml");
  ASSERT_EQ(machine.topology_files.size(), 1u);
  const auto& file = machine.topology_files[0];
  EXPECT_EQ(file.kind, "nccl topology");
  EXPECT_FALSE(file.skeleton);
  EXPECT_TRUE(
      std::is_sorted(file.faults.begin(), file.faults.end(),
                     [](const auto& a, const auto& b) { return a.source.line < b.source.line; }));
  const auto kinds = fault_kinds(machine);
  for (const char* kind :
       {"unknown-tag", "unknown-attribute", "bad-value", "bad-busid", "duplicate-busid",
        "missing-target", "too-many-links", "affinity-overlap"})
    EXPECT_EQ(std::count(kinds.begin(), kinds.end(), kind) > 0, true) << kind;
}

TEST(NcclTopoXml, SkeletonIsToldAndHasNoFault) {
  const auto machine =
      read_nccl_topo_xml({"s.xml",
                          "<system version=\"1\">\n<cpu numaid=\"0\" affinity=\"ff\">\n"
                          "<pci busid=\"0001:00:00.0\" class=\"0x030200\" link_speed=\"16 GT/s\" "
                          "link_width=\"16\"/>\n</cpu></system>"});
  ASSERT_TRUE(machine);
  EXPECT_TRUE(machine->topology_files.at(0).skeleton);
  EXPECT_TRUE(machine->topology_files[0].faults.empty());
}

TEST(NcclTopoXml, OneMaskForAllNodesIsNoOverlap) {
  const auto read = [](const char* second) {
    return read_nccl_topo_xml({"v.xml", std::string("<system version=\"1\">\n<cpu numaid=\"0\" "
                                                    "affinity=\"ff\"/>\n<cpu numaid=\"1\" "
                                                    "affinity=\"") +
                                            second + "\"/></system>"})
        .value();
  };
  EXPECT_TRUE(read("ff").topology_files.at(0).faults.empty());
  EXPECT_EQ(remark_line(read("ff"), "the same affinity mask"), 1u);
  EXPECT_EQ(fault_kinds(read("f0")), std::vector<std::string>{"affinity-overlap"});
}

TEST(NcclTopoXml, CountsThatDifferAreAsymmetric) {
  const auto kinds = fault_kinds(sample("nvlink_mesh.xml"));
  EXPECT_EQ(std::count(kinds.begin(), kinds.end(), "asymmetric"), 1);
}

TEST(NcclTopoXml, OtherHostsOfADomainDumpAreLeftOutWithANote) {
  const auto machine =
      read_nccl_topo_xml({"x",
                          "<system version=\"1\">\n<cpu numaid=\"0\" host_hash=\"0x1\"/>\n"
                          "<cpu numaid=\"0\" host_hash=\"0x2\"/></system>"});
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->devices.size(), 1u);
  EXPECT_EQ(remark_line(*machine, "another host"), 3u);
}

TEST(NcclTopoXml, MoreElementsThanNcclReadsIsRemarked) {
  std::string text = "<system version=\"1\"><cpu>";
  for (int i = 0; i < 255; ++i) text += "<nic/>";
  const auto most = read_nccl_topo_xml({"x", text.substr(0, text.size() - 6) + "</cpu></system>"});
  const auto more = read_nccl_topo_xml({"x", text + "</cpu></system>"});
  EXPECT_EQ(remark_line(*most, "NCCL's parser may stop at 256"), 0u);
  EXPECT_EQ(remark_line(*more, "257 elements: NCCL's parser may stop at 256"), 1u);
}

TEST(NcclGraphXml, IsRecognisedAndHoldsNoDevice) {
  const Input input{
      "g.xml",
      "<graphs version=\"1\">\n <graph id=\"0\" pattern=\"4\" nchannels=\"2\" "
      "speedintra=\"12\" typeintra=\"SYS\">\n  <channel/><channel/>\n </graph>\n</graphs>"};
  EXPECT_TRUE(looks_like_nccl_graph_xml(input.bytes));
  EXPECT_FALSE(looks_like_nccl_topo_xml(input.bytes));
  const auto machine = read_nccl_graph_xml(input);
  ASSERT_TRUE(machine);
  EXPECT_TRUE(machine->devices.empty());
  EXPECT_EQ(machine->topology_files.at(0).kind, "nccl graph");
  EXPECT_EQ(machine->remarks[0].level, model::RemarkLevel::warning);
  EXPECT_EQ(remark_line(*machine, "NCCL_GRAPH_FILE"), 1u);
  EXPECT_EQ(remark_line(*machine, "graph 0: ring, 2 channels listed"), 2u);
}

TEST(OtherXml, WhatNoReaderKnowsIsNamedAsWhatItIs) {
  const Input input{"page.xml", "<?xml version=\"1.0\" ?>\n<html><body/></html>"};
  EXPECT_TRUE(looks_like_other_xml(input.bytes));
  EXPECT_FALSE(looks_like_other_xml("<system version=\"1\"/>"));
  EXPECT_FALSE(looks_like_other_xml("<nvidia_smi_log><gpu id=\"1\"/></nvidia_smi_log>"));
  EXPECT_FALSE(looks_like_other_xml("GPU0 GPU1"));
  EXPECT_NE(read_other_xml(input).error().text().find("an HTML page"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::observe
