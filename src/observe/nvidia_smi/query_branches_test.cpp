// `nvidia-smi -q` of other drivers and other situations: old branches, a lost GPU, a guest, MIG.
#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/nvidia_smi/query_testing.h"

namespace railgauge::observe {
namespace {

using model::Device;
using model::DeviceKind;
using model::Machine;

TEST(SmiQuery, DriverOfBranch450HasOneSramCountAndOldPowerReadings) {
  const Machine machine = read_query(R"(
GPU 00000000:07:00.0
    Product Name                    : A100-SXM4-40GB
    PCI
        GPU Link Info
            PCIe Generation
                Max                 : 4
                Current             : 4
            Link Width
                Max                 : 16x
                Current             : 16x
    Clocks Throttle Reasons
        Idle                        : Active
        Display Clock Setting       : Not Active
    Utilization
        Gpu                         : 0 %
    ECC Errors
        Volatile
            SRAM Correctable        : 0
            SRAM Uncorrectable      : 8
            DRAM Uncorrectable      : 0
    Retired Pages
        Pending Page Blacklist      : N/A
    Power Readings
        Power Management            : Supported
        Power Draw                  : 53.38 W
        Power Limit                 : 400.00 W
        Enforced Power Limit        : 350.00 W
)");
  const Device& gpu = only_gpu(machine);
  EXPECT_EQ(ecc(gpu, "volatile_sram_uncorrectable"), 8u);
  EXPECT_DOUBLE_EQ(*gpu.gpu->power_watts, 53.38);
  EXPECT_DOUBLE_EQ(*gpu.gpu->power_limit_watts, 350);
  EXPECT_EQ(*gpu.gpu->throttle_reasons, (std::vector<std::string>{"gpu_idle"}));
  EXPECT_EQ(*gpu.gpu->utilization_percent, 0);
  EXPECT_FALSE(gpu.pci->link.max_speed.known()) << "old drivers do not say what the GPU could do";
  EXPECT_FALSE(gpu.index.known()) << "no count of GPUs says whether the list is whole";
  EXPECT_EQ(attribute(gpu, "retired_pages_pending"), "absent");
}

TEST(SmiQuery, VoltaCountsBySingleAndDoubleBitAndRetiresPages) {
  const Machine machine = read_query(R"(
GPU 00000001:00:00.0
    ECC Errors
        Volatile
            Single Bit
                Device Memory             : 3
                Register File             : 1
                Total                     : 4
            Double Bit
                Device Memory             : 2
                CBU                       : 0
        Aggregate
            Double Bit
                L2 Cache                  : 5
    Retired Pages
        Single Bit ECC                    : 1
        Double Bit ECC                    : 2
        Pending Page Blacklist            : Yes
    Remapped Rows                         : N/A
)");
  const Device& gpu = only_gpu(machine);
  EXPECT_EQ(gpu.address->domain, 1u);
  EXPECT_EQ(ecc(gpu, "volatile_dram_correctable"), 3u);
  EXPECT_EQ(ecc(gpu, "volatile_register_file_correctable"), 1u);
  EXPECT_EQ(ecc(gpu, "volatile_total_correctable"), 4u);
  EXPECT_EQ(ecc(gpu, "volatile_dram_uncorrectable"), 2u);
  EXPECT_EQ(ecc(gpu, "aggregate_l2_cache_uncorrectable"), 5u);
  EXPECT_EQ(attribute(gpu, "retired_pages_double_bit"), "2");
  EXPECT_EQ(attribute(gpu, "retired_pages_pending"), "Yes");
  EXPECT_EQ(gpu.gpu->remapping_failed.reading().why(), "nvidia-smi says \"N/A\"");
}

TEST(SmiQuery, LostGpuIsUnknownInNvidiasWordsAndStillThere) {
  const Machine machine = read_query(R"(
GPU 00000000:43:00.0
    Product Name                          : NVIDIA H200
    VBIOS Version                         : [GPU is lost]
    Performance State                     : [GPU requires reset]
    GPU Reset Status
        Reset Required                    : Yes
    Temperature
        GPU Current Temp                  : Unknown Error
)");
  const Device& gpu = only_gpu(machine);
  EXPECT_EQ(gpu.gpu->vbios.reading().why(), "nvidia-smi says \"GPU is lost\"");
  EXPECT_EQ(gpu.gpu->p_state.reading().why(), "nvidia-smi says \"GPU requires reset\"");
  EXPECT_EQ(gpu.gpu->temperature_celsius.reading().why(), "nvidia-smi says \"Unknown Error\"");
  EXPECT_EQ(*gpu.gpu->reset_required, true);
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(SmiQuery, VirtualMachineDoesNotKnowItsHost) {
  const Machine machine = read_query(R"(
GPU 00000000:00:06.0
    GPU Virtualization Mode
        Virtualization Mode               : Pass-Through
        Host VGPU Mode                    : N/A
    PCI
        GPU Link Info
            PCIe Generation
                Host Max                  : N/A
    Fabric
        State                             : In Progress
        Status                            : N/A
        ClusterUUID                       : 00000000-0000-0000-0000-000000000000
        CliqueId                          : 0
)");
  const Device& gpu = only_gpu(machine);
  EXPECT_EQ(attribute(gpu, "virtualization_mode"), "Pass-Through");
  EXPECT_EQ(attribute(gpu, "pcie_max_of_slot"), "absent");
  EXPECT_EQ(*gpu.gpu->fabric_state, "in_progress");
  EXPECT_FALSE(gpu.gpu->fabric_cluster.known());
}

TEST(SmiQuery, MigDevicesHaveMemoryOfTheirOwn) {
  const Machine machine = read_query(R"(
GPU 00000000:3B:00.0
    MIG Mode
        Current                           : Enabled
        Pending                           : Enabled
    MIG Device
        Index                             : 0
        GPU Instance ID                   : 1
        Compute Instance ID               : 0
        ECC Errors
            Volatile
                SRAM Uncorrectable        : 77
        FB Memory Usage
            Total                         : 19968 MiB
    MIG Device
        Index                             : 1
        GPU Instance ID                   : 5
    FB Memory Usage
        Total                             : 81920 MiB
)");
  const Device& gpu = only_gpu(machine);
  EXPECT_EQ(*gpu.gpu->mig_enabled, true);
  EXPECT_EQ(gpu.gpu->mig_devices,
            (std::vector<std::string>{"MIG device 0, GPU instance 1, compute instance 0",
                                      "MIG device 1, GPU instance 5"}));
  EXPECT_EQ(*gpu.gpu->memory_bytes, 81920ull << 20);
  EXPECT_TRUE(gpu.gpu->ecc_errors.empty());
}

}  // namespace
}  // namespace railgauge::observe
