#include "base/strings.h"

#include <gtest/gtest.h>

namespace railgauge {
namespace {

TEST(Split, KeepsEmptyFields) {
  EXPECT_EQ(split("a,,b", ','), (std::vector<std::string_view>{"a", "", "b"}));
  EXPECT_EQ(split("", ','), (std::vector<std::string_view>{""}));
}

TEST(SplitBlank, DropsEmptyFields) {
  EXPECT_EQ(split_blank("\t GPU0  X\tNV12 "), (std::vector<std::string_view>{"GPU0", "X", "NV12"}));
}

TEST(ParseInt, TakesTheWholeTextOnly) {
  EXPECT_EQ(parse_int(" 42 "), 42);
  EXPECT_EQ(parse_int("-1"), -1);
  EXPECT_FALSE(parse_int("42x"));
  EXPECT_FALSE(parse_int(""));
  EXPECT_FALSE(parse_int("99999999999999999999"));
}

TEST(ParseHex, TakesBothForms) {
  EXPECT_EQ(parse_hex("0x10de"), 0x10deu);
  EXPECT_EQ(parse_hex("10DE"), 0x10deu);
  EXPECT_FALSE(parse_hex("0x"));
}

TEST(StripTerminalCodes, RemovesUnderlineAndTitle) {
  EXPECT_EQ(strip_terminal_codes("\t\x1b[4mGPU0\tGPU1\x1b[0m\n"), "\tGPU0\tGPU1\n");
  EXPECT_EQ(strip_terminal_codes("\x1b]0;title\aX"), "X");
  EXPECT_EQ(strip_terminal_codes("cut\x1b["), "cut");
  EXPECT_EQ(strip_terminal_codes("a\xc2\x9b"
                                 "b\xe2\x80\xae"
                                 "c\xe2\x82\xac"),
            "abc\xe2\x82\xac");
}

TEST(Quoted, IsPrintableAndBounded) {
  EXPECT_EQ(quoted(std::string_view("a\0b", 3)), "\"a\\x00b\"");
  EXPECT_LE(quoted(std::string(1000, 'x'), 20).size(), 30u);
}

TEST(ValidUtf8, ReplacesBrokenBytes) {
  EXPECT_EQ(valid_utf8("a\xff"), "a\xef\xbf\xbd");
  EXPECT_EQ(valid_utf8("\xc3\xa9"), "\xc3\xa9");
  EXPECT_EQ(valid_utf8("\xc0\x80").find('\0'), std::string::npos);
}

TEST(LineCursor, NumbersLinesAndDropsCarriageReturns) {
  LineCursor lines("a\r\nb\n\nc");
  std::vector<std::string> seen;
  while (lines.next()) seen.push_back(std::to_string(lines.number()) + std::string(lines.line()));
  EXPECT_EQ(seen, (std::vector<std::string>{"1a", "2b", "3", "4c"}));
}

TEST(EditDistance, CountsSingleEdits) {
  EXPECT_EQ(edit_distance("see", "sea"), 1u);
  EXPECT_EQ(edit_distance("", "abc"), 3u);
  EXPECT_EQ(edit_distance("check", "chekc"), 2u);
}

}  // namespace
}  // namespace railgauge
