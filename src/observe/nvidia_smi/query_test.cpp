#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/nvidia_smi/query_testing.h"

namespace railgauge::observe {
namespace {

using model::Device;
using model::DeviceKind;
using model::Machine;

// Branch 570: SRAM errors in two parts, power as an average and as of now, a recovery action.
constexpr const char* branch_570 = R"(
==============NVSMI LOG==============

Timestamp                                 : Sat Mar  1 10:00:00 2025
Driver Version                            : 570.86.15
CUDA Version                              : 12.8

Attached GPUs                             : 2
GPU 00000000:18:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
    Persistence Mode                      : Enabled
    Addressing Mode                       : HMM
    MIG Mode
        Current                           : Disabled
        Pending                           : Enabled
    Serial Number                         : 1650000000001
    GPU UUID                              : GPU-11111111-2222-3333-4444-555555555555
    Minor Number                          : 2
    VBIOS Version                         : 96.00.89.00.01
    Board Part Number                     : 692-2G520-0200-000
    GPU Reset Status
        Reset Required                    : Requested functionality has been deprecated
        Drain and Reset Recommended       : Requested functionality has been deprecated
    GPU Recovery Action                   : Drain and Reset
    GSP Firmware Version                  : 570.86.15
    PCI
        Bus                               : 0x18
        Device Id                         : 0x233010DE
        Bus Id                            : 00000000:18:00.0
        Sub System Id                     : 0x16C110DE
        GPU Link Info
            PCIe Generation
                Max                       : 4
                Current                   : 4
                Device Current            : 4
                Device Max                : 5
                Host Max                  : 4
            Link Width
                Max                       : 16x
                Current                   : 8x
        Replays Since Reset               : 12
        Replay Number Rollovers           : 0
        Tx Throughput                     : 1050 KB/s
    Performance State                     : P0
    Clocks Event Reasons
        Idle                              : Not Active
        SW Power Cap                      : Active
        HW Slowdown                       : Active
            HW Thermal Slowdown           : Not Active
            HW Power Brake Slowdown       : Active
        Sync Boost                        : Not Active
    FB Memory Usage
        Total                             : 81559 MiB
        Reserved                          : 550 MiB
        Used                              : 4 MiB
    BAR1 Memory Usage
        Total                             : 131072 MiB
        Used                              : 1 MiB
    Compute Mode                          : Exclusive_Process
    Utilization
        GPU                               : 3 %
        Memory                            : 1 %
    ECC Mode
        Current                           : Enabled
        Pending                           : Enabled
    ECC Errors
        Volatile
            SRAM Correctable              : 1
            SRAM Uncorrectable Parity     : 2
            SRAM Uncorrectable SEC-DED    : 3
            DRAM Correctable              : 4
            DRAM Uncorrectable            : 5
        Aggregate
            SRAM Correctable              : 0
            DRAM Uncorrectable            : 6
            SRAM Threshold Exceeded       : Yes
        Aggregate Uncorrectable SRAM Sources
            SRAM L2                       : 9
    Retired Pages
        Single Bit ECC                    : N/A
    Remapped Rows
        Correctable Error                 : 1
        Uncorrectable Error               : 4
        Pending                           : Yes
        Remapping Failure Occurred        : No
        Bank Remap Availability Histogram
            Max                           : 2559 bank(s)
            None                          : 1 bank(s)
    Temperature
        GPU Current Temp                  : 31 C
        Memory Current Temp               : 45 C
    GPU Power Readings
        Average Power Draw                : 90.11 W
        Instantaneous Power Draw          : 71.50 W
        Current Power Limit               : 700.00 W
        Requested Power Limit             : 700.00 W
    GPU Memory Power Readings
        Average Power Draw                : 46.00 W
    Clocks
        SM                                : 345 MHz
        Memory                            : 2619 MHz
    Applications Clocks
        Memory                            : 1 MHz
    Max Clocks
        SM                                : 1980 MHz
        Memory                            : 2619 MHz
    Fabric
        State                             : Completed
        Status                            : Success
        CliqueId                          : 7
        ClusterUUID                       : AB000000-0000-0000-0000-0000000000CD
    Processes
        GPU instance ID                   : N/A
        Process ID                        : 4242
            Type                          : C
            Name                          : /home/someone/secret --token abc
            Used GPU Memory               : 500 MiB
    Capabilities
        EGM                               : disabled
GPU 00000000:2A:00.0
    Product Name                          : NVIDIA H100 80GB HBM3
)";

class Branch570 : public testing::Test {
 protected:
  static void SetUpTestSuite() { machine = read_query(branch_570); }
  static void TearDownTestSuite() { machine = {}; }
  const Device& first() const { return machine.devices[0]; }
  static inline Machine machine;
};

TEST_F(Branch570, EachBlockIsAGpuNumberedByItsPlaceInAWholeList) {
  ASSERT_EQ(machine.devices.size(), 2u);
  EXPECT_EQ(first().address->text(), "0000:18:00.0");
  EXPECT_EQ(machine.devices[1].address->text(), "0000:2a:00.0");
  EXPECT_EQ(*machine.devices[1].index, 1);
  EXPECT_TRUE(first().index.inferred());
  EXPECT_EQ(*machine.host.driver, "570.86.15");
  EXPECT_EQ(*machine.host.cuda, "12.8");
  EXPECT_TRUE(machine.remarks.empty()) << machine.remarks.front().text;
  EXPECT_EQ(machine.sources.text(first().name.source()), "q.txt:10");
}

TEST_F(Branch570, NamesAndSettings) {
  EXPECT_EQ(*first().name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(*first().gpu->uuid, "GPU-11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(*first().gpu->serial, "1650000000001");
  EXPECT_EQ(*first().gpu->vbios, "96.00.89.00.01");
  EXPECT_EQ(*first().gpu->board_part_number, "692-2G520-0200-000");
  EXPECT_EQ(*first().gpu->gsp_firmware, "570.86.15");
  EXPECT_EQ(*first().pci->id, (model::PciId{0x10de, 0x2330}));
  EXPECT_EQ(*first().pci->subsystem, (model::PciId{0x10de, 0x16c1}));
  EXPECT_EQ(*first().gpu->persistence_mode, true);
  EXPECT_EQ(*first().gpu->addressing_mode, "hmm");
  EXPECT_EQ(*first().gpu->compute_mode, "exclusive_process");
  EXPECT_EQ(*first().gpu->mig_enabled, false);
  EXPECT_EQ(attribute(first(), "mig_pending"), "enabled");
  EXPECT_EQ(attribute(first(), "ecc_pending"), "absent");
}

TEST_F(Branch570, GpuAloneAndSlotAreToldApart) {
  EXPECT_EQ(first().pci->link.current_speed->generation(), 4);
  EXPECT_EQ(first().pci->link.max_speed->generation(), 5);
  EXPECT_EQ(attribute(first(), "pcie_max_with_slot"), "Gen4");
  EXPECT_EQ(attribute(first(), "pcie_max_of_slot"), "Gen4");
  EXPECT_EQ(*first().pci->link.current_width, 8);
  EXPECT_EQ(*first().pci->link.max_width, 16);
  EXPECT_TRUE(first().pci->link.max_width.inferred());
  EXPECT_EQ(*first().gpu->pcie_errors.at("replays").value, 12u);
}

TEST_F(Branch570, ErrorsOfEachMemory) {
  EXPECT_EQ(*first().gpu->ecc_enabled, true);
  EXPECT_EQ(ecc(first(), "volatile_sram_correctable"), 1u);
  EXPECT_EQ(ecc(first(), "volatile_sram_uncorrectable_parity"), 2u);
  EXPECT_EQ(ecc(first(), "volatile_sram_uncorrectable_secded"), 3u);
  EXPECT_EQ(ecc(first(), "volatile_dram_correctable"), 4u);
  EXPECT_EQ(ecc(first(), "volatile_dram_uncorrectable"), 5u);
  EXPECT_EQ(ecc(first(), "aggregate_dram_uncorrectable"), 6u);
  EXPECT_EQ(first().gpu->ecc_errors.size(), 7u);
  EXPECT_EQ(attribute(first(), "sram_threshold_exceeded"), "Yes");
  EXPECT_EQ(*first().gpu->remapped_rows_correctable, 1);
  EXPECT_EQ(*first().gpu->remapped_rows_uncorrectable, 4);
  EXPECT_EQ(*first().gpu->remapping_pending, true);
  EXPECT_EQ(*first().gpu->remapping_failed, false);
  EXPECT_EQ(attribute(first(), "remap_banks_none"), "1 bank(s)");
  EXPECT_EQ(*first().gpu->recovery_action, "drain_and_reset");
}

TEST_F(Branch570, DeprecatedValueIsUnknownInNvidiasWords) {
  EXPECT_EQ(first().gpu->reset_required.reading().why(),
            "nvidia-smi says \"Requested functionality has been deprecated\"");
}

TEST_F(Branch570, WhatItIsDoing) {
  EXPECT_EQ(*first().gpu->p_state, "P0");
  EXPECT_EQ(*first().gpu->memory_bytes, 81559ull << 20);
  EXPECT_EQ(*first().gpu->memory_used_bytes, 4ull << 20);
  EXPECT_EQ(*first().gpu->bar1_bytes, 131072ull << 20);
  EXPECT_EQ(*first().gpu->utilization_percent, 3);
  EXPECT_EQ(*first().gpu->temperature_celsius, 31);
  EXPECT_EQ(*first().gpu->memory_temperature_celsius, 45);
  EXPECT_DOUBLE_EQ(*first().gpu->power_watts, 71.5) << "of now, not the average";
  EXPECT_FALSE(first().gpu->power_watts.disputed());
  EXPECT_DOUBLE_EQ(*first().gpu->power_limit_watts, 700);
  EXPECT_EQ(*first().gpu->sm_clock_mhz, 345);
  EXPECT_EQ(*first().gpu->sm_clock_max_mhz, 1980);
  EXPECT_EQ(*first().gpu->memory_clock_mhz, 2619);
  EXPECT_EQ(*first().gpu->throttle_reasons,
            (std::vector<std::string>{"sw_power_cap", "hw_slowdown", "hw_power_brake_slowdown"}));
}

TEST_F(Branch570, DomainOfARackIsCliqueAndCluster) {
  EXPECT_EQ(*first().gpu->fabric_state, "completed");
  EXPECT_EQ(*first().gpu->fabric_status, "success");
  EXPECT_EQ(*first().gpu->fabric_cluster, "ab0000000000000000000000000000cd clique 7");
}

TEST_F(Branch570, ProcessesLeaveNoTrace) {
  for (const auto& device : machine.devices)
    for (const auto& a : device.attributes) {
      EXPECT_FALSE(contains(a.value, "secret"));
      EXPECT_NE(a.value, "4242");
    }
  EXPECT_EQ(*first().gpu->memory_used_bytes, 4ull << 20);
}

TEST(SmiQuery, PasteThatIsIndentedAndStandsBetweenOtherLines) {
  const Machine machine = read_query(
      "$ nvidia-smi -q -d ECC\r\n"
      "    GPU 00000000:18:00.0\r\n"
      "        ECC Mode\r\n"
      "            Current : Disabled\r\n"
      "    done\r\n"
      "        ECC Mode\r\n"
      "            Current : Enabled\r\n");
  EXPECT_EQ(*only_gpu(machine).gpu->ecc_enabled, false);
}

TEST(SmiQuery, BlockWhoseFirstLineWasCutOffIsSaid) {
  const Machine machine = read_query(R"(
    Performance State : P0
    VBIOS Version : 1.2
GPU 00000000:18:00.0
    Performance State : P8
)");
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text,
            "2 values stand before any line \"GPU <address>\": whose they are is not known");
  EXPECT_EQ(machine.remarks[0].source.line, 2u);
  EXPECT_EQ(*only_gpu(machine).gpu->p_state, "P8");
}

TEST(SmiQuery, ValueThatIsNotUnderstoodIsRemarkedWithItsLine) {
  const Machine machine = read_query("GPU 00000000:18:00.0\n    Performance State : fast\n");
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "the value \"fast\" is not understood");
  EXPECT_EQ(machine.remarks[0].source.line, 2u);
  EXPECT_TRUE(only_gpu(machine).gpu->p_state.reading().is_failed());
}

TEST(SmiQuery, SameOutputTwiceKeepsTheFirst) {
  const std::string once = "GPU 00000000:18:00.0\n    Performance State : P0\n";
  const Machine machine = read_query(once + "GPU 00000000:18:00.0\n    Performance State : P8\n");
  EXPECT_EQ(*only_gpu(machine).gpu->p_state, "P0");
  EXPECT_FALSE(only_gpu(machine).gpu->p_state.disputed());
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].level, model::RemarkLevel::note);
}

TEST(SmiQuery, NumberOfGpusIsBounded) {
  std::string text;
  for (int i = 0; i < 1500; ++i)
    text += "GPU 0000" + std::string(1, static_cast<char>('0' + i / 1000)) +
            std::to_string(1000 + i).substr(1) + ":00:00.0\n    Performance State : P0\n";
  const Machine machine = read_query(text);
  EXPECT_EQ(machine.devices.size(), 1024u);
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "more than 1024 GPUs: those from here on are left out");
}

TEST(SmiQuery, OtherTextsAreNotTaken) {
  for (const char* text :
       {"", "GPU 0: NVIDIA H200 (UUID: GPU-1)", "GPU 00000000:18:00.0", "GPU0 GPU1\nGPU0 X PIX\n",
        "GPU 00000000:01:00.0\n    Active vGPUs : 1\n    vGPU ID : 3\n        PCI\n            Bus "
        "Id : x\n",
        "GPU 00000000:18:00.0\n    Processes\n        Name : Performance State : P0\n"}) {
    EXPECT_FALSE(looks_like_smi_query(text)) << text;
    EXPECT_FALSE(read_smi_query({"x", text})) << text;
  }
}

}  // namespace
}  // namespace railgauge::observe
