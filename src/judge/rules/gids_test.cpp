#include "judge/rules/ports_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr const char* local = "fe80:0000:0000:0000:0000:00ff:fe00:0001";
constexpr const char* ipv4 = "0000:0000:0000:0000:0000:ffff:0a00:0015";  // 10.0.0.21

// The classic table: link-local and IPv4, version 1 before version 2 each.
DeviceId classic(Bench& b, int first = 0) {
  const auto id = b.nic("mlx5_0");
  b.gid(id, first, local, "RoCE v1");
  b.gid(id, first + 1, local, "RoCE v2");
  b.gid(id, first + 2, ipv4, "RoCE v1");
  b.gid(id, first + 3, ipv4, "RoCE v2");
  return id;
}

TEST(GidTable, OnlyLinkLocalRowsHaveNoAddress) {
  Bench b;
  const auto id = b.nic("mlx5_0");
  b.gid(id, 0, local, "RoCE v1");
  b.gid(id, 1, local, "RoCE v2");
  const Finding finding = b.only("RDM005");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "link-local"));
}

TEST(GidTable, ClassicTablePasses) {
  Bench b;
  classic(b);
  EXPECT_TRUE(b.passes("RDM005"));
  EXPECT_TRUE(b.passes("RDM006"));
}

TEST(GidTable, ADefaultRowAloneIsANoteAndNoTable) {
  Bench b;
  b.gid(b.nic("mlx5_bond_0"), 0, local, nullptr);
  EXPECT_EQ(b.only("RDM005").severity, Severity::note);
  EXPECT_TRUE(b.unknown("RDM006"));
}

TEST(GidTable, InfiniBandHasNoRoce) {
  Bench b;
  b.gid(b.nic("mlx5_0", "InfiniBand"), 0, local, "IB");
  EXPECT_TRUE(b.silent("RDM005"));
  EXPECT_TRUE(b.silent("RDM006"));
}

TEST(GidIndex, ATableThatStartsLateBreaksTheUsualIndexes) {
  Bench b;
  const auto id = b.nic("mlx5_0");
  b.gid(id, 4, ipv4, "RoCE v1");
  b.gid(id, 5, ipv4, "RoCE v2");
  const Finding finding = b.only("RDM006");
  EXPECT_EQ(finding.severity, Severity::warning);
  EXPECT_TRUE(says(finding, "RoCE v2 over IPv4 is 5 (10.0.0.21)"));
  // Once the environment is known to pick nothing, nothing is wrong.
  b.variable("NCCL_DEBUG", "INFO");
  EXPECT_TRUE(b.passes("RDM006"));
}

TEST(GidIndex, ARowThatIsNotThereIsAnErrorWithTheRightOneNamed) {
  Bench b;
  classic(b, 4);
  b.variable("NCCL_IB_GID_INDEX", "3");
  const Finding finding = b.only("RDM006");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(says(finding, "NCCL_IB_GID_INDEX=3 is not in the table (rows 4, 5, 6, 7)"));
  EXPECT_NE(finding.remedy[0].text.find("use 7 on this host"), std::string::npos);
  EXPECT_EQ(finding.remedy[0].command, "unset NCCL_IB_GID_INDEX");
}

TEST(GidIndex, AnEmptyValueIsZeroAndMinusOneLeavesTheChoice) {
  Bench empty;
  classic(empty, 4);
  empty.variable("NCCL_IB_GID_INDEX", "");
  EXPECT_EQ(empty.only("RDM006").severity, Severity::error);
  Bench automatic;
  classic(automatic, 4);
  automatic.variable("NCCL_IB_GID_INDEX", "-1");
  EXPECT_TRUE(automatic.passes("RDM006"));
}

TEST(GidIndex, AdaptersThatNcclLeavesOutDoNotCount) {
  Bench b;
  classic(b, 4);  // mlx5_0
  b.variable("NCCL_IB_GID_INDEX", "3");
  for (const char* others : {"mlx5_1", "=mlx5_00", "^mlx5_0"}) {
    b.variable("NCCL_IB_HCA", others);
    EXPECT_TRUE(b.silent("RDM006")) << others;
  }
  for (const char* this_one : {"mlx5_0:1", "mlx5", "=mlx5_0", "^mlx5_1", ""}) {
    b.variable("NCCL_IB_HCA", this_one);
    EXPECT_EQ(b.only("RDM006").severity, Severity::error) << this_one;
  }
}

TEST(GidIndex, Version1AndLinkLocalRowsAreTheWrongOnes) {
  Bench old;
  classic(old);
  old.variable("NCCL_IB_GID_INDEX", "2");
  EXPECT_TRUE(says(old.only("RDM007"), "RoCE v1"));
  Bench link;
  classic(link);
  link.variable("UCX_IB_GID_INDEX", "1");
  EXPECT_TRUE(says(link.only("RDM007"), "link-local"));
  Bench right;
  classic(right);
  right.variable("NCCL_IB_GID_INDEX", "3");
  EXPECT_TRUE(right.passes("RDM007"));
}

TEST(GidIndex, WithoutAnEnvironmentVersion1IsNotChecked) {
  Bench b;
  classic(b);
  EXPECT_TRUE(b.unknown("RDM007"));
}

}  // namespace
}  // namespace railgauge::judge
