#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/pcie_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

GpuBoard board(const char* name, const char* contains, int capability, int links) {
  GpuBoard out;
  out.name = name;
  out.name_contains = contains;
  out.compute_capability = capability;
  out.nvlink_version = 4;
  if (links > 0) out.nvlink_count = links;
  out.pcie_generation = 5;
  return out;
}

// GPUs of one product whose matrix has this word in every cell between them.
Case matrix(int gpus, const char* name, const char* word) {
  Case c;
  c.catalogue.boards.insert(
      c.catalogue.boards.begin(),
      {board("A800 SXM4 80GB", "A800-SXM4", 80, 8),
       board("A100 PCIe 80GB", "A100 80GB PCIe", 80, 12),
       board("A100 SXM4 80GB", "A100-SXM4", 80, 12), board("L40S", "L40S", 89, 0)});
  const SourceRef topo = from(c.machine(), "topo.txt", Trust::tool);
  for (int i = 0; i < gpus; ++i) {
    const DeviceId id = c.machine().add(DeviceKind::gpu, topo);
    c.machine()[id].index.claim(i, topo);
    if (name != nullptr) c.machine()[id].name.claim(name, topo);
  }
  if (word == nullptr) return c;
  for (std::uint32_t i = 0; i < static_cast<std::uint32_t>(gpus); ++i)
    for (std::uint32_t j = i + 1; j < static_cast<std::uint32_t>(gpus); ++j)
      c.t.cell({i}, {j}, word, i + 1);
  return c;
}

void recell(Case& c, std::uint32_t a, std::uint32_t b, const char* word) {
  c.machine().pair({a}, {b}).smi = {};
  c.t.cell({a}, {b}, word, a + 1);
}

constexpr const char* h100 = "NVIDIA H100 80GB HBM3";

TEST(NvlinkMissing, ABoardWiredForItWithoutAnyIsAnError) {
  const auto report = matrix(8, h100, "SYS").check("NVL001");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  EXPECT_TRUE(contains(report.findings[0].text, "18 links")) << report.findings[0].text;
  EXPECT_TRUE(contains(report.findings[0].impact.text, "450 GB/s"));
}

TEST(NvlinkMissing, OneGpuWithoutIsNamed) {
  Case c = matrix(8, h100, "NV18");
  for (std::uint32_t i = 0; i < 8; ++i)
    if (i != 3) recell(c, std::min(i, 3U), std::max(i, 3U), "SYS");
  c.t.settle();
  const auto report = c.check("NVL001");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].subject, "gpu3");
}

TEST(NvlinkMissing, APairWithoutLinkOnAnAllToAllBoardIsNamed) {
  Case c = matrix(4, h100, "NV6");
  recell(c, 1, 2, "NODE");
  c.t.settle();
  const auto report = c.check("NVL001");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].subject, "gpu1 and gpu2");
}

TEST(NvlinkMissing, V100PairsWithoutALinkAreByDesign) {
  Case c = matrix(8, "Tesla V100-SXM2-16GB", "NV1");
  recell(c, 0, 5, "PHB");
  recell(c, 0, 6, "SYS");
  EXPECT_TRUE(passed(c.check("NVL001"), "NVL001"));
}

TEST(NvlinkMissing, CardsWithoutBridgeOrNvlinkPass) {
  EXPECT_TRUE(passed(matrix(4, "NVIDIA A100 80GB PCIe", "NODE").check("NVL001"), "NVL001"));
  EXPECT_TRUE(passed(matrix(8, "NVIDIA L40S", "SYS").check("NVL001"), "NVL001"));
  EXPECT_TRUE(passed(matrix(2, "NVIDIA GeForce RTX 5090", "PHB").check("NVL001"), "NVL001"));
}

TEST(NvlinkMissing, AMatrixThatHidesItMigAndGuestsAreUnknown) {
  Case hidden = matrix(8, h100, "SYS");
  hidden.machine().nvlink_hidden = true;
  EXPECT_TRUE(unknown(hidden.check("NVL001"), "NVL001"));
  Case mig = matrix(2, h100, "SYS");
  for (std::uint32_t i = 0; i < 2; ++i)
    mig.machine()[DeviceId{i}].gpu->mig_enabled.claim(true, mig.t.sysfs());
  EXPECT_TRUE(unknown(mig.check("NVL001"), "NVL001"));
  Case guest = matrix(4, h100, "PHB");
  guest.guest();
  const auto report = guest.check("NVL001");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(unknown(report, "NVL001"));
}

