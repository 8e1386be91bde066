#include "observe/text/topo_matrix.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::Machine;

Machine read(const std::string& text) {
  EXPECT_TRUE(looks_like_topo_matrix(text));
  auto machine = read_topo_matrix({"topo.txt", text});
  EXPECT_TRUE(machine.has_value()) << (machine ? "" : machine.error().text());
  return machine ? std::move(*machine) : Machine{};
}

// The class of a pair by names, "" when no row said it.
std::string cell(const Machine& machine, const char* a, const char* b) {
  const auto x = machine.find(a);
  const auto y = machine.find(b);
  const auto* pair = x && y ? machine.find_pair(*x, *y) : nullptr;
  return pair && pair->smi ? pair->smi->text() : "";
}

std::size_t claimed_cells(const Machine& machine) {
  std::size_t n = 0;
  for (const auto& pair : machine.pairs) n += pair.smi.claims().size();
  return n;
}

bool remarked(const Machine& machine, std::string_view text) {
  return std::any_of(machine.remarks.begin(), machine.remarks.end(),
                     [&](const auto& r) { return contains(r.text, text); });
}

std::string remarks(const Machine& machine) {
  std::string out;
  for (const auto& r : machine.remarks)
    out += machine.sources.text(r.source) + ": " + r.text + "\n";
  return out;
}

const std::string two_gpus_two_nics =
    "\t\x1b[4mGPU0\tGPU1\tNIC0\tNIC1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\x1b[0m\n"
    "GPU0\t X \tNV18\tPIX\tSYS\t0-15,32-47\t0\t\tN/A\n"
    "GPU1\tNV18\t X \tSYS\tPXB\t16-31,48-63\t1\t\tN/A\n"
    "NIC0\tPIX\tSYS\t X \tSYS\t\t\t\t\n"
    "NIC1\tSYS\tPXB\tSYS\t X \t\t\t\t\n"
    "\nLegend:\n\n  X    = Self\n  PIX  = Connection traversing at most a single PCIe bridge\n"
    "  NV#  = Connection traversing a bonded set of # NVLinks\n"
    "\nNIC Legend:\n\n  NIC0: mlx5_0\n  NIC1: mlx5_bond_0\n";

TEST(TopoMatrix, EveryCellBecomesAClaim) {
  const Machine m = read(two_gpus_two_nics);
  EXPECT_EQ(remarks(m), "");
  EXPECT_EQ(claimed_cells(m), 12u);  // 4 x 4 less the four X
  EXPECT_EQ(cell(m, "GPU0", "GPU1"), "NV18");
  EXPECT_EQ(cell(m, "GPU1", "NIC1"), "PXB");
  EXPECT_EQ(cell(m, "NIC0", "NIC1"), "SYS");
  const auto& gpu1 = m[*m.find("GPU1")];
  EXPECT_EQ(*gpu1.gpu->cpu_affinity, "16-31,48-63");
  EXPECT_EQ(*gpu1.numa_node, 1);
  EXPECT_FALSE(gpu1.gpu->gpu_numa_id.known());
  EXPECT_EQ(*m[*m.find("mlx5_bond_0")].index, 1);
  EXPECT_EQ(m.sources.text(m.find_pair(*m.find("GPU0"), *m.find("GPU1"))->smi.source()),
            "topo.txt:2");
  EXPECT_FALSE(m.nvlink_hidden);
}

TEST(TopoMatrix, BlanksInsteadOfTabsWindowsLineEndsPromptFenceAndIndentChangeNothing) {
  const Machine plain = read(two_gpus_two_nics);
  std::string pasted = "root@node7:~# nvidia-smi topo -m\n```\n";
  for (const char c : two_gpus_two_nics) {
    if (c == '\t')
      pasted += "        ";
    else if (c == '\n')
      pasted += "\r\n    ";
    else
      pasted += c;
  }
  pasted += "```\r\nroot@node7:~# ";
  const Machine m = read(pasted);
  EXPECT_EQ(remarks(m), "");
  ASSERT_EQ(m.pairs.size(), plain.pairs.size());
  for (std::size_t i = 0; i < m.pairs.size(); ++i) EXPECT_EQ(*m.pairs[i].smi, *plain.pairs[i].smi);
  EXPECT_EQ(*m[*m.find("GPU0")].numa_node, 0);
}

TEST(TopoMatrix, HeadersWithNoneToThreeTrailingColumnsAreRead) {
  EXPECT_EQ(remarks(read("     GPU0 GPU1\nGPU0 X PHB\nGPU1 PHB X\n")), "");
  EXPECT_EQ(remarks(read("     GPU0 GPU1 CPU Affinity\nGPU0 X SOC 0-9\nGPU1 SOC X 10-19\n")), "");
  const Machine m =
      read("     GPU0 GPU1 CPU Affinity NUMA Affinity\nGPU0 X SYS 0-9 N/A\nGPU1 SYS X 10-19 N/A\n");
  EXPECT_EQ(remarks(m), "");
  EXPECT_EQ(m[*m.find("GPU0")].numa_node.reading().why(), "nvidia-smi says N/A");
}

