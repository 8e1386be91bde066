#include <gtest/gtest.h>

#include <algorithm>

#include "base/strings.h"
#include "present/present.h"
#include "present/testing/sample_machines.h"
#include "present/text/page.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

std::string tree(const model::Machine& machine, const Style& style = {}) {
  return text_tree(machine, style);
}

std::size_t line_count(const std::string& text) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), '\n'));
}

TEST(TextTree, AWorkstationIsDrawnWhole) {
  EXPECT_EQ(tree(testing::one_gpu()), R"(node07
1 CPU: 1× Intel(R) Xeon(R) Platinum 8480C  1 GPU: 1× H100 80GB HBM3  1 NIC: 1× ConnectX-7

package0                             Intel(R) Xeon(R) Platinum 8480C  56 cores
└─ numa0                             cpus 0-55,112-167  1 TiB
   └─ bridge0
      ├─ gpu0    x16 Gen4 31.5 GB/s  H100 80GB HBM3  0000:01:00.0
      └─ mlx5_0  x8 Gen3 7.88 GB/s   ConnectX-7  0000:02:00.0  ibp24s0  ACTIVE 50 GB/s InfiniBand

Rails     gpu0 → mlx5_0 PHB
not shown: 2 drives, 2 empty bridges
)");
}

TEST(RangeWords, AGapIsNotDrawnOver) {
  model::Machine machine;
  std::vector<model::DeviceId> ids;
  for (const char* id : {"gpu0", "gpu1", "gpu2", "gpu4", "gpu6", "gpu7"}) {
    ids.push_back(machine.add(model::DeviceKind::gpu, {}));
    machine.devices.back().id = id;
  }
  EXPECT_EQ(range_words(machine, ids), "gpu0…gpu2, gpu4, gpu6, gpu7");
  ids.resize(3);
  EXPECT_EQ(range_words(machine, ids), "gpu0…gpu2");
  ids.resize(2);
  EXPECT_EQ(range_words(machine, ids), "gpu0, gpu1");
}

TEST(TextTree, ANarrowLinkSaysWhatItCouldBe) {
  const std::string text = tree(testing::dgx(true));
  EXPECT_TRUE(contains(text, "x8 of x16 Gen5 31.5 of 63 GB/s")) << text;
  EXPECT_TRUE(contains(text, "16 of 18× NVLink4 400 of 450 GB/s")) << text;
  EXPECT_FALSE(contains(tree(testing::dgx(false)), " of ")) << text;
}

TEST(TextTree, ANarrowLinkIsRed) {
  Style style;
  style.color = true;
  EXPECT_TRUE(contains(tree(testing::dgx(true), style), "\x1b[31mx8 of x16 Gen5 31.5 of 63 GB/s"));
}

TEST(TextTree, AFullBoxFitsAScreen) {
  const std::string text = tree(testing::dgx(true));
  EXPECT_LE(line_count(text), 60u) << text;
}

TEST(TextTree, EveryLineFitsTheColumns) {
  for (const int columns : {40, 80, 100}) {
    for (const auto& machine :
         {testing::dgx(true), testing::cube_mesh(), testing::full_mesh(), testing::from_matrix(),
          testing::virtual_functions(), testing::hostile(), testing::wide(600)}) {
      Style style;
      style.columns = columns;
      for (const bool verbose : {false, true}) {
        style.verbose = verbose;
        const std::string text = tree(machine, style);
        for (LineCursor lines(text); lines.next();)
          EXPECT_LE(display_width(lines.line()), static_cast<std::size_t>(columns)) << lines.line();
      }
    }
  }
}

TEST(TextTree, ColourOffHasNoEscapesAndAsciiIsAscii) {
  Style style;
  style.unicode = false;
  for (const auto& machine : {testing::dgx(true), testing::from_matrix(), testing::hostile()}) {
    for (char c : tree(machine, style)) {
      EXPECT_LT(static_cast<unsigned char>(c), 0x80);
      EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20);
    }
  }
}

TEST(TextTree, AnUnknownRateSaysWhy) {
  const std::string text = tree(testing::from_matrix());
  EXPECT_TRUE(contains(text, "rate unknown: NV4 has no generation")) << text;
  EXPECT_TRUE(contains(text,
                       "PCIe      rate unknown on every edge above: a matrix says nothing about "
                       "width and"))
      << text;
  EXPECT_FALSE(contains(text, "[1]")) << text;
}

TEST(TextTree, AReasonThatOnlySomeEdgesHaveStaysAtTheEdges) {
  model::Machine machine = testing::from_matrix();
  for (model::Link& link : machine.links)
    if (link.kind == model::LinkKind::pcie) {
      link.as_found = BytesPerSecond{63e9};
      break;
    }
  const std::string text = tree(machine);
  EXPECT_TRUE(contains(text, "rate unknown [1]")) << text;
  EXPECT_TRUE(contains(text, "[1] a matrix says nothing about width and generation")) << text;
}

