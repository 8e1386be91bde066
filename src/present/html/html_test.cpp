#include <gtest/gtest.h>

#include "base/strings.h"
#include "present/present.h"
#include "present/testing/sample_machines.h"

namespace railgauge::present {
namespace {

std::size_t count(const std::string& text, std::string_view part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++found;
  return found;
}

TEST(Html, AsksNothingOfTheNetwork) {
  std::string page = html(testing::dgx(true));
  const std::string name_space = "xmlns=\"http://www.w3.org/2000/svg\"";
  page.erase(page.find(name_space), name_space.size());
  for (const char* part : {"http://", "https://", "src=", "@import", "url(", "<link", "href="})
    EXPECT_FALSE(contains(page, part)) << part;
}

TEST(Html, ForeignTextCannotBecomeMarkup) {
  const std::string page = html(testing::hostile());
  EXPECT_EQ(count(page, "<script"), 2u);  // the data and our own code
  EXPECT_EQ(count(page, "</script"), 2u);
  EXPECT_FALSE(contains(page, "<img"));
  EXPECT_FALSE(contains(page, "\x1b"));
  EXPECT_TRUE(contains(page, "&lt;img src=x&gt;"));
  EXPECT_TRUE(contains(page, "\\u003c/script>"));
}

TEST(Html, TheMatrixShowsClassAndRate) {
  const std::string page = html(testing::dgx(true));
  EXPECT_TRUE(contains(page, "<td class=\"nv\">NV18<small>450 GB/s</small></td>"));
  EXPECT_TRUE(contains(page, "<td class=\"pix below\">PIX<small>31.5 of 63 GB/s</small></td>"));
}

TEST(Html, RemarksComeWorstFirst) {
  const std::string page = html(testing::dgx(true));
  EXPECT_LT(page.find("badge error"), page.find("badge warning\">"));
  EXPECT_NE(page.find("badge note\">"), std::string::npos);
}

TEST(Html, AMachineWithoutEndpointsHasNoPicker) {
  const std::string page = html(model::Machine{});
  EXPECT_FALSE(contains(page, "<select"));
  EXPECT_TRUE(contains(page, "no devices known"));
}

}  // namespace
}  // namespace railgauge::present
