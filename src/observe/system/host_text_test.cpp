#include "observe/system/host_text.h"

#include <gtest/gtest.h>

#include "observe/system/test_pasted.h"

namespace railgauge::observe {
namespace {

using model::Limit;
using model::Machine;

void expect_limits(const std::string& text, Limit memory, Limit files) {
  const auto [found, machine] = pasted(limits_text, text);
  EXPECT_TRUE(found) << text;
  EXPECT_EQ(*machine.host.locked_memory_limit_bytes, memory) << text;
  EXPECT_EQ(*machine.host.open_files_limit, files) << text;
}

TEST(Limits, AreReadInTheFormsOfAllShells) {
  expect_limits(
      "Limit                     Soft Limit           Hard Limit           Units     \n"
      "Max locked memory         8388608              unlimited            bytes     \n"
      "Max open files            1024                 1048576              files     \n",
      Limit{8388608}, Limit{1024});
  expect_limits(
      "open files                          (-n) 1048576\n"
      "max locked memory           (kbytes, -l) unlimited\n",
      Limit{}, Limit{1048576});
  expect_limits("-l: locked-in-memory size (kbytes)  64\n-n: file descriptors   1024\n",
                Limit{65536}, Limit{1024});
  expect_limits("locked memory(kbytes) 64\nnofiles 1024\n", Limit{65536}, Limit{1024});
  expect_limits(
      "MEMLOCK    max locked-in-memory address space  8388608 8388608 bytes\n"
      "NOFILE     max number of open files               1024  524288 files\n",
      Limit{8388608}, Limit{1024});
}

TEST(Limits, OtherWordsAreRemarked) {
  const auto [found, machine] = pasted(limits_text, "Max locked memory   many   many   bytes\n");
  EXPECT_FALSE(machine.host.locked_memory_limit_bytes);
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "expected a number or unlimited, found \"many\"");
}

TEST(Memory, TotalsAndHugePages) {
  const auto [found, machine] = pasted(memory_text,
                                       "MemTotal:       2113411072 kB\nMemFree:  1 kB\n"
                                       "MemAvailable:    100 kB\nHugePages_Total:      4\n"
                                       "HugePages_Free:       3\nHugepagesize:       2048 kB\n");
  EXPECT_TRUE(found);
  EXPECT_EQ(*machine.host.memory_bytes, 2113411072ull * 1024);
  EXPECT_EQ(*machine.host.memory_available_bytes, 102400u);
  EXPECT_EQ(*machine.host.huge_pages_bytes, 4u * 2048 * 1024);
  EXPECT_EQ(*machine.host.huge_pages_free_bytes, 3u * 2048 * 1024);
}

TEST(Memory, FreePagesOfSeveralSizesAreUnknown) {
  const auto machine = pasted(memory_text,
                              "MemTotal: 64 kB\nHugePages_Total: 4\nHugePages_Free: 4\n"
                              "Hugepagesize: 2048 kB\nHugetlb: 1056768 kB\n")
                           .machine;
  EXPECT_EQ(*machine.host.huge_pages_bytes, 1056768u * 1024);
  EXPECT_FALSE(machine.host.huge_pages_free_bytes);
}

TEST(Memory, LinesOfOneNodeAreNotTheHosts) {
  EXPECT_FALSE(pasted(memory_text, "Node 0 MemTotal:       1024 kB\n").found);
}

void expect_shm(const std::string& text, std::uint64_t size, std::uint64_t used) {
  const auto [found, machine] = pasted(shared_memory_text, text);
  EXPECT_TRUE(found) << text;
  EXPECT_EQ(*machine.host.shm_bytes, size) << text;
  EXPECT_EQ(*machine.host.shm_used_bytes, used) << text;
}

TEST(SharedMemory, AllFormsOfDf) {
  expect_shm(
      "Filesystem 1024-blocks Used Available Capacity Mounted on\n"
      "tmpfs 65536 1024 64512 2% /dev/shm\n",
      64u << 20, 1u << 20);
  expect_shm("Filesystem      Size  Used Avail Use% Mounted on\nshm  64M  0 64M   0% /dev/shm\n",
             64u << 20, 0);
  expect_shm(
      "Filesystem Type 1M-blocks Used Available Use% Mounted on\n"
      "tmpfs tmpfs 1048576 2 1048574 1% /dev/shm\n",
      1ull << 40, 2u << 20);
  expect_shm("tmpfs 1.5T 512K 1.5T 1% /dev/shm\n", 3ull << 39, 512u << 10);
}

TEST(SharedMemory, NumbersWithoutUnitAreRemarked) {
  const auto [found, machine] = pasted(shared_memory_text, "tmpfs 65536 0 65536 0% /dev/shm\n");
  EXPECT_TRUE(found);
  EXPECT_FALSE(machine.host.shm_bytes);
  EXPECT_EQ(machine.remarks.size(), 1u);
}

TEST(Governors, OneOrAMixture) {
  EXPECT_EQ(
      *pasted(governors_text,
              "                  The governor \"performance\" may decide which speed to use\n")
           .machine.host.cpu_governor,
      "performance");
  EXPECT_EQ(*pasted(governors_text,
                    "/sys/devices/system/cpu/cpu0/cpufreq/scaling_governor:powersave\n"
                    "/sys/devices/system/cpu/cpu1/cpufreq/scaling_governor:performance\n"
                    "/sys/devices/system/cpu/cpu2/cpufreq/scaling_governor:performance\n")
                 .machine.host.cpu_governor,
            "performance ×2, powersave ×1");
  EXPECT_FALSE(pasted(governors_text, "performance\n").found);
}

TEST(Numactl, ShowsWhatTheProcessMayUse) {
  const auto machine = pasted(numactl_show_text,
                              "policy: default\npreferred node: current\nphyscpubind: 0 1 2 3 8 \n"
                              "cpubind: 0 \nnodebind: 0 \nmembind: 0 1 \n")
                           .machine;
  EXPECT_EQ(*machine.host.cpus_allowed, "0-3,8");
  EXPECT_EQ(*machine.host.numa_nodes_allowed, "0-1");
}

TEST(OsRelease, PrettyNameIsTheSystem) {
  EXPECT_EQ(
      *pasted(os_release_text, "NAME=\"Ubuntu\"\nPRETTY_NAME=\"Ubuntu 22.04.4 LTS\"\nID=ubuntu\n")
           .machine.host.os,
      "Ubuntu 22.04.4 LTS");
  EXPECT_FALSE(pasted(os_release_text, "PRETTY_NAME=\"x\"\n").found);
}

TEST(NvidiaVersion, OpenModulesAreToldApart) {
  const auto open = pasted(nvidia_version_text,
                           "NVRM version: NVIDIA UNIX Open Kernel Module for x86_64  570.86.15  "
                           "Release Build\n")
                        .machine;
  EXPECT_EQ(*open.host.driver, "570.86.15");
  EXPECT_TRUE(*open.host.open_driver);
  const auto closed = pasted(nvidia_version_text,
                             "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat\n")
                          .machine;
  EXPECT_FALSE(*closed.host.open_driver);
  EXPECT_FALSE(pasted(nvidia_version_text, "NVRM: loading NVIDIA UNIX Kernel 535.1\n").found);
}

TEST(Modules, OfTheListAloneAndWithoutTheHeaderToo) {
  const auto machine = pasted(modules_text,
                              "Module                  Size  Used by\n"
                              "nvidia_peermem         16384  0\n"
                              "snd_pcm               143360  1 snd\n"
                              "ib_core               434176  9 rdma_cm,nvidia_peermem\n")
                           .machine;
  ASSERT_EQ(machine.modules.size(), 2u);
  EXPECT_EQ(machine.modules[0].name, "nvidia_peermem");
  EXPECT_EQ(machine.modules[1].source.line, 4u);
  EXPECT_TRUE(pasted(modules_text, "ib_core 434176 9 rdma_cm, Live 0x0\n").found);
  EXPECT_TRUE(pasted(modules_text, "Module Size Used by\n").found);
  EXPECT_FALSE(pasted(modules_text, "snd_pcm 143360 1\nice 3 4\nice is cold\n").found);
}

TEST(ModuleInfo, GivesTheDriverButNoLoadedModule) {
  const auto machine = pasted(module_info_text,
                              "filename:       /lib/modules/5.15/updates/dkms/nvidia.ko\n"
                              "version:        535.104.05\n"
                              "filename:       /lib/modules/5.15/extra/mlx5_core.ko.xz\n"
                              "version:        23.10-0.5.5\n")
                           .machine;
  EXPECT_EQ(*machine.host.driver, "535.104.05");
  EXPECT_TRUE(machine.modules.empty());
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text,
            "\"mlx5_core\" \"23.10-0.5.5\" is installed; whether it is loaded, modinfo does not "
            "say");
}

}  // namespace
}  // namespace railgauge::observe