TEST(TopoMatrix, OneGpuWithoutAnyPairIsAMachine) {
  const Machine m =
      read("\tGPU0\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\nGPU0\t X \t0-7\t0\t\tN/A\n");
  EXPECT_EQ(remarks(m), "");
  EXPECT_EQ(m.devices.size(), 1u);
  EXPECT_EQ(*m.devices[0].numa_node, 0);
  EXPECT_EQ(read("        GPU0\nGPU0     X\n").devices.size(), 1u);
}

TEST(TopoMatrix, NumaListsStayListsAndTheGpusOwnNodeIsKept) {
  const Machine m = read(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
      "GPU0\t X \tNV18\t0-71\t0,3-9,11-17\t\t2\nGPU1\tNV18\t X \t0-71\t0,3-9,11-17\t\t10\n");
  EXPECT_EQ(remarks(m), "");
  EXPECT_EQ(*m.devices[0].gpu->numa_affinity, "0,3-9,11-17");
  EXPECT_FALSE(m.devices[0].numa_node.known());
  EXPECT_EQ(*m.devices[1].gpu->gpu_numa_id, 10);
}

TEST(TopoMatrix, AnEmptyAffinityFieldIsPlacedByItsTabs) {
  const Machine m = read(
      "\tGPU0\tGPU1\tCPU Affinity\tNUMA Affinity\tGPU NUMA ID\n"
      "GPU0\t X \tSYS\t\t1\t\tN/A\nGPU1\tSYS\t X \t0-7\t\t\tN/A\n");
  EXPECT_EQ(remarks(m), "");
  EXPECT_FALSE(m.devices[0].gpu->cpu_affinity.known());
  EXPECT_EQ(*m.devices[0].numa_node, 1);
  EXPECT_EQ(*m.devices[1].gpu->cpu_affinity, "0-7");
}

TEST(TopoMatrix, CutRowSaysHowManyCellsItHas) {
  const Machine m = read("     GPU0 GPU1 GPU2 GPU3\nGPU0 X NV4 NV4 NV4\nGPU1 NV4 X\n");
  EXPECT_TRUE(remarked(m, "row GPU1 has 2 of 4 cells")) << remarks(m);
  EXPECT_TRUE(remarked(m, "no row for GPU2, GPU3")) << remarks(m);
  EXPECT_EQ(cell(m, "GPU0", "GPU3"), "NV4");
  EXPECT_EQ(cell(m, "GPU1", "GPU2"), "");
}

TEST(TopoMatrix, ACellLostInTheMiddleLosesOnlyWhatCannotBePlaced) {
  const Machine m =
      read("     GPU0 GPU1 NIC0 NIC1 CPU Affinity\nGPU0 X NV4 PIX 0-7\nGPU1 NV4 X SYS PIX 8-15\n");
  EXPECT_TRUE(remarked(m, "row GPU0 has 3 of 4 cells; 2 of them cannot be placed")) << remarks(m);
  EXPECT_EQ(cell(m, "GPU0", "NIC0"), "");
  EXPECT_EQ(cell(m, "GPU1", "NIC0"), "SYS");
  EXPECT_EQ(*m[*m.find("GPU0")].gpu->cpu_affinity, "0-7");
}

TEST(TopoMatrix, AShiftedRowIsNotUsed) {
  const Machine m = read("     GPU0 GPU1 GPU2\nGPU0 X PIX SYS\nGPU1 X SYS PIX\nGPU2 SYS PIX X\n");
  EXPECT_TRUE(remarked(m, "row GPU1: its X stands in column GPU0")) << remarks(m);
  EXPECT_EQ(cell(m, "GPU1", "GPU2"), "PIX");  // from row GPU2
}

TEST(TopoMatrix, LostSeparatorsAreCutAndSaid) {
  const Machine m = read("     GPU0 GPU1 NIC0\nGPU0 X SYSPIX\nGPU1 SYS XSYS\n");
  EXPECT_TRUE(remarked(m, "row GPU0: \"SYSPIX\" lost its separators")) << remarks(m);
  EXPECT_EQ(cell(m, "GPU0", "NIC0"), "PIX");
  EXPECT_EQ(cell(m, "GPU1", "NIC0"), "SYS");
}

TEST(TopoMatrix, AnUnknownWordIsAnUnknownCellAndSaid) {
  const Machine m = read("     GPU0 GPU1 NIC0\nGPU0 X NV4 FOO\nGPU1 NV4 X PIX\n");
  EXPECT_TRUE(remarked(m, "row GPU0, column NIC0: \"FOO\" is no class")) << remarks(m);
  EXPECT_EQ(claimed_cells(m), 3u);
}

