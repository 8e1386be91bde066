#include "observe/nvidia_smi/csv.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

using model::Device;
using model::Machine;

Machine read(const std::string& text) {
  EXPECT_TRUE(looks_like_smi_csv(text));
  auto machine = read_smi_csv({"g.csv", text});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? *machine : Machine{};
}

TEST(SmiCsv, ColumnsAreFactsWithAndWithoutUnits) {
  for (const char* row : {"3, NVIDIA H200, 00000000:9D:00.0, GPU-1, 5, 16, Enabled, 7, 32, 77.99 "
                          "W, 345 MHz, 143771 MiB, 3 %, 0x0000000000000004, None\n",
                          "3, NVIDIA H200, 00000000:9D:00.0, GPU-1, 5, 16, Enabled, 7, 32, 77.99, "
                          "345, 143771, 3, 0x0000000000000004, None\n"}) {
    const Machine machine =
        read(std::string("index, name, pci.bus_id, uuid, pcie.link.gen.current, "
                         "pcie.link.width.current, ecc.mode.current, "
                         "ecc.errors.uncorrected.aggregate.dram, temperature.gpu, power.draw [W], "
                         "clocks.current.sm [MHz], memory.total [MiB], utilization.gpu [%], "
                         "clocks_event_reasons.active, gpu_recovery_action\n") +
             row);
    ASSERT_EQ(machine.devices.size(), 1u);
    const Device& gpu = machine.devices[0];
    EXPECT_EQ(*gpu.index, 3);
    EXPECT_EQ(*gpu.name, "NVIDIA H200");
    EXPECT_EQ(gpu.address->text(), "0000:9d:00.0");
    EXPECT_EQ(*gpu.gpu->uuid, "GPU-1");
    EXPECT_EQ(gpu.pci->link.current_speed->generation(), 5);
    EXPECT_EQ(*gpu.pci->link.current_width, 16);
    EXPECT_EQ(*gpu.gpu->ecc_enabled, true);
    EXPECT_EQ(*gpu.gpu->ecc_errors.at("aggregate_dram_uncorrectable").value, 7u);
    EXPECT_EQ(*gpu.gpu->temperature_celsius, 32);
    EXPECT_DOUBLE_EQ(*gpu.gpu->power_watts, 77.99);
    EXPECT_EQ(*gpu.gpu->sm_clock_mhz, 345);
    EXPECT_EQ(*gpu.gpu->memory_bytes, 143771ull << 20);
    EXPECT_EQ(*gpu.gpu->utilization_percent, 3);
    EXPECT_EQ(*gpu.gpu->throttle_reasons, (std::vector<std::string>{"sw_power_cap"}));
    EXPECT_EQ(*gpu.gpu->recovery_action, "none");
    EXPECT_TRUE(machine.remarks.empty()) << machine.remarks.front().text;
  }
}

TEST(SmiCsv, RemappedRowsNameTheGpuByItsAddress) {
  const Machine machine = read(
      "gpu_bus_id, gpu_uuid, remapped_rows.correctable, remapped_rows.uncorrectable, "
      "remapped_rows.pending, remapped_rows.failure\n"
      "00000000:18:00.0, GPU-1, 0, 2, Yes, No\n");
  const Device& gpu = machine.devices.at(0);
  EXPECT_EQ(gpu.address->text(), "0000:18:00.0");
  EXPECT_EQ(*gpu.gpu->remapped_rows_uncorrectable, 2);
  EXPECT_EQ(*gpu.gpu->remapping_pending, true);
  EXPECT_FALSE(gpu.index.known());
}

TEST(SmiCsv, LostGpuIsUnknownInNvidiasWords) {
  const Machine machine = read(
      "index, temperature.gpu, memory.used [MiB]\n"
      "0, [GPU is lost], [N/A]\n");
  const Device& gpu = machine.devices.at(0);
  EXPECT_EQ(gpu.gpu->temperature_celsius.reading().why(), "nvidia-smi says \"GPU is lost\"");
  EXPECT_EQ(gpu.gpu->memory_used_bytes.reading().why(), "nvidia-smi says \"N/A\"");
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(SmiCsv, LoopKeepsTheFirstSampleAndSaysSo) {
  const Machine machine = read(
      "timestamp, index, temperature.gpu\n"
      "2025/03/01 10:00:00.1, 0, 31\n"
      "2025/03/01 10:00:01.1, 0, 32\n");
  ASSERT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(*machine.devices[0].gpu->temperature_celsius, 31);
  ASSERT_EQ(machine.remarks.size(), 2u);
  EXPECT_EQ(machine.remarks[0].text, "1 column is not read");
  EXPECT_EQ(machine.remarks[1].text,
            "2 values are given again from here on; the first ones were kept");
}

TEST(SmiCsv, CutRowIsRemarkedAndAnotherTextEndsTheTable) {
  const Machine machine = read(
      "index, vbios_version, power.draw [W]\n"
      "0, 96.00.89.00.01\n"
      "1, 96.00.89.00.01, 70.1 W\n"
      "root@node07:~# uptime\n"
      "2, 96.00.89.00.01, 70.2 W\n");
  ASSERT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(*machine.devices[0].index, 1);
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "the row has 2 of 3 cells: left out");
  EXPECT_EQ(machine.remarks[0].source.line, 2u);
}

TEST(SmiCsv, OtherTablesAreNotTaken) {
  for (const char* text :
       {"", "index, name\n0, x\n", "0, NVIDIA H200, 77.97, 143771\n", "uuid,name,serial\n1,2,3\n",
        "vbios_version\n1\n", "timestamp, some.column, vbios_version\n"}) {
    EXPECT_FALSE(looks_like_smi_csv(text)) << text;
    EXPECT_FALSE(read_smi_csv({"x", text})) << text;
  }
}

}  // namespace
}  // namespace railgauge::observe
