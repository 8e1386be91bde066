#include "model/path_class.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace railgauge::model {
namespace {

std::string types_of(NcclVersion version) {
  std::string out;
  for (int n = 0;; ++n) {
    const auto path = nccl_path_of_number(n, version);
    if (!path) return out;
    EXPECT_EQ(nccl_path_number(*path, version), n);
    out += (n > 0 ? " " : "") + std::string(text(*path));
  }
}

TEST(NcclPath, EveryVersionNumbersTheTypesOfItsTime) {
  EXPECT_EQ(types_of({2, 7, 3}), "LOC NVL PIX PXB PHB SYS NET");
  EXPECT_EQ(types_of({2, 8, 3}), "LOC NVL NVB PIX PXB PHB SYS");
  EXPECT_EQ(types_of({2, 12, 7}), "LOC NVL NVB PIX PXB PXN PHB SYS");
  EXPECT_EQ(types_of({2, 18, 1}), "LOC NVL NVB PIX PXB PXN PHB SYS NET DIS");
  EXPECT_EQ(types_of({2, 21, 5}), "LOC NVL NVB PIX PXB PXN PHB SYS NET DIS");
  EXPECT_EQ(types_of({2, 26, 2}), "LOC NVL NVB C2C PIX PXB PXN PHB SYS NET DIS");
  EXPECT_EQ(types_of({2, 27, 3}), "LOC NVL NVB C2C PIX PXB PXN P2C PHB SYS NET DIS");
  EXPECT_EQ(types_of({2, 27, 5}), "LOC NVL NVB C2C PIX PXB P2C PXN PHB SYS NET DIS");
  EXPECT_EQ(types_of({2, 30, 7}), "LOC NVL NVB C2C PIX PXB P2C PXN PHB SYS NET DIS");
}

TEST(NcclPath, AVersionHasNoNumberForATypeOfLaterTimes) {
  EXPECT_FALSE(nccl_path_number(NcclPath::nvb, {2, 7, 8}));
  EXPECT_FALSE(nccl_path_number(NcclPath::c2c, {2, 25, 1}));
  EXPECT_FALSE(nccl_path_of_number(-1, {2, 28, 0}));
  EXPECT_FALSE(nccl_path_of_number(12, {2, 28, 0}));
}

TEST(NcclPath, DisWasTheNumberOfSysUntil217) {
  EXPECT_EQ(nccl_path_number(NcclPath::dis, {2, 14, 3}), 7);
  EXPECT_EQ(nccl_path_number(NcclPath::sys, {2, 14, 3}), 7);
  EXPECT_EQ(nccl_path_of_number(7, {2, 14, 3}), NcclPath::sys);
}

TEST(NcclPath, WordsReadBack) {
  for (const char* word :
       {"LOC", "NVL", "NVB", "C2C", "PIX", "PXB", "P2C", "PXN", "PHB", "SYS", "NET", "DIS"})
    EXPECT_EQ(text(*parse_nccl_path(word)), word);
  EXPECT_FALSE(parse_nccl_path("NODE"));
}

TEST(NcclVersion, ReadsWhatLogsAndPackagesPrint) {
  EXPECT_EQ(NcclVersion::parse("2.28.9"), (NcclVersion{2, 28, 9}));
  EXPECT_EQ(NcclVersion::parse("2.18"), (NcclVersion{2, 18, 0}));
  EXPECT_EQ(NcclVersion::parse("2.21.5+cuda12.4"), (NcclVersion{2, 21, 5}));
  EXPECT_EQ(NcclVersion::parse("2.8.3-1"), (NcclVersion{2, 8, 3}));
  for (const char* other : {"", "2", "two.one", "2.1.2.3", "2.-1", "2.5000"})
    EXPECT_FALSE(NcclVersion::parse(other)) << other;
  EXPECT_LT(*NcclVersion::parse("2.9.9"), *NcclVersion::parse("2.10.3"));
}

TEST(PathClass, NvCellsCarryTheirCount) {
  EXPECT_EQ(PathClass::parse("NV18")->nvlinks, 18);
  EXPECT_EQ(PathClass::parse("NV18")->text(), "NV18");
  EXPECT_FALSE(PathClass::parse("NV"));
  EXPECT_FALSE(PathClass::parse("NV0"));
  EXPECT_FALSE(PathClass::parse("SYSSYS"));
}

}  // namespace
}  // namespace railgauge::model
