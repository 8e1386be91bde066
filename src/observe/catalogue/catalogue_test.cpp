#include <gtest/gtest.h>

#include <set>

#include "observe/catalogue/catalogue_yaml.h"
#include "observe/observe.h"

namespace railgauge::observe {
namespace {

model::Catalogue loaded() {
  auto result = catalogue();
  EXPECT_TRUE(result) << result.error().text();
  return result ? *result : model::Catalogue{};
}

std::string error_of(const std::string& yaml) {
  model::Catalogue out;
  const auto added = add_to_catalogue(yaml, "a.yaml", out);
  return added ? "" : added.error().text();
}

TEST(Catalogue, EveryRowSaysWhereItIsFrom) {
  const model::Catalogue c = loaded();
  for (const auto& row : c.pcie) EXPECT_FALSE(row.source.empty()) << row.generation;
  for (const auto& row : c.nvlink) EXPECT_FALSE(row.source.empty()) << row.version;
  for (const auto& row : c.sockets) EXPECT_FALSE(row.source.empty()) << row.name;
  for (const auto& row : c.boards) EXPECT_FALSE(row.source.empty()) << row.name;
  for (const auto& row : c.pci_names) EXPECT_FALSE(row.source.empty()) << row.name;
}

TEST(Catalogue, PcieLanesCarryWhatTheCodingLeaves) {
  const model::Catalogue c = loaded();
  ASSERT_EQ(c.pcie.size(), 7u);
  const auto gen3 = c.pcie_rate(*model::PcieSpeed::of_generation(3));
  ASSERT_NE(gen3, nullptr);
  EXPECT_NEAR(gen3->per_lane.value * 16, 15.75e9, 0.01e9);
  EXPECT_NEAR(c.pcie_rate({32000})->per_lane.value * 16, 63.0e9, 0.05e9);
  EXPECT_NEAR(c.pcie_rate({64000})->per_lane.value * 16, 121e9, 0.05e9);
}

TEST(Catalogue, NvLinkBondsAddUpToTheDataSheet) {
  const model::Catalogue c = loaded();
  const auto total = [&](const char* name) {
    for (const auto& board : c.boards)
      if (board.name == name)
        return c.nvlink_rate(*board.nvlink_version)->per_link.value * *board.nvlink_count / 1e9;
    return 0.0;
  };
  EXPECT_EQ(total("V100 SXM2 16GB"), 150);
  EXPECT_EQ(total("A100 SXM4 80GB"), 300);
  EXPECT_EQ(total("A800 SXM4 80GB"), 200);
  EXPECT_EQ(total("H100 SXM5 80GB"), 450);
  EXPECT_EQ(total("B200 SXM"), 900);
}

TEST(Catalogue, NoPciIdStandsTwice) {
  const model::Catalogue c = loaded();
  std::set<model::PciId> ids;
  for (const auto& board : c.boards)
    for (const auto& id : board.pci_ids) EXPECT_TRUE(ids.insert(id).second) << board.name;
  ids.clear();
  for (const auto& row : c.pci_names) EXPECT_TRUE(ids.insert(row.id).second) << row.name;
  std::set<std::string> names;
  for (const auto& board : c.boards) EXPECT_TRUE(names.insert(board.name).second) << board.name;
}

TEST(Catalogue, SocketRangesDoNotOverlap) {
  const model::Catalogue c = loaded();
  for (std::size_t i = 0; i < c.sockets.size(); ++i)
    for (std::size_t j = i + 1; j < c.sockets.size(); ++j) {
      const auto& a = c.sockets[i];
      const auto& b = c.sockets[j];
      const bool apart = a.vendor != b.vendor || a.family != b.family ||
                         a.model_max < b.model_min || b.model_max < a.model_min;
      EXPECT_TRUE(apart) << a.name << " and " << b.name;
    }
}

// A row that an earlier row hides would never be found by name.
TEST(Catalogue, EveryBoardIsFoundByTheNameTheDriverReports) {
  const model::Catalogue c = loaded();
  for (const auto& board : c.boards) {
    if (board.name_contains.empty()) continue;
    model::Device gpu;
    gpu.name.claim("Maker " + board.name_contains, {});
    const model::GpuBoard* found = c.board(gpu);
    ASSERT_NE(found, nullptr) << board.name;
    EXPECT_EQ(found->name, board.name);
  }
}

TEST(Catalogue, LongDriverNamesFindTheirBoard) {
  const model::Catalogue c = loaded();
  const auto found = [&](const char* name) {
    model::Device gpu;
    gpu.name.claim(name, {});
    const model::GpuBoard* board = c.board(gpu);
    return board == nullptr ? std::string("nothing") : board->name;
  };
  EXPECT_EQ(found("NVIDIA H100 80GB HBM3"), "H100 SXM5 80GB");
  EXPECT_EQ(found("NVIDIA GH200 480GB"), "GH200 480GB");
  EXPECT_EQ(found("NVIDIA H200"), "H200 SXM 141GB");
  EXPECT_EQ(found("NVIDIA H20"), "H20");
  EXPECT_EQ(found("NVIDIA A100-SXM4-40GB"), "A100 SXM4 40GB");
  EXPECT_EQ(found("NVIDIA A10"), "A10");
  EXPECT_EQ(found("NVIDIA L40S"), "L40S");
  EXPECT_EQ(found("Tesla V100-SXM2-16GB"), "V100 SXM2 16GB");
  EXPECT_EQ(found("NVIDIA GeForce GTX 1080"), "nothing");
}

TEST(Catalogue, RangesAreThoseOfRealHardware) {
  const model::Catalogue c = loaded();
  EXPECT_GE(c.boards.size(), 45u);
  EXPECT_GE(c.pci_names.size(), 60u);
  for (const auto& board : c.boards) {
    EXPECT_TRUE(board.pcie_width == 8 || board.pcie_width == 16) << board.name;
    EXPECT_EQ(board.nvlink_version.has_value(), board.nvlink_count.has_value()) << board.name;
    EXPECT_EQ(board.xgmi_per_link.has_value(), board.xgmi_count.has_value()) << board.name;
    EXPECT_FALSE(board.nvlink_count && board.xgmi_count) << board.name;
    if (board.nvlink_count) {
      EXPECT_LE(*board.nvlink_count, 18) << board.name;
    }
  }
  for (const auto& row : c.sockets) {
    EXPECT_GE(row.per_link.value, 10e9) << row.name;
    EXPECT_LE(row.per_link.value, 500e9) << row.name;
  }
}

TEST(CatalogueYaml, ErrorsNameFileAndLine) {
  EXPECT_EQ(error_of("nvlink:\n  - {version: 4, source: x}\n"),
            "a.yaml:2: \"per_link_gb_per_s\" is missing");
  EXPECT_EQ(error_of("nvlink:\n  - {version: 44, per_link_gb_per_s: 1, source: x}\n"),
            "a.yaml:2: \"version\" is \"44\", expected a number from 1 to 9");
  EXPECT_EQ(error_of("boards: 3\n"), "a.yaml:1: \"boards\" must be a list");
  EXPECT_EQ(error_of("borads: []\n"), "a.yaml:1: unknown key \"borads\"");
  EXPECT_EQ(error_of("names:\n  - {id: \"10de\", name: a, source: b}\n"),
            "a.yaml:2: \"10de\" is not a PCI id such as \"10de:2330\"");
  EXPECT_NE(error_of("pcie: [\n").find("a.yaml:"), std::string::npos);
  EXPECT_EQ(error_of("pcie:\n  - {generation: 3, gigatransfers: 8, payload: 128, coded: 130, "
                     "per_lane_gb_per_s: 1, source: x}\n"),
            "a.yaml:2: per_lane_gb_per_s should be 0.984615");
}

}  // namespace
}  // namespace railgauge::observe
