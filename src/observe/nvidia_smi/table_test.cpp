#include "observe/nvidia_smi/table.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using model::Device;
using model::Machine;

Machine read(const std::string& text) {
  EXPECT_TRUE(looks_like_smi_table(text));
  auto machine = read_smi_table({"smi.txt", text});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? *machine : Machine{};
}

constexpr const char* branch_550 = R"(
+-----------------------------------------------------------------------------------------+
| NVIDIA-SMI 550.54.15              Driver Version: 550.54.15      CUDA Version: 12.4     |
|-----------------------------------------+------------------------+----------------------+
| GPU  Name                 Persistence-M | Bus-Id          Disp.A | Volatile Uncorr. ECC |
| Fan  Temp   Perf          Pwr:Usage/Cap |           Memory-Usage | GPU-Util  Compute M. |
|                                         |                        |               MIG M. |
|=========================================+========================+======================|
|   0  NVIDIA H100 80GB HBM3          On  |   00000000:18:00.0 Off |                    2 |
| N/A   32C    P0             78W /  700W |      12MiB /  81559MiB |      5%   E. Process |
|                                         |                        |             Disabled |
+-----------------------------------------+------------------------+----------------------+
|   1  NVIDIA H100 80GB HBM3          Off |   00000000:2A:00.0 Off |                 ERR! |
|ERR!  ERR!  ERR!             N/A / ERR!  |       0MiB /  81559MiB |      N/A      Default |
|                                         |                        |             Enabled* |
+-----------------------------------------+------------------------+----------------------+
|   2  NVIDIA GeForce RTX 3090        Off |   00000000:3B:00.0 Off |                  N/A |
|  0%   32C    P8             20W /  350W |       1MiB /  24576MiB |      0%      Default |
|                                         |                        |                  N/A |
+-----------------------------------------+------------------------+----------------------+
| Processes:                                                                              |
|    0   N/A  N/A      4242      C   /home/someone/secret                          500MiB |
+-----------------------------------------------------------------------------------------+
)";

TEST(SmiTable, EachGpuHasThreeRows) {
  const Machine machine = read(branch_550);
  ASSERT_EQ(machine.devices.size(), 3u);
  EXPECT_EQ(*machine.host.driver, "550.54.15");
  EXPECT_EQ(*machine.host.cuda, "12.4");
  const Device& gpu = machine.devices[0];
  EXPECT_EQ(*gpu.index, 0);
  EXPECT_EQ(gpu.address->text(), "0000:18:00.0");
  EXPECT_EQ(*gpu.name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(*gpu.gpu->persistence_mode, true);
  EXPECT_EQ(*gpu.gpu->temperature_celsius, 32);
  EXPECT_EQ(*gpu.gpu->p_state, "P0");
  EXPECT_DOUBLE_EQ(*gpu.gpu->power_watts, 78);
  EXPECT_DOUBLE_EQ(*gpu.gpu->power_limit_watts, 700);
  EXPECT_EQ(*gpu.gpu->memory_used_bytes, 12ull << 20);
  EXPECT_EQ(*gpu.gpu->memory_bytes, 81559ull << 20);
  EXPECT_EQ(*gpu.gpu->utilization_percent, 5);
  EXPECT_EQ(*gpu.gpu->compute_mode, "exclusive_process");
  EXPECT_EQ(*gpu.gpu->ecc_enabled, true);
  EXPECT_EQ(*gpu.gpu->ecc_errors.at("volatile_total_uncorrectable").value, 2u);
  EXPECT_EQ(*gpu.gpu->mig_enabled, false);
  EXPECT_TRUE(machine.remarks.empty()) << machine.remarks.front().text;
}

TEST(SmiTable, CellsThatSayErrAreUnknown) {
  const Machine machine = read(branch_550);
  const Device& broken = machine.devices.at(1);
  EXPECT_EQ(broken.gpu->temperature_celsius.reading().why(), "nvidia-smi says \"ERR!\"");
  EXPECT_EQ(broken.gpu->p_state.reading().why(), "nvidia-smi says \"ERR!\"");
  EXPECT_FALSE(broken.gpu->ecc_enabled.known());
  EXPECT_EQ(*broken.gpu->mig_enabled, true);
  EXPECT_FALSE(machine.devices.at(2).gpu->mig_enabled.known());
}

TEST(SmiTable, NarrowTableOfOldDriversCutsNames) {
  const Machine machine = read(
      "| NVIDIA-SMI 450.80.02    Driver Version: 450.80.02    CUDA Version: 11.0     |\n"
      "|   0  A100-SXM4-40GB...  On   | 00000000:07:00.0 Off |                  Off |\n"
      "| N/A   30C    P0    53W / 400W |      0MiB / 40537MiB |      0%      Default |\n");
  const Device& gpu = machine.devices.at(0);
  EXPECT_EQ(gpu.name.reading().why(), "the table cuts it: \"A100-SXM4-40GB...\"");
  EXPECT_EQ(*gpu.gpu->ecc_enabled, false);
  EXPECT_EQ(*gpu.gpu->p_state, "P0");
}

TEST(SmiTable, NewestDriversNameTwoVersions) {
  const Machine machine = read(
      "| NVIDIA-SMI 595.71.03      KMD Version: 595.71.03      CUDA UMD Version: 13.2     |\n");
  EXPECT_EQ(*machine.host.driver, "595.71.03");
  EXPECT_EQ(*machine.host.cuda, "13.2");
}

TEST(SmiTable, GpuWithoutAHandleIsAnErrorWithItsAddress) {
  const Machine machine = read(
      "Unable to determine the device handle for GPU 0000:43:00.0: GPU is lost.  Reboot the "
      "system to recover this GPU\n"
      "Unable to determine the device handle for GPU1: 0000:52:00.0: Unknown Error\n");
  ASSERT_EQ(machine.devices.size(), 2u);
  EXPECT_EQ(machine.devices[0].address->text(), "0000:43:00.0");
  EXPECT_EQ(machine.devices[1].address->text(), "0000:52:00.0");
  ASSERT_EQ(machine.remarks.size(), 2u);
  EXPECT_EQ(machine.remarks[0].level, model::RemarkLevel::error);
  EXPECT_TRUE(contains(machine.remarks[0].text, "GPU at 0000:43:00.0"));
  EXPECT_TRUE(contains(machine.remarks[0].text, "GPU is lost"));
}

TEST(SmiTable, NoDriverIsAnError) {
  const Machine machine = read(
      "NVIDIA-SMI has failed because it couldn't communicate with the NVIDIA driver. Make sure "
      "that the latest NVIDIA driver is installed and running.\n");
  EXPECT_TRUE(machine.devices.empty());
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].level, model::RemarkLevel::error);
}

TEST(SmiTable, RowOfAnotherShapeIsRemarked) {
  const Machine machine = read(
      "|   0  NVIDIA H200  On  |   00000000:18:00.0 Off |   0 |\n"
      "| N/A   32C    P0  78W  |   0MiB / 143771MiB     |   0%  Default |\n");
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].source.line, 2u);
}

TEST(SmiTable, OtherTablesAreNotTaken) {
  for (const char* text :
       {"", "| a | b | c |", "| 0 MIG 1g.10gb 19 | 1/1 | 9.50 |",
        "|  GPU   PID   Type   Process name |", "nvidia-smi: command not found"}) {
    EXPECT_FALSE(looks_like_smi_table(text)) << text;
    EXPECT_FALSE(read_smi_table({"x", text})) << text;
  }
}

}  // namespace
}  // namespace railgauge::observe