TEST(TextTree, WhatNoSourceListsIsNotZero) {
  model::Machine machine;
  machine.add(model::DeviceKind::gpu, {});
  const std::string text = tree(machine);
  EXPECT_TRUE(contains(text, "1 GPU  no NICs listed")) << text;
  EXPECT_FALSE(contains(text, "CPU")) << text;
}

// A bridge of unknown role with four adapters, each behind a bridge of its own.
model::Machine bridges(bool one_is_down) {
  model::Machine machine;
  const auto root = machine.add(model::DeviceKind::pcie_bridge, {});
  machine[root].id = "bridge0";
  for (int i = 0; i < 4; ++i) {
    const auto bridge = machine.add(model::DeviceKind::pcie_bridge, {});
    machine[bridge].id = "bridge" + std::to_string(i + 1);
    machine[bridge].parent = root;
    const auto nic = machine.add(model::DeviceKind::nic, {});
    machine[nic].id = "efa" + std::to_string(i);
    machine[nic].parent = bridge;
    if (!machine[nic].nic) machine[nic].nic.emplace();
    model::NicPort port;
    port.state.claim(one_is_down && i == 2 ? "DOWN" : "ACTIVE", {});
    machine[nic].nic->ports.push_back(port);
  }
  return machine;
}

TEST(TextTree, AdaptersBehindBridgesOfTheirOwnAreOneRow) {
  const std::string text = tree(bridges(false));
  EXPECT_TRUE(contains(text, "efa0…efa3")) << text;
  EXPECT_TRUE(contains(text, "(4 alike)  ACTIVE each")) << text;
  EXPECT_FALSE(contains(text, "bridge1")) << text;
}

TEST(TextTree, APortThatIsDownDoesNotVanishInARow) {
  const std::string text = tree(bridges(true));
  EXPECT_FALSE(contains(text, "alike")) << text;
  EXPECT_TRUE(contains(text, "DOWN")) << text;
}

TEST(TextTree, PeerToPeerNamesTheExceptions) {
  model::Machine machine = testing::dgx(false);
  const auto gpus = machine.of_kind(model::DeviceKind::gpu);
  for (std::size_t a = 0; a < gpus.size(); ++a)
    for (std::size_t b = a + 1; b < gpus.size(); ++b)
      machine.pair(gpus[a], gpus[b])
          .p2p_read.claim(
              a == 0 && b == 1 ? model::P2pStatus::gpu_not_supported : model::P2pStatus::ok, {});
  const std::string text = tree(machine);
  EXPECT_TRUE(contains(text, "P2P read    27 pairs OK  gpu0-gpu1 GNS (GPU not supported)")) << text;
  EXPECT_FALSE(contains(text, "P2P write")) << text;
}

TEST(TextTree, WhatIsInferredIsMarked) {
  const std::string text = tree(testing::from_matrix());
  EXPECT_TRUE(contains(text, "switch0~")) << text;
  EXPECT_TRUE(contains(text, "~ inferred from other facts")) << text;
  EXPECT_FALSE(contains(tree(testing::dgx(true)), "~"));
}

TEST(TextTree, VirtualFunctionsAreOneRow) {
  const std::string text = tree(testing::virtual_functions());
  EXPECT_TRUE(contains(text, "mlx5_10…mlx5_51")) << text;
  EXPECT_TRUE(contains(text, "(42 virtual functions)")) << text;
  EXPECT_LE(line_count(text), 12u) << text;
}

TEST(TextTree, WhatIsHiddenIsCountedAndVerboseShowsIt) {
  EXPECT_TRUE(contains(tree(testing::one_gpu()), "not shown: 2 drives"));
  Style style;
  style.verbose = true;
  const std::string text = tree(testing::one_gpu(), style);
  EXPECT_TRUE(contains(text, "nvme1")) << text;
  EXPECT_TRUE(contains(text, "seen in sample")) << text;
  EXPECT_FALSE(contains(text, "not shown")) << text;
}

TEST(TextTree, ErrorsComeBeforeWarningsAndNotes) {
  const std::string text = tree(testing::dgx(true));
  const auto error = text.find("error    gpu5");
  const auto warning = text.find("warning  gpu2");
  const auto note = text.find("note     row GPU1 has 7 of 9 cells (sample:4)");
  EXPECT_LT(error, warning);
  EXPECT_LT(warning, note);
  EXPECT_NE(note, std::string::npos);
}

TEST(TextTree, AnEmptyMachineSaysSo) {
  EXPECT_TRUE(contains(tree(model::Machine{}), "no devices known"));
}

TEST(TextTree, DevicesInACycleAreStillShown) {
  model::Machine machine = testing::one_gpu();
  const auto port = *machine.find("port1");
  machine[*machine.find("bridge0")].parent = port;
  EXPECT_TRUE(contains(tree(machine), "gpu0"));
}

}  // namespace
}  // namespace railgauge::present
