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

TEST(Fact, CopiesAreTheirOwnWithOneClaimAndWithMany) {
  Fact<std::string> first;
  first.claim("a", {1, 0, Trust::tool});
  Fact<std::string> second = first;
  EXPECT_EQ(first, second);
  second.claim("b", {2, 0, Trust::kernel});
  second.claim("b", {2, 0, Trust::kernel});  // said before
  EXPECT_NE(first, second);
  Fact<std::string> third = second;
  third.refuse("gone", {3, 0, Trust::tool});
  EXPECT_EQ(first.claims().size(), 1u);
  EXPECT_EQ(second.claims().size(), 2u);
  EXPECT_EQ(*third, "b");
  EXPECT_EQ(third.claims()[1].value, "a");
  EXPECT_TRUE(second.refusals().empty());
  EXPECT_EQ(third.refusals().size(), 1u);
}

TEST(Sources, ManyNamesAreFoundAgain) {
  Sources sources;
  std::vector<SourceRef> added;
  for (int i = 0; i < 1000; ++i)
    added.push_back(sources.add("sys/" + std::to_string(i), Trust::kernel));
  sources.add("", Trust::tool);
  EXPECT_EQ(sources.size(), 1002u);
  for (int i = 0; i < 1000; ++i) {
    EXPECT_EQ(sources.add("sys/" + std::to_string(i), Trust::kernel), added[std::size_t(i)]);
    EXPECT_EQ(sources.name(added[std::size_t(i)]), "sys/" + std::to_string(i));
  }
  EXPECT_EQ(sources.size(), 1002u);
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
