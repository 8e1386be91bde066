#include <gtest/gtest.h>
#include <pugixml.hpp>

#include "base/strings.h"
#include "present/present.h"
#include "present/svg/canvas.h"
#include "present/svg/lanes.h"
#include "present/testing/sample_machines.h"

namespace railgauge::present {
namespace {

TEST(Svg, EverySampleIsWellFormedXml) {
  for (const auto& machine :
       {testing::dgx(true), testing::cube_mesh(), testing::full_mesh(), testing::one_gpu(),
        testing::virtual_functions(), testing::from_matrix(), testing::coherent(),
        testing::switched_box(16, 4, false), testing::hostile(), testing::wide(600),
        model::Machine{}}) {
    const std::string text = svg(machine);
    pugi::xml_document document;
    const auto result = document.load_buffer(text.data(), text.size());
    EXPECT_TRUE(result) << result.description() << " at " << result.offset;
    EXPECT_STREQ(document.document_element().name(), "svg");
  }
}

TEST(Svg, NothingStandsOutsideThePicture) {
  for (const auto& machine : {testing::dgx(true), testing::switched_box(16, 4, false),
                              testing::one_gpu(), testing::coherent()}) {
    const std::string text = svg(machine);
    pugi::xml_document document;
    ASSERT_TRUE(document.load_buffer(text.data(), text.size()));
    const double width = document.document_element().attribute("width").as_double();
    const double height = document.document_element().attribute("height").as_double();
    for (const auto& found : document.select_nodes("//rect[@x]")) {
      const auto box = found.node();
      EXPECT_GE(box.attribute("x").as_double(), 0);
      EXPECT_LE(box.attribute("x").as_double() + box.attribute("width").as_double(), width);
      EXPECT_LE(box.attribute("y").as_double() + box.attribute("height").as_double(), height);
    }
  }
}

TEST(Svg, ForeignTextCannotBecomeMarkup) {
  const std::string text = svg(testing::hostile());
  EXPECT_FALSE(contains(text, "<script"));
  EXPECT_FALSE(contains(text, "<img"));
  EXPECT_FALSE(contains(text, "\x1b"));
  EXPECT_TRUE(contains(text, "&lt;img src=x&gt;"));
}

TEST(Svg, ANarrowLinkIsSetApart) {
  EXPECT_TRUE(contains(svg(testing::dgx(true)), "x8 of x16 Gen5"));
  EXPECT_TRUE(contains(svg(testing::dgx(true)), "strip degraded"));
  EXPECT_TRUE(contains(svg(testing::dgx(true)), "2 links below what both ends can do"));
  EXPECT_FALSE(contains(svg(testing::dgx(false)), "links below"));
}

TEST(Svg, WhatIsInferredIsDashed) {
  EXPECT_TRUE(contains(svg(testing::from_matrix()), "class=\"switch inferred\""));
}

TEST(Escaped, EveryMarkupCharacterIsAnEntity) {
  EXPECT_EQ(escaped("<a href=\"x\">'&'</a>\x1b[31m\x02"),
            "&lt;a href=&quot;x&quot;&gt;&#39;&amp;&#39;&lt;/a&gt;");
}

TEST(Lanes, LinksOnOneLaneDoNotOverlap) {
  const std::vector<double> posts{0, 100, 200, 300};
  std::vector<Ends> all;
  for (std::size_t a = 0; a < posts.size(); ++a)
    for (std::size_t b = a + 1; b < posts.size(); ++b) all.push_back({a, b, 0});
  const auto wires = route(posts, all, 6);
  ASSERT_EQ(wires.size(), 6u);
  for (const Wire& one : wires)
    for (const Wire& two : wires)
      if (&one != &two && one.lane == two.lane) {
        EXPECT_TRUE(one.x2 < two.x1 || two.x2 < one.x1);
      }
  EXPECT_EQ(lane_count(wires), 4u);  // as many as cross the middle: 2 × 2
}

TEST(Lanes, TapsOfOnePostStandApart) {
  const auto wires = route({0, 100, 200}, {{0, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 6);
  ASSERT_EQ(wires.size(), 3u);
  EXPECT_EQ(wires[0].x1, 3);   // the near link leaves post 0 on the right …
  EXPECT_EQ(wires[2].x1, -3);  // … of the far one
  EXPECT_EQ(wires[0].x2, 97);
  EXPECT_EQ(wires[1].x1, 103);
}

}  // namespace
}  // namespace railgauge::present
