#include "observe/system/interrupts.h"

#include <gtest/gtest.h>

#include <map>

#include "observe/sysfs/fake_tree.h"
#include "observe/system/interrupt_lines.h"
#include "observe/system/test_pasted.h"

namespace railgauge::observe {
namespace {

using model::Interrupt;
using model::Machine;

// CPU2 is offline.
constexpr const char* table =
    "            CPU0       CPU1       CPU3       \n"
    "   0:         12          0          0  IR-IO-APIC    2-edge      timer\n"
    "  33:          0          7          0  IR-PCI-MSI 1574912-edge      "
    "mlx5_comp3@pci:0000:18:00.0\n"
    "  34:          5          0         90  IR-PCI-MSIX-0000:3b:00.0    1-edge      nvme0q1\n"
    "  35:          0          0          1  ITS-MSI 524288 Edge      i40e-eno1-TxRx-3\n"
    "  36:          1          1          1  IR-PCI-MSI 65536-edge      nvidia, xhci\n"
    " NMI:          1          2          3   Non-maskable interrupts\n"
    " ERR:          0\n";

std::map<int, Interrupt> by_number(const Machine& machine) {
  std::map<int, Interrupt> out;
  for (const auto& interrupt : machine.interrupts) out.emplace(interrupt.number, interrupt);
  return out;
}

Machine pasted_table(std::string_view text) { return pasted(interrupts_text, text).machine; }

TEST(Interrupts, OnlyThoseOfGpusAndAdaptersAreTaken) {
  const Machine machine = pasted_table(table);
  const auto found = by_number(machine);
  ASSERT_EQ(found.size(), 3u);
  EXPECT_EQ(found.at(33).label, "mlx5_comp3@pci:0000:18:00.0");
  EXPECT_EQ(found.at(33).device->text(), "0000:18:00.0");
  EXPECT_EQ(found.at(35).label, "i40e-eno1-TxRx-3");
  EXPECT_FALSE(found.at(36).device);
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(Interrupts, CountsGoToTheCpuOfTheirColumnAndZerosAreLeftOut) {
  const auto found = by_number(pasted_table(table));
  ASSERT_EQ(found.at(33).cpus.size(), 1u);
  EXPECT_EQ(*found.at(33).cpus.at(1).value, 7u);
  ASSERT_EQ(found.at(35).cpus.size(), 1u);
  EXPECT_EQ(*found.at(35).cpus.at(3).value, 1u);
}

TEST(Interrupts, TableWithoutItsColumnsReadsTheSame) {
  std::string squeezed;
  for (const char* c = table; *c != 0; ++c)
    if (*c != ' ' || squeezed.empty() || squeezed.back() != ' ') squeezed += *c;
  EXPECT_EQ(pasted_table(squeezed).interrupts, pasted_table(table).interrupts);
}

TEST(Interrupts, NewKernelsNameTheDeviceInTheChip) {
  InterruptLines lines(table);
  while (lines.next() && lines.number() != 34) {
  }
  EXPECT_EQ(lines.label(), "nvme0q1");
  EXPECT_EQ(pci_address_in(lines.tail())->text(), "0000:3b:00.0");
}

TEST(Interrupts, AddressesHaveTheKernelsForm) {
  EXPECT_EQ(pci_address_in("a.b@pci:10000:e1:00.7 x")->text(), "10000:e1:00.7");
  for (const char* text : {"", ".", "1.2.3.4", ":18:00.0", "00:18:00.", "0000:18:00", "x:18:00.0"})
    EXPECT_FALSE(pci_address_in(text)) << text;
}

TEST(Interrupts, LineThatIsCutIsRemarked) {
  const Machine machine = pasted_table("  CPU0 CPU1\n  9: 4 mlx5_comp0@pci:0000:18:00.0\n");
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text,
            "interrupt 9 has fewer counts than there are CPUs in the header");
}

TEST(Interrupts, OtherTablesOfCpusAreNone) {
  Machine machine;
  EXPECT_FALSE(interrupts_text("   CPU0 CPU1\n  HI: 1 0\n TIMER: 3 4\n", {}, machine));
  EXPECT_FALSE(interrupts_text("  1:  2  3\n", {}, machine));
  EXPECT_FALSE(interrupts_text("CPU0 CPU AFFINITY\n  1: 2 3\n", {}, machine));
}

class Tree : public ::testing::Test {
 protected:
  Tree() {
    FakeFunction nic{0x15b3, 0x1021, 0x020000, 0, "32.0 GT/s PCIe", 16, "mlx5_core", {}};
    const auto path = tree_.function("sys/devices/pci0000:15", "0000:18:00.0", nic);
    tree_.file(path + "/msi_irqs/33", "msix\n");
    FakeFunction drive{0x144d, 0xa824, 0x010802, 0, "16.0 GT/s PCIe", 4, "nvme", {}};
    const auto other = tree_.function("sys/devices/pci0000:3a", "0000:3b:00.0", drive);
    tree_.file(other + "/msi_irqs/34", "msix\n");
    tree_.file("proc/interrupts", table);
    tree_.file("proc/irq/33/smp_affinity_list", "0-1\n");
    tree_.file("proc/irq/34/smp_affinity_list", "3\n");
    capture_interrupts(tree_.root(), recording_);
  }
  FakeTree tree_;
  Recording recording_;
};

TEST_F(Tree, NumbersOfGpusAndAdaptersAloneAreRecorded) {
  EXPECT_NE(recording_.find("sys/devices/pci0000:15/0000:18:00.0/msi_irqs/33"), nullptr);
  EXPECT_FALSE(recording_.has_directory("sys/devices/pci0000:3a/0000:3b:00.0/msi_irqs"));
  EXPECT_EQ(recording_.find("proc/interrupts")->bytes, table);
  EXPECT_NE(recording_.find("proc/irq/33/smp_affinity_list"), nullptr);
  EXPECT_EQ(recording_.find("proc/irq/34/smp_affinity_list"), nullptr);
}

TEST_F(Tree, OwnerIsKnownByNumberAndAffinityIsRead) {
  recording_.add_link("sys/class/net/eno1/device", "../../../0000:19:00.0");
  recording_.add_file("sys/devices/pci0000:15/0000:1a:00.0/msi_irqs/36", "");
  Machine machine;
  read_interrupts(recording_, machine);
  const auto found = by_number(machine);
  EXPECT_EQ(*found.at(33).affinity, "0-1");
  EXPECT_EQ(found.at(35).device->text(), "0000:19:00.0");
  EXPECT_EQ(found.at(36).device->text(), "0000:1a:00.0");
}

TEST_F(Tree, SampleIsTheTableAlone) {
  Recording sample;
  sample_interrupts(tree_.root(), sample);
  EXPECT_EQ(sample.entries.size(), 1u);
  EXPECT_EQ(sample.find("proc/interrupts")->bytes, table);
}

}  // namespace
}  // namespace railgauge::observe
