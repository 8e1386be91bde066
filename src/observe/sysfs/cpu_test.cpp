#include <gtest/gtest.h>

#include "observe/sources.h"
#include "observe/sysfs/cpu_names.h"
#include "observe/sysfs/fake_machines.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::Machine;

Machine machine_of(const FakeTree& tree) {
  Recording recording;
  capture_sysfs(tree.root(), recording);
  return read_sysfs(recording).value();
}

TEST(Cpus, NodesHangBelowTheirPackages) {
  const FakeTree tree;
  build_cpus(tree);
  const Machine machine = machine_of(tree);
  const auto& node = machine[machine.indexed(DeviceKind::numa_node, 1).value()];
  EXPECT_EQ(*node.cpu->cpus, "2-3");
  EXPECT_EQ(*node.cpu->distances, (std::vector<int>{21, 10}));
  EXPECT_EQ(*node.cpu->memory_bytes, 1024u * 1024u);
  EXPECT_EQ(*machine[node.parent.value()].index, 1);
  EXPECT_EQ(machine.of_kind(DeviceKind::package).size(), 2u);
}

TEST(Cpus, FirstProcessorDescribesThePackagesTheOthersByInference) {
  const FakeTree tree;
  build_cpus(tree);
  const Machine machine = machine_of(tree);
  const auto& first = *machine[machine.indexed(DeviceKind::package, 0).value()].cpu;
  const auto& second = *machine[machine.indexed(DeviceKind::package, 1).value()].cpu;
  EXPECT_EQ(*first.vendor, "GenuineIntel");
  EXPECT_EQ(*first.family, 6);
  EXPECT_EQ(*first.model, 143);
  EXPECT_EQ(*first.core_count, 2);
  EXPECT_EQ(*first.architecture, "x86_64");
  EXPECT_FALSE(first.model.inferred());
  EXPECT_TRUE(second.model.inferred());
  EXPECT_EQ(machine.sources.text(first.model.source()), "proc/cpuinfo:4");
}

TEST(Cpus, OnlyTheFirstProcessorAndTheMemoryTotalAreRecorded) {
  const FakeTree tree;
  build_cpus(tree);
  Recording recording;
  capture_sysfs(tree.root(), recording);
  EXPECT_EQ(recording.find("proc/cpuinfo")->bytes.find("processor\t: 1"), std::string::npos);
  EXPECT_EQ(recording.find("sys/devices/system/node/node1/meminfo")->bytes,
            "Node 1 MemTotal:       1024 kB\n");
  EXPECT_FALSE(recording.has_directory("sys/devices/system/cpu/cpu1"));
}

TEST(Cpus, MemoryOfAGpuIsANodeWithoutCpus) {
  Recording recording;
  recording.add_file("sys/devices/system/node/node4/cpulist", "\n");
  const Machine machine = read_sysfs(recording).value();
  const auto& node = machine[machine.indexed(DeviceKind::numa_node, 4).value()];
  EXPECT_EQ(*node.cpu->cpus, "");
  EXPECT_FALSE(node.parent);
}

TEST(Cpus, UnknownPackageIsSaidAndNotInvented) {
  Recording recording;
  recording.add_file("sys/devices/system/node/node0/cpulist", "0-63\n");
  recording.add_file("sys/devices/system/cpu/cpu0/topology/physical_package_id", "-1\n");
  const Machine machine = read_sysfs(recording).value();
  EXPECT_TRUE(machine.of_kind(DeviceKind::package).empty());
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text,
            "the package of CPU 0 is unknown: the kernel says -1: the firmware gave no package");
}

TEST(Cpus, KernelWithoutNumaHasOnePackageOfAllCpus) {
  const FakeTree tree;
  tree.file("sys/devices/system/cpu/online", "0-7\n");
  tree.file("sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n");
  const Machine machine = machine_of(tree);
  EXPECT_TRUE(machine.of_kind(DeviceKind::numa_node).empty());
  EXPECT_EQ(*machine[machine.indexed(DeviceKind::package, 0).value()].cpu->cpus, "0-7");
}

TEST(Cpus, ArmIsKnownByItsImplementer) {
  Recording recording;
  recording.add_file("sys/devices/system/node/node0/cpulist", "0-71\n");
  recording.add_file("sys/devices/system/cpu/cpu0/topology/physical_package_id", "0\n");
  recording.add_file("proc/cpuinfo",
                     "processor\t: 0\nCPU implementer\t: 0x41\nCPU architecture: 8\n"
                     "CPU part\t: 0xd4f\n");
  const Machine machine = read_sysfs(recording).value();
  const auto& cpu = *machine[machine.indexed(DeviceKind::package, 0).value()].cpu;
  EXPECT_EQ(*cpu.vendor, "ARM");
  EXPECT_EQ(*cpu.architecture, "arm64");
  EXPECT_EQ(*cpu.model, 0xd4f);
}

TEST(Cpus, NodesComeInTheOrderOfTheirNumbers) {
  Recording recording;
  for (const auto* name : {"node0", "node2", "node10"})
    recording.add_file("sys/devices/system/node/" + std::string(name) + "/cpulist", "\n");
  const Machine machine = read_sysfs(recording).value();
  ASSERT_EQ(machine.devices.size(), 3u);
  EXPECT_EQ(*machine.devices[1].index, 2);
  EXPECT_EQ(*machine.devices[2].index, 10);
}

TEST(CpuNames, NumbersAreWholeAndNothingElse) {
  EXPECT_EQ(node_number("node12"), 12);
  EXPECT_EQ(node_number("node"), std::nullopt);
  EXPECT_EQ(node_number("node01"), std::nullopt);
  EXPECT_EQ(node_number("node-1"), std::nullopt);
  EXPECT_EQ(first_cpu("48-95,144-191\n"), 48);
  EXPECT_EQ(first_cpu("\n"), std::nullopt);
}

}  // namespace
}  // namespace railgauge::observe
