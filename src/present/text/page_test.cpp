#include "present/text/page.h"

#include <gtest/gtest.h>

namespace railgauge::present {
namespace {

Style plain(int columns) {
  Style style;
  style.columns = columns;
  return style;
}

TEST(DisplayWidth, CountsColumnsNotBytes) {
  EXPECT_EQ(display_width("x16"), 3u);
  EXPECT_EQ(display_width("├─ 8× →"), 7u);
  EXPECT_EQ(display_width("日本"), 4u);
  EXPECT_EQ(display_width("e\xcc\x81"), 1u);
}

TEST(Page, CutsWhatDoesNotFitAndSaysSo) {
  Page page(plain(20));
  page.add({{"a line of more than twenty columns"}});
  EXPECT_EQ(page.text(), "a line of more than…\n");
}

TEST(Page, ColourIsOnlyWrittenWhenAsked) {
  Page without(plain(40));
  without.add({{"bad", Ink::red}});
  EXPECT_EQ(without.text(), "bad\n");
  Style style = plain(40);
  style.color = true;
  Page with(style);
  with.add({{"bad", Ink::red}, {" good"}});
  EXPECT_EQ(with.text(), "\x1b[31mbad\x1b[0m good\n");
}

TEST(Page, AsciiTurnsDrawingsIntoLetters) {
  Style style = plain(40);
  style.unicode = false;
  Page page(style);
  page.add({{"├─ 8× NVLink → ü"}});
  EXPECT_EQ(page.text(), "|- 8x NVLink -> ?\n");
}

TEST(Page, PhrasesContinueOnTheNextLine) {
  Page page(plain(20));
  page.flow({{"gpu0  "}}, {{"      "}}, {{"H100"}, {"0000:1b:00.0"}, {"x"}});
  EXPECT_EQ(page.text(), "gpu0  H100\n      0000:1b:00.0\n      x\n");
}

}  // namespace
}  // namespace railgauge::present