TEST(TopoMatrix, ASingleRowWithoutHeaderGivesTheDeviceAndItsAffinity) {
  const Machine m =
      read("GPU4    NV12    NV12     X      SYS     SYSSYS  56-63,120-127   7     N/A\n");
  EXPECT_TRUE(remarked(m, "row GPU4 has 6 cells, no header")) << remarks(m);
  ASSERT_EQ(m.devices.size(), 1u);
  EXPECT_EQ(*m.devices[0].index, 4);
  EXPECT_EQ(*m.devices[0].numa_node, 7);
  EXPECT_EQ(*m.devices[0].gpu->cpu_affinity, "56-63,120-127");
  EXPECT_TRUE(remarked(read("NIC30 SYS SYS PIX X PIX\n"), "row NIC30 has 5 cells, no header"));
}

TEST(TopoMatrix, AHeaderWrappedByTheTerminalIsJoined) {
  for (const char* header :
       {"     GPU0 GPU1 NIC0\nNIC1 CPU Affinity\n", "     GPU0 GPU1 NIC0 N\nIC1 CPU Affinity\n",
        "     GPU0 GPU1 NIC0 NIC1 CPU Aff\ninity\n"}) {
    const Machine m = read(std::string(header) +
                           "GPU0 X NV4 PIX SYS 0-7\nGPU1 NV4 X SYS PIX 8-15\n"
                           "NIC0 PIX SYS X SYS\nNIC1 SYS PIX SYS X\n");
    EXPECT_EQ(m.remarks.size(), 1u) << remarks(m);
    EXPECT_TRUE(remarked(m, "wrapped over 2 lines"));
    EXPECT_EQ(claimed_cells(m), 12u) << header;
    EXPECT_EQ(*m[*m.find("GPU1")].gpu->cpu_affinity, "8-15");
  }
}

TEST(TopoMatrix, RowsWrappedByTheTerminalAreJoined) {
  const Machine m = read(
      "     GPU0 GPU1 NIC0 NIC1 CPU Affinity\nGPU0 X NV1\n8 PIX SYS 0-7\n"
      "GPU1 NV18 X SY\nS PIX 8-1\n5\nNIC0 PIX SYS X\nSYS\nNIC1 SYS PIX SYS X\n");
  EXPECT_EQ(claimed_cells(m), 12u) << remarks(m);
  EXPECT_EQ(cell(m, "GPU0", "GPU1"), "NV18");
  EXPECT_EQ(*m[*m.find("GPU1")].gpu->cpu_affinity, "8-15");
  EXPECT_TRUE(remarked(m, "row GPU1 was wrapped over lines 4-6"));
}

TEST(TopoMatrix, MergedColumnsAreCutAndRowsCounted) {
  const Machine m = read(
      "     GPU0 GPU1 NIC0 NIC1NIC2 CPU Affinity\nGPU0 X NV4 PIX SYS SYS 0-7\n"
      "GPU1 NV4 X SYS PIX 8-15\n");
  EXPECT_TRUE(remarked(m, "header NIC1NIC2 lost its separators")) << remarks(m);
  EXPECT_EQ(cell(m, "GPU0", "NIC2"), "SYS");
  EXPECT_TRUE(remarked(m, "row GPU1 has 4 of 5 cells"));
  EXPECT_EQ(cell(m, "GPU1", "NIC0"), "SYS");  // before the columns in doubt
  EXPECT_EQ(cell(m, "GPU1", "NIC1"), "");
}

TEST(TopoMatrix, HiddenNvlinkIsKnownByTheLegendOrTheCommand) {
  const std::string rows = "     GPU0 GPU1\nGPU0 X SYS\nGPU1 SYS X\n";
  const std::string legend = "\nLegend:\n  X    = Self\n  PIX  = at most a single PCIe bridge\n";
  EXPECT_TRUE(read(rows + legend).nvlink_hidden);
  EXPECT_FALSE(read(rows + legend + "  NV#  = a bonded set of # NVLinks\n").nvlink_hidden);
  EXPECT_FALSE(read(rows).nvlink_hidden);
  EXPECT_TRUE(read("$ nvidia-smi topo -mp\n" + rows).nvlink_hidden);
}

TEST(TopoMatrix, BothFormsInOneFileKeepTheNvlinks) {
  const Machine m = read(
      "$ nvidia-smi topo -mp\n     GPU0 GPU1 NIC0\nGPU0 X SYS PIX\nGPU1 SYS X SYS\n"
      "$ nvidia-smi topo -m\n     GPU0 GPU1 NIC0\nGPU0 X NV12 PIX\nGPU1 NV12 X SYS\n");
  EXPECT_FALSE(m.nvlink_hidden);
  EXPECT_EQ(cell(m, "GPU0", "GPU1"), "NV12");
  EXPECT_TRUE(remarked(m, "2 cells of pairs that the other one shows as NV#")) << remarks(m);
}

