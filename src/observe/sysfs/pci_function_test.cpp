#include <gtest/gtest.h>

#include "observe/sources.h"
#include "observe/sysfs/fake_tree.h"

namespace railgauge::observe {
namespace {

using model::Machine;

const std::string directory = "sys/devices/pci0000:00/0000:00:01.0";

Recording captured(const FakeTree& tree) {
  Recording recording;
  capture_sysfs(tree.root(), recording);
  return recording;
}

// The only function of a machine.
const model::Device& only(const Machine& machine) {
  return machine[machine.at({0, 0, 1, 0}).value()];
}

Machine with(const std::string& name, const std::string& bytes) {
  Recording recording;
  recording.add_file(directory + "/" + name, bytes);
  return read_sysfs(recording).value();
}

TEST(PciFunction, FileThatMayNotBeReadIsARefusalOfTheFact) {
  const FakeTree tree;
  tree.directory(directory + "/numa_node");  // reading a directory fails, for root too
  const Recording recording = captured(tree);
  EXPECT_EQ(recording.find(directory + "/numa_node")->kind, Entry::Kind::refused);
  const Machine machine = read_sysfs(recording).value();
  EXPECT_TRUE(only(machine).numa_node.reading().is_failed());
  EXPECT_EQ(only(machine).numa_node.reading().why(), "Is a directory");
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(PciFunction, AttributeLargerThanAnyIsRefused) {
  const FakeTree tree;
  tree.file(directory + "/vendor", std::string(200'000, 'x'));
  const Recording recording = captured(tree);
  EXPECT_EQ(recording.find(directory + "/vendor")->kind, Entry::Kind::refused);
  EXPECT_EQ(recording.find(directory + "/vendor")->bytes,
            "larger than 64 KiB, which no attribute is");
}

TEST(PciFunction, SymbolicLinksAreNeverFollowed) {
  const FakeTree tree;
  tree.file("secret", "not an attribute\n");
  tree.link(directory + "/vendor", "../../../../secret");
  tree.link(directory + "/class", "class");                    // a loop
  tree.link(directory + "/0000:01:00.0", "../../pci0000:00");  // a loop of directories
  const Recording recording = captured(tree);
  EXPECT_EQ(recording.find(directory + "/vendor")->kind, Entry::Kind::refused);
  EXPECT_EQ(recording.find(directory + "/class")->kind, Entry::Kind::refused);
  EXPECT_EQ(recording.find(directory + "/0000:01:00.0")->kind, Entry::Kind::refused);
  EXPECT_EQ(recording.entries.size(), 3u);
}

TEST(PciFunction, SleepingDeviceIsNotWokenForItsConfigurationSpace) {
  const FakeTree tree;
  tree.file(directory + "/config", std::string(256, '\1'));
  tree.file(directory + "/power_state", "D3cold\n");
  const Machine machine = read_sysfs(captured(tree)).value();
  EXPECT_EQ(*only(machine).pci->power_state, "D3cold");
  EXPECT_EQ(only(machine).pci->port.reading().why(),
            "not read: the device is in D3cold and reading would wake it");
}

TEST(PciFunction, VirtualFunctionPointsToItsPhysicalOneAndKeepsItsRegistersOut) {
  const FakeTree tree;
  tree.file(directory + "/vendor", "0x15b3\n");
  tree.file(directory + "/device", "0x101e\n");
  tree.file(directory + "/config", std::string(256, '\xff'));
  tree.link(directory + "/physfn", "../0000:00:00.0");
  const Machine machine = read_sysfs(captured(tree)).value();
  EXPECT_EQ(only(machine).pci->physical_function->text(), "0000:00:00.0");
  EXPECT_EQ(*only(machine).pci->id, (model::PciId{0x15b3, 0x101e}));
  EXPECT_TRUE(only(machine).pci->id.refusals().empty());
}

TEST(PciFunction, AerCountersKeepTheirLines) {
  const Machine machine = with("aer_dev_correctable", "RxErr 3\nBadTLP 0\nTOTAL_ERR_COR 3\n");
  const auto& counters = only(machine).pci->aer_correctable;
  ASSERT_EQ(counters.size(), 3u);
  EXPECT_EQ(*counters.at("RxErr").value, 3u);
  EXPECT_EQ(machine.sources.text(counters.at("TOTAL_ERR_COR").value.source()),
            directory + "/aer_dev_correctable:3");
}

TEST(PciFunction, AerGarbageIsRemarkedWithItsLine) {
  const Machine machine = with("aer_dev_fatal", "DLP 1\nwhat is this\nTLP 2\n");
  EXPECT_EQ(only(machine).pci->aer_fatal.size(), 1u);
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "expected a counter like \"RxErr 0\", found \"what is this\"");
  EXPECT_EQ(machine.sources.text(machine.remarks[0].source), directory + "/aer_dev_fatal:2");
}

TEST(PciFunction, AerLinesAreBounded) {
  std::string lines;
  for (int i = 0; i < 1000; ++i) lines += "E" + std::to_string(i) + " 1\n";
  const Machine machine = with("aer_dev_nonfatal", lines);
  EXPECT_EQ(only(machine).pci->aer_nonfatal.size(), 64u);
  ASSERT_EQ(machine.remarks.size(), 1u);
}

TEST(PciFunction, GarbageIsUnknownAndRemarked) {
  for (const auto* name :
       {"numa_node", "class", "current_link_speed", "max_link_width", "sriov_totalvfs"}) {
    const Machine machine = with(name, "\xff\x01 99999999999999999999");
    EXPECT_EQ(machine.remarks.size(), 1u) << name;
  }
  EXPECT_FALSE(only(with("max_link_width", "-4")).pci->link.max_width);
}

TEST(PciFunction, AspmIsWhatTheLinkDirectorySays) {
  Recording recording;
  recording.add_file(directory + "/link/l1_aspm", "1\n");
  EXPECT_EQ(*only(read_sysfs(recording).value()).pci->aspm, model::Aspm::l1);
  recording.add_file(directory + "/link/l0s_aspm", "1\n");
  EXPECT_EQ(*only(read_sysfs(recording).value()).pci->aspm, model::Aspm::l0s_l1);
  recording.add_file(directory + "/link/l1_aspm", "0\n");
  EXPECT_EQ(*only(read_sysfs(recording).value()).pci->aspm, model::Aspm::l0s);
}

TEST(PciFunction, MissingTreeIsNotAMachine) {
  const FakeTree tree;
  const Recording recording = captured(tree);
  EXPECT_TRUE(recording.entries.empty());
  EXPECT_FALSE(sysfs_present(recording));
  const auto machine = read_sysfs(recording);
  ASSERT_FALSE(machine);
  EXPECT_EQ(machine.error().kind, ErrorKind::not_found);
}

}  // namespace
}  // namespace railgauge::observe