// Eight unnamed GPUs in two NUMA nodes, an adapter beside each.
Case unnamed_with_adapters(const char* within, const char* across) {
  Case c = matrix(8, nullptr, across);
  const SourceRef topo = from(c.machine(), "topo.txt", Trust::tool);
  for (std::uint32_t i = 0; i < 8; ++i) {
    c.machine()[DeviceId{i}].gpu->numa_affinity.claim(i < 4 ? "0" : "1", topo);
    for (std::uint32_t j = i + 1; j < 8; ++j)
      if ((i < 4) == (j < 4)) recell(c, i, j, within);
  }
  for (std::uint32_t i = 0; i < 8; ++i) {
    const DeviceId nic = c.machine().add(DeviceKind::nic, topo);
    c.t.cell({i}, nic, "PIX");
  }
  return c;
}

TEST(NvlinkMissing, UnnamedGpusAreOnlyAccusedWithAReason) {
  EXPECT_TRUE(said(unnamed_with_adapters("SYS", "SYS").check("NVL001"), "NVL001"));
  const auto report = unnamed_with_adapters("NODE", "SYS").check("NVL001");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(unknown(report, "NVL001"));
}

TEST(NvlinkMissing, AnUnnamedGpuWithoutBesideOthersThatHaveItIsNamed) {
  Case c = matrix(5, nullptr, "NV12");
  for (std::uint32_t i = 0; i < 4; ++i) recell(c, i, 4, "SYS");
  EXPECT_TRUE(said(c.check("NVL001"), "NVL001"));
}

TEST(NvlinkNarrow, FewerThanTheBoardHas) {
  const auto report = matrix(8, h100, "NV16").check("NVL002");
  ASSERT_EQ(report.findings.size(), 8U);
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  EXPECT_TRUE(contains(report.findings[0].text, "16 of 18"));
}

TEST(NvlinkNarrow, TheBoardDecidesAndNotTheChip) {
  EXPECT_TRUE(passed(matrix(8, "NVIDIA A800-SXM4-80GB", "NV8").check("NVL002"), "NVL002"));
  EXPECT_TRUE(said(matrix(8, "NVIDIA A100-SXM4-80GB", "NV8").check("NVL002"), "NVL002"));
  EXPECT_TRUE(passed(matrix(4, h100, "NV6").check("NVL002"), "NVL002"));
  EXPECT_TRUE(passed(matrix(2, h100, "NV6").check("NVL002"), "NVL002"))
      << "part of a board of four";
  EXPECT_TRUE(passed(matrix(2, "NVIDIA A100 80GB PCIe", "NV4").check("NVL002"), "NVL002"))
      << "one bridge of three";
}

TEST(NvlinkNarrow, ALinkLostOnABoardOfFour) {
  Case c = matrix(4, h100, "NV6");
  recell(c, 0, 1, "NV5");
  const auto report = c.check("NVL002");
  ASSERT_EQ(report.findings.size(), 2U);
  EXPECT_TRUE(contains(report.findings[0].text, "17 of 18"));
}

TEST(NvlinkNarrow, UnnamedGpusAreComparedWithEachOther) {
  Case c = matrix(8, nullptr, "NV18");
  for (std::uint32_t i = 0; i < 8; ++i)
    if (i != 2) recell(c, std::min(i, 2U), std::max(i, 2U), "NV16");
  const auto report = c.check("NVL002");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_TRUE(contains(report.findings[0].text, "16 of 18"));
  EXPECT_TRUE(passed(matrix(8, nullptr, "NV8").check("NVL002"), "NVL002"));
}

TEST(NvlinkAsymmetric, TheMirrorImageOfACellMustBeEqual) {
  Case c = matrix(2, h100, "NV18");
  c.t.cell({0}, {1}, "NV16", 2);
  EXPECT_TRUE(said(c.check("NVL006"), "NVL006"));
  EXPECT_TRUE(passed(matrix(2, h100, "NV18").check("NVL006"), "NVL006"));
}

Case ports(const char* name, int up, int down) {
  Case c = matrix(2, name, nullptr);
  for (std::uint32_t gpu = 0; gpu < 2; ++gpu)
    for (int i = 0; i < up + down; ++i) {
      NvLinkPort port;
      port.number = i;
      port.active.claim(gpu == 1 ? up > 0 : i < up, c.t.sysfs());
      c.machine()[DeviceId{gpu}].gpu->nvlinks.push_back(port);
    }
  return c;
}

TEST(NvlinkInactive, LinksDownBesideOthersThatAreUp) {
  const auto report = ports(h100, 16, 2).check("NVL003");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::error);
  EXPECT_TRUE(contains(report.findings[0].text, "link 16, 17"));
  EXPECT_TRUE(passed(ports(h100, 18, 0).check("NVL003"), "NVL003"));
}