TEST(TopoMatrix, TwoMachinesInOneFileAreSaid) {
  const Machine m =
      read("     GPU0 GPU1\nGPU0 X NV12\nGPU1 NV12 X\n\n     GPU0 GPU1\nGPU0 X NV6\nGPU1 NV6 X\n");
  EXPECT_TRUE(remarked(m, "another matrix starts here, with 2 cells that differ")) << remarks(m);
  EXPECT_TRUE(m.pairs[0].smi.disputed());
}

TEST(TopoMatrix, HostNamesBeforeEachLineAreTakenOff) {
  const Machine one = read(
      "node7: \tGPU0\tGPU1\nnode7: GPU0\t X \tNV4\nnode7: GPU1\tNV4\t X \n"
      "node7:   NIC0: mlx5_0\n");
  EXPECT_EQ(cell(one, "GPU0", "GPU1"), "NV4");
  EXPECT_TRUE(one.find("mlx5_0").has_value());
  const Machine two = read(
      "node7: \tGPU0\tGPU1\nnode8: \tGPU0\tGPU1\nnode7: GPU0\t X \tNV4\nnode8: GPU0\t X \tSYS\n"
      "node8: GPU1\tSYS\t X \nnode7: GPU1\tNV4\t X \n");
  EXPECT_TRUE(remarked(two, "lines of 2 hosts are mixed here (node7, node8)")) << remarks(two);
  EXPECT_EQ(cell(two, "GPU0", "GPU1"), "NV4");
  EXPECT_EQ(two.pairs[0].smi.claims().size(), 2u);
}

TEST(TopoMatrix, RowsThatStandTwiceAreSaid) {
  const Machine m = read("     GPU0 GPU1\nGPU0 X PIX\nGPU1 PIX X\nGPU1 SYS X\n");
  EXPECT_TRUE(remarked(m, "row GPU1 stands twice, first on line 3, and differs")) << remarks(m);
  EXPECT_TRUE(m.pairs[0].smi.disputed());
}

TEST(TopoMatrix, ALongLegendAndOtherCommandsAroundAreNoRows) {
  const Machine m =
      read("GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-0)\nNote: GPU0 found\nWarning: GPU1 slow\n" +
           two_gpus_two_nics + "$ ibdev2netdev\nmlx5_0 port 1 ==> ens1f0np0 (Up)\n");
  EXPECT_EQ(remarks(m), "");
  EXPECT_EQ(m.devices.size(), 4u);
}

TEST(TopoMatrix, SixteenGpusGive240Cells) {
  std::string text = "\t";
  for (int i = 0; i < 16; ++i) text += "GPU" + std::to_string(i) + "\t";
  text += "CPU Affinity\tNUMA Affinity\n";
  for (int i = 0; i < 16; ++i) {
    text += "GPU" + std::to_string(i);
    for (int j = 0; j < 16; ++j) text += i == j ? "\t X " : "\tNV6";
    text += "\t0-95\t0\n";
  }
  const Machine m = read(text);
  EXPECT_EQ(remarks(m), "");
  EXPECT_EQ(claimed_cells(m), 240u);
}

TEST(TopoMatrix, OtherTextsAreNotOurs) {
  for (const char* text : {"", "hello GPU0", "       GPU0 GPU1\nGPU0 0    52\nGPU1 52   0\n",
                           " \tGPU0\tGPU1\t\n GPU0\tX\tGNS\t\n GPU1\tGNS\tX\t\n"}) {
    EXPECT_FALSE(looks_like_topo_matrix(text)) << text;
    const auto result = read_topo_matrix({"x", text});
    ASSERT_FALSE(result.has_value());
    EXPECT_EQ(result.error().kind, ErrorKind::input);
  }
}

TEST(TopoMatrix, OurOwnRateTableIsNotReadAsASecondMatrix) {
  const auto machine = read_topo_matrix({"m.txt",
                                         "      GPU0  GPU1  CPU Affinity  NUMA Affinity\n"
                                         "GPU0   X    NV4   0-15          0\n"
                                         "GPU1  NV4    X    0-15          0\n\n"
                                         "Rate of each path as found, one direction:\n\n"
                                         "GB/s  GPU0  GPU1\n"
                                         "GPU0   X    100\n"
                                         "GPU1  100    X\n"});
  ASSERT_TRUE(machine);
  EXPECT_TRUE(machine->remarks.empty());
  EXPECT_EQ(machine->pairs.at(0).smi->text(), "NV4");
}

}  // namespace
}  // namespace railgauge::observe
