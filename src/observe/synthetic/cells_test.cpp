#include "observe/synthetic/cells.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

TEST(Cells, StandForWordsAndSums) {
  const Cells cells({"15", "1", "gpu"});
  EXPECT_EQ(cells.fill("0000:$1"), "0000:15");
  EXPECT_EQ(cells.fill("$1+4:00.0"), "19:00.0");
  EXPECT_EQ(cells.fill("$1+b:00.0"), "20:00.0");
  EXPECT_EQ(cells.fill("$3"), "gpu");
}

TEST(Cells, WhatIsNoCellStays) {
  const Cells cells({"15"});
  EXPECT_EQ(cells.fill("$2"), "$2");
  EXPECT_EQ(cells.fill("$"), "$");
  EXPECT_EQ(cells.fill("mlx5_$i"), "mlx5_$i");
  EXPECT_EQ(Cells().fill("$1"), "$1");
}

TEST(Cells, ReplacedTakesEveryOccurrence) {
  EXPECT_EQ(replaced("ib$b-$b", "$b", "3"), "ib3-3");
  EXPECT_EQ(replaced("$b", "$b", "$b$b"), "$b$b");
}

}  // namespace
}  // namespace railgauge::observe
