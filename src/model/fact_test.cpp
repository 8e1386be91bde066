#include "model/fact.h"

#include <gtest/gtest.h>

namespace railgauge::model {
namespace {

TEST(Fact, TheStrongerSourceIsShownAndBothAreKept) {
  Sources sources;
  Fact<int> width;
  width.claim(8, sources.add("topo.xml", Trust::file));
  width.claim(16, sources.add("sysfs", Trust::kernel));
  EXPECT_EQ(*width, 16);
  EXPECT_TRUE(width.disputed());
  EXPECT_EQ(width.claims().size(), 2u);
}

TEST(Fact, AGuessDoesNotDisputeAStatement) {
  Sources sources;
  Fact<int> node;
  node.claim(0, sources.add("rule", Trust::inferred));
  node.claim(1, sources.add("sysfs", Trust::kernel));
  EXPECT_EQ(*node, 1);
  EXPECT_FALSE(node.disputed());
}

TEST(Fact, ARefusalSaysWhyTheValueIsUnknown) {
  Sources sources;
  Fact<int> width;
  width.refuse("permission denied", sources.add("sysfs", Trust::kernel));
  EXPECT_FALSE(width.known());
  EXPECT_EQ(width.reading().why(), "permission denied");
  EXPECT_TRUE(width.reading().is_failed());
}

TEST(Sources, TheSameNameIsOneSource) {
  Sources sources;
  const auto a = sources.add("a", Trust::tool);
  const auto b = sources.add("b", Trust::tool);
  EXPECT_EQ(sources.add("a", Trust::tool), a);
  EXPECT_NE(a, b);
  EXPECT_EQ(sources.text(b.at_line(7)), "b:7");
  EXPECT_EQ(sources.text(SourceRef{}), "unknown source");
}

}  // namespace
}  // namespace railgauge::model