TEST(NvlinkInactive, CardsWithoutABridgeAndMissingBridges) {
  EXPECT_TRUE(passed(ports("NVIDIA A100 80GB PCIe", 0, 12).check("NVL003"), "NVL003"));
  EXPECT_EQ(ports("NVIDIA A100 80GB PCIe", 8, 4).check("NVL003").findings.at(0).severity,
            Severity::note);
  Case guest = ports(h100, 12, 6);
  guest.guest();
  EXPECT_TRUE(unknown(guest.check("NVL003"), "NVL003"));
}

Case counted(const char* name, std::uint64_t first, std::optional<std::uint64_t> later) {
  Case c = matrix(1, h100, nullptr);
  NvLinkPort port;
  port.number = 4;
  Counter& counter = port.errors[name];
  counter.value.claim(first, c.t.sysfs());
  if (later) counter.later.push_back({10, *later});
  c.machine()[DeviceId{0}].gpu->nvlinks.push_back(port);
  return c;
}

TEST(NvlinkErrors, CrcByRateOthersByAnyGrowth) {
  EXPECT_TRUE(said(counted("dl_crc", 0, 2000).check("NVL004"), "NVL004"));
  EXPECT_TRUE(passed(counted("dl_crc", 0, 500).check("NVL004"), "NVL004"));
  EXPECT_TRUE(said(counted("dl_replay", 3, 4).check("NVL004"), "NVL004"));
  EXPECT_TRUE(passed(counted("dl_replay", 3, 3).check("NVL004"), "NVL004"));
  EXPECT_EQ(counted("dl_crc", 200'000, {}).check("NVL004").findings.at(0).severity, Severity::note);
}

TEST(NvlinkRecovery, NowIsAWarningOnceIsANote) {
  EXPECT_EQ(counted("dl_recovery", 1, 2).check("NVL005").findings.at(0).severity,
            Severity::warning);
  EXPECT_EQ(counted("dl_recovery", 1, {}).check("NVL005").findings.at(0).severity, Severity::note);
  EXPECT_TRUE(passed(counted("dl_recovery", 0, {}).check("NVL005"), "NVL005"));
}

Case peers(const char* name, const char* cell, P2pStatus status) {
  Case c = matrix(2, name, cell);
  Pair& pair = c.machine().pair({0}, {1});
  pair.p2p_read.claim(status, from(c.machine(), "p2p.txt", Trust::tool));
  return c;
}

TEST(P2pRefused, GeForceIsPolicyAndNvlinkAnError) {
  const auto geforce =
      peers("NVIDIA GeForce RTX 5090", "PHB", P2pStatus::gpu_not_supported).check("NVL015");
  EXPECT_EQ(geforce.findings.at(0).severity, Severity::note);
  EXPECT_EQ(
      peers(nullptr, "PHB", P2pStatus::gpu_not_supported).check("NVL015").findings.at(0).severity,
      Severity::note);
  EXPECT_EQ(peers(h100, "NV18", P2pStatus::not_supported).check("NVL015").findings.at(0).severity,
            Severity::error);
  EXPECT_EQ(peers("NVIDIA L40S", "PIX", P2pStatus::chipset_not_supported)
                .check("NVL015")
                .findings.at(0)
                .severity,
            Severity::warning);
  EXPECT_TRUE(passed(peers(h100, "NV18", P2pStatus::ok).check("NVL015"), "NVL015"));
  EXPECT_TRUE(unknown(matrix(2, h100, "NV18").check("NVL015"), "NVL015"));
}

Case amd(const char* name, const char* link) {
  Case c = matrix(2, name, nullptr);
  GpuBoard mi300 = board("Instinct MI300X", "MI300X", 0, 0);
  mi300.xgmi_count = 7;
  c.catalogue.boards.push_back(mi300);
  c.machine().pair({0}, {1}).rocm_link.claim(link, from(c.machine(), "rocm.txt", Trust::tool));
  return c;
}

TEST(XgmiMissing, OnlyOnBoardsThatAreWired) {
  EXPECT_TRUE(said(amd("AMD Instinct MI300X", "PCIE").check("NVL016"), "NVL016"));
  EXPECT_TRUE(passed(amd("AMD Instinct MI300X", "XGMI").check("NVL016"), "NVL016"));
  EXPECT_TRUE(amd("AMD Instinct MI100", "PCIE").check("NVL016").findings.empty());
  EXPECT_TRUE(amd(nullptr, "PCIE").check("NVL016").findings.empty());
}

}  // namespace
}  // namespace railgauge::judge
