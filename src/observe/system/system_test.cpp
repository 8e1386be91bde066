#include <gtest/gtest.h>
#include <sys/stat.h>

#include "base/strings.h"
#include "observe/archive/archive.h"
#include "observe/sources.h"
#include "observe/sysfs/fake_machines.h"

namespace railgauge::observe {
namespace {

using model::Limit;
using model::Machine;

Recording captured(const Root& root) {
  Recording recording;
  capture_system(root, recording);
  return recording;
}
Machine machine_of(const FakeTree& tree) { return read_system(captured(tree.root())).value(); }

// A host with something secret in every place that is read in part.
void build_secrets(const FakeTree& tree) {
  tree.file("proc/cmdline",
            "root=UUID=hunter2 iommu=pt hunter2 inst.ks=http://hunter2 k=hunter2\n");
  tree.file("etc/nccl.conf", "NCCL_DEBUG=INFO\n# hunter2\nTOKEN=hunter2\nNCCL_TOKEN=hunter2\n");
  tree.file("home/hunter2/.nccl.conf", "NCCL_SECRET=hunter2\n");
  tree.file("proc/self/status", "Name:\thunter2\nUid:\t1000\nCpus_allowed_list:\t0-3\n");
  tree.file("proc/self/cgroup", "0::/user.slice/hunter2\n");
  tree.file("sys/fs/cgroup/user.slice/hunter2/cpuset.cpus.effective", "0-3\n");
  tree.file("proc/modules", "ib_core 434176 9 - Live 0xffffffffhunter2\nhunter2 4096 0 - Live 0\n");
  tree.file("proc/17/comm", "irqbalance\n");
  tree.file("proc/17/cmdline", "irqbalance --hunter2");
  tree.file("proc/18/comm", "hunter2\n");
  tree.file("proc/meminfo", "MemTotal: 1024 kB\nhunter2: 3\n");
  tree.file("sys/class/dmi/id/product_serial", "hunter2\n");
  tree.file("sys/class/dmi/id/product_uuid", "hunter2\n");
}

TEST(System, SecretsOfCommandLineEnvironmentAndProcessesNeverEnterTheRecording) {
  const FakeTree tree;
  build_secrets(tree);
  Root root = tree.root();
  root.environment = {"HOME=/home/hunter2", "USER=hunter2", "NCCL_PASSWORD=hunter2", "RANK=0"};
  const auto recording = captured(root);
  for (const auto& [path, entry] : recording.entries) {
    EXPECT_FALSE(contains(path, "hunter2")) << path;
    EXPECT_FALSE(contains(entry.bytes, "hunter2")) << path << ": " << entry.bytes;
  }
  EXPECT_EQ(recording.find("proc/cmdline")->bytes,
            "root=(hidden) iommu=pt (hidden) inst.ks=(hidden) (hidden)\n");
  EXPECT_EQ(recording.find("environment.txt")->bytes, "RANK=0\n");
  EXPECT_EQ(recording.find("system/services.txt")->bytes, "irqbalance\n");
  EXPECT_EQ(recording.find("system/cgroup/cpuset.cpus.effective")->bytes, "0-3\n");
}

TEST(System, PackedAndUnpackedReadsTheSame) {
  const FakeTree tree;
  build_secrets(tree);
  build_gpu_server(tree, false);
  tree.link("usr/lib/x86_64-linux-gnu/libnccl.so.2", "libnccl.so.2.28.9");
  Root root = tree.root();
  root.environment = {"NCCL_DEBUG=INFO", "NCCL_TOKEN=x"};
  Recording live = captured(root);
  live.name = "node07";
  const auto unpacked = unpack(pack(live).value(), "node07");
  ASSERT_TRUE(unpacked) << unpacked.error().text();
  EXPECT_EQ(live.entries, unpacked->entries);
  EXPECT_EQ(read_system(live).value(), read_system(*unpacked).value());
}

TEST(System, LibrariesAreKnownByTheirLinks) {
  const FakeTree tree;
  tree.link("usr/lib/x86_64-linux-gnu/libnccl.so.2", "libnccl.so.2.28.9");
  tree.link("opt/other/lib/libnccl.so.2", "libnccl.so.2.18.1");
  tree.link("usr/local/cuda-12.4/lib64/libcudart.so.12", "libcudart.so.12.4.127");
  tree.link("usr/lib64/libcuda.so.1", "/etc/alternatives/libcuda.so.1");
  tree.file("usr/lib64/libucp.so.0", "not a link");
  const Machine machine = machine_of(tree);
  EXPECT_EQ(machine.host.libraries.size(), 2u);
  EXPECT_EQ(*machine.host.libraries.at("libcudart"), "12.4.127");
  const auto& nccl = machine.host.libraries.at("libnccl");
  EXPECT_EQ(nccl.claims().size(), 2u);
  EXPECT_FALSE(nccl.disputed());
}

TEST(System, FoldersOfOtherMachinesAreNotLookedInto) {
  const FakeTree tree;
  tree.link("opt/shared/lib/libnccl.so.2", "libnccl.so.2.18.1");
  tree.link("opt/local/lib/libnccl.so.2", "libnccl.so.2.20.5");
  tree.file("proc/self/mountinfo",
            "21 1 8:1 / / rw shared:1 - ext4 /dev/sda1 rw\n"
            "36 21 0:50 / /opt/shared rw,noatime - nfs4 server:/export rw\n");
  EXPECT_EQ(*machine_of(tree).host.libraries.at("libnccl"), "2.20.5");
  EXPECT_FALSE(captured(tree.root()).has_directory("opt/shared"));
}

TEST(System, PipesAreNotWaitedFor) {
  const FakeTree tree;
  tree.directory("etc");
  tree.directory("proc/self");
  for (const char* path : {"etc/nccl.conf", "proc/interrupts", "proc/self/limits"})
    ASSERT_EQ(::mkfifo((tree.root().prefix / path).c_str(), 0600), 0);
  EXPECT_EQ(captured(tree.root()).find("etc/nccl.conf")->bytes, "");
}

TEST(System, ControlGroupsOfVersionTwoTakeTheTightestLimitUpwards) {
  const FakeTree tree;
  tree.file("proc/self/cgroup", "0::/kubepods.slice/pod1/c1\n");
  tree.file("sys/fs/cgroup/kubepods.slice/memory.max", "1048576\n");
  tree.file("sys/fs/cgroup/kubepods.slice/pod1/memory.max", "4194304\n");
  tree.file("sys/fs/cgroup/kubepods.slice/pod1/c1/memory.max", "max\n");
  tree.file("sys/fs/cgroup/cpuset.cpus.effective", "0-63\n");
  const Machine machine = machine_of(tree);
  EXPECT_EQ(*machine.host.cgroup_memory_limit_bytes, Limit{1048576});
  EXPECT_EQ(*machine.host.cgroup_cpus, "0-63");
  EXPECT_EQ(*machine.host.container, "kubernetes");
}

TEST(System, ControlGroupsOfVersionOneAreReadInTheWordsOfTheOther) {
  const FakeTree tree;
  tree.file("proc/self/cgroup", "5:cpuset:/docker/a\n4:memory,x:/docker/a\n0::/\n");
  tree.file("sys/fs/cgroup/cpuset/docker/a/cpuset.effective_cpus", "0-7\n");
  tree.file("sys/fs/cgroup/memory/memory.limit_in_bytes", "9223372036854771712\n");
  const Machine machine = machine_of(tree);
  EXPECT_EQ(*machine.host.cgroup_cpus, "0-7");
  EXPECT_TRUE(machine.host.cgroup_memory_limit_bytes->unlimited());
  EXPECT_EQ(*machine.host.container, "docker");
}

TEST(System, NoSignOfAContainerIsNone) {
  const FakeTree tree;
  tree.file("proc/self/cgroup", "0::/init.scope\n");
  EXPECT_EQ(*machine_of(tree).host.container, "none");
}

TEST(System, NoIommuGroupMeansOff) {
  const FakeTree tree;
  tree.directory("sys/kernel/iommu_groups");
  EXPECT_EQ(*machine_of(tree).host.iommu, "off");
  tree.file("sys/kernel/iommu_groups/0/type", "DMA-FQ\n");
  tree.file("sys/kernel/iommu_groups/1/type", "DMA-FQ\n");
  tree.file("sys/kernel/iommu_groups/2/type", "identity\n");
  EXPECT_EQ(*machine_of(tree).host.iommu, "DMA-FQ ×2, identity ×1");
}

TEST(System, SettingsAreReadFromTheKernelsFiles) {
  const FakeTree tree;
  for (const char* policy : {"policy0", "policy1"})
    tree.file(std::string("sys/devices/system/cpu/cpufreq/") + policy + "/scaling_governor",
              "performance\n");
  tree.file("sys/devices/system/cpu/smt/control", "on\n");
  tree.file("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  tree.file("sys/kernel/mm/hugepages/hugepages-2048kB/nr_hugepages", "8\n");
  tree.file("sys/kernel/mm/hugepages/hugepages-2048kB/free_hugepages", "2\n");
  tree.file("sys/kernel/mm/hugepages/hugepages-1048576kB/nr_hugepages", "1\n");
  tree.file("sys/kernel/mm/hugepages/hugepages-1048576kB/free_hugepages", "0\n");
  tree.file("proc/sys/kernel/numa_balancing", "1\n");
  tree.file("proc/sys/net/ipv4/tcp_rmem", "4096\t131072\t6291456\n");
  tree.file("proc/uptime", "350735.47 234388.90\n");
  tree.link("etc/os-release", "../usr/lib/os-release");
  tree.file("usr/lib/os-release", "PRETTY_NAME=\"Rocky Linux 9.3\"\nID=rocky\n");
  tree.directory("dev/shm");
  const auto host = machine_of(tree).host;
  EXPECT_EQ(*host.cpu_governor, "performance");
  EXPECT_EQ(*host.smt, "on");
  EXPECT_EQ(*host.transparent_huge_pages, "madvise");
  EXPECT_EQ(*host.huge_pages_bytes, (8u * 2 << 20) + (1u << 30));
  EXPECT_EQ(*host.huge_pages_free_bytes, 2u * 2 << 20);
  EXPECT_TRUE(*host.numa_balancing);
  EXPECT_EQ(*host.sysctls.at("net.ipv4.tcp_rmem"), "4096 131072 6291456");
  EXPECT_DOUBLE_EQ(*host.uptime_seconds, 350735.47);
  EXPECT_EQ(*host.os, "Rocky Linux 9.3");
  EXPECT_TRUE(host.shm_bytes.known());
}

TEST(System, ModulesHaveVersionsAndParameters) {
  const FakeTree tree;
  tree.file("proc/modules", "nvidia 56823808 100 nvidia_uvm, Live 0x0\nnv_x 4096 0 - Live 0x0\n");
  tree.file("sys/module/nvidia/version", "535.104.05\n");
  tree.file("sys/module/mlx5_core/parameters/prof_sel", "2\n");
  tree.file("sys/module/snd/version", "1\n");
  tree.file("proc/driver/nvidia/params", "EnableStreamMemOPs: 0\nRegistryDwords: \"A=1\"\n");
  tree.file("sys/kernel/mm/memory_peers/nv_mem/version", "1.3\n");
  const Machine machine = machine_of(tree);
  ASSERT_EQ(machine.modules.size(), 2u);
  EXPECT_EQ(machine.modules[0].name, "nvidia");
  EXPECT_EQ(*machine.modules[0].version, "535.104.05");
  EXPECT_EQ(*machine.modules[0].parameters.at("NVreg_RegistryDwords"), "A=1");
  EXPECT_EQ(*machine.modules[1].parameters.at("prof_sel"), "2");
  EXPECT_EQ(*machine.host.peer_memory, "nv_mem 1.3");
}

Machine host_with(const std::string& flags, const std::string& vendor) {
  Recording recording;
  recording.add_file("proc/cpuinfo", "flags : fpu " + flags + "\n");
  recording.add_file("sys/class/dmi/id/sys_vendor", vendor + "\n");
  return read_system(recording).value();
}

TEST(Host, HypervisorIsNamedByTheFirmwareAndOnlyInAGuest) {
  EXPECT_EQ(*host_with("", "Amazon EC2").host.hypervisor, "none");
  EXPECT_EQ(*host_with("hypervisor", "Amazon EC2").host.hypervisor, "kvm");
  EXPECT_TRUE(host_with("hypervisor", "Amazon EC2").host.hypervisor.inferred());
  EXPECT_EQ(*host_with("hypervisor", "Microsoft Corporation").host.hypervisor, "hyper-v");
  EXPECT_EQ(*host_with("hypervisor", "Acme").host.hypervisor, "unnamed hypervisor");
}

TEST(Host, EmulatedProcessorIsNoVirtualMachineOfKvm) {
  EXPECT_EQ(*host_with("hypervisor", "QEMU").host.hypervisor, "kvm");
  EXPECT_EQ(
      *host_with("hypervisor\nmodel name : QEMU TCG CPU version 2.5+", "QEMU").host.hypervisor,
      "qemu");
}

TEST(Host, NamesAndUnfilledProductAreRead) {
  const FakeTree tree;
  build_cpus(tree);
  tree.file("sys/class/dmi/id/product_name", "To Be Filled By O.E.M.\n");
  tree.file("sys/class/dmi/id/board_vendor", "Supermicro\n");
  tree.file("sys/class/dmi/id/board_name", "X13\n");
  const Machine machine = machine_of(tree);
  EXPECT_EQ(*machine.host.hostname, "node07");
  EXPECT_EQ(*machine.host.kernel, "5.15.0-1042-nvidia");
  EXPECT_TRUE(machine.host.product.reading().is_failed());
  EXPECT_EQ(*machine.host.board, "Supermicro X13");
}

}  // namespace
}  // namespace railgauge::observe
