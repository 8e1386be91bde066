#include "observe/kernel_log/log_line.h"

#include <gtest/gtest.h>

#include "observe/kernel_log/log_time.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

struct Row {
  const char* raw;
  double uptime;     // below 0: none
  const char* wall;  // empty: none
  const char* host;
};

constexpr Row rows[] = {
    {"NVRM: words", -1, "", ""},
    {"[74785.660366] NVRM: words", 74785.660366, "", ""},
    {"[    5.000001][  T312] NVRM: words", 5.000001, "", ""},
    {"[    5.000001][    C3] NVRM: words", 5.000001, "", ""},
    {"[Sun Feb 23 16:24:18 2025] NVRM: words", -1, "2025-02-23T16:24:18Z", ""},
    {"2025-01-21T04:41:44,285060+00:00 NVRM: words", -1, "2025-01-21T04:41:44.285060+00:00", ""},
    {"kern  :warn  : [   12.500000] NVRM: words", 12.5, "", ""},
    {"kern  :err   : 2025-01-21T04:41:44,285060+00:00 NVRM: words", -1,
     "2025-01-21T04:41:44.285060+00:00", ""},
    {"Feb 23 16:24:18 node07 kernel: NVRM: words", -1, "Feb 23 16:24:18", "node07"},
    {"Feb  3 16:24:18.123456 node07 kernel: NVRM: words", -1, "Feb  3 16:24:18.123456", "node07"},
    {"2025-02-23T16:24:18+0100 node07 kernel: NVRM: words", -1, "2025-02-23T16:24:18+01:00",
     "node07"},
    {"Feb 23 16:24:18 node07 kernel: [103859.498995] NVRM: words", 103859.498995, "Feb 23 16:24:18",
     "node07"},
    {"2025-02-23T16:24:18.5Z node07 kernel: [    1.250000] NVRM: words", 1.25,
     "2025-02-23T16:24:18.5Z", "node07"},
    {"[   12.345678] node07 kernel: NVRM: words", 12.345678, "", "node07"},
    {"kernel: [103859.498995] NVRM: words", 103859.498995, "", ""},
    {"4,1234,5678901,-;NVRM: words", 5.678901, "", ""},
    {"4,1234,5678901,-,caller=T12;NVRM: words", 5.678901, "", ""},
    {"<4>[  100.000000] NVRM: words", 100, "", ""},
    {"<4>NVRM: words", -1, "", ""},
    {"node07: [   12.345678] NVRM: words", 12.345678, "", "node07"},
};

TEST(LogLine, PrefixesOfAllLoggers) {
  for (const Row& row : rows) {
    const LogLine line = split_prefix(row.raw);
    EXPECT_EQ(line.text, "NVRM: words") << row.raw;
    EXPECT_EQ(line.wall_time, row.wall) << row.raw;
    EXPECT_EQ(line.host, row.host) << row.raw;
    EXPECT_EQ(line.uptime_seconds.has_value(), row.uptime >= 0) << row.raw;
    EXPECT_DOUBLE_EQ(line.uptime_seconds.value_or(row.uptime), row.uptime) << row.raw;
  }
}

TEST(LogLine, OtherProgramsOfASyslogAreNotTheKernel) {
  EXPECT_TRUE(split_prefix("Feb 23 16:24:18 node07 dockerd[77]: NVRM: Xid").other_program);
  EXPECT_FALSE(split_prefix("Feb 23 16:24:18 node07 kernel: NVRM: Xid").other_program);
}

TEST(LogTime, SecondsOfCalendarDays) {
  EXPECT_DOUBLE_EQ(iso_time("1970-01-01T00:00:00Z")->clock_seconds, 0);
  EXPECT_DOUBLE_EQ(iso_time("2000-03-01T00:00:00Z")->clock_seconds, 951868800);
  EXPECT_DOUBLE_EQ(iso_time("2025-02-23T16:24:18.25+01:00")->clock_seconds, 1740324258.25);
  EXPECT_DOUBLE_EQ(ctime_time("Sun Feb 23 15:24:18 2025")->clock_seconds, 1740324258);
  EXPECT_FALSE(iso_time("2025-13-23T16:24:18Z"));
  EXPECT_FALSE(iso_time("2025-02-23T25:24:18Z"));
}

TEST(LogTime, LeapDayOfALogWithoutYears) {
  EXPECT_DOUBLE_EQ(
      syslog_time("Mar  1 00:00:00")->clock_seconds - syslog_time("Feb 29 00:00:00")->clock_seconds,
      86400);
}

TEST(Scan, AddressOfARequesterId) {
  EXPECT_EQ(address_of_id(0x0010, 0).text(), "0000:00:02.0");
  EXPECT_EQ(address_of_id(0x5e1b, 2).text(), "0002:5e:03.3");
}

TEST(Scan, AddressAtTheStartOfWords) {
  EXPECT_EQ(leading_address("0000:5D:1f.7: words")->text(), "0000:5d:1f.7");
  EXPECT_EQ(leading_address("10000:e1:00.0: a VMD domain")->text(), "10000:e1:00.0");
  EXPECT_FALSE(leading_address("0000:5d:20.0"));
  EXPECT_FALSE(leading_address("0000:5d:00.8"));
  EXPECT_FALSE(leading_address("0000.5d:00.0"));
  EXPECT_FALSE(leading_address("12:34:56.7"));
}

TEST(Scan, EventTextIsCutBetweenCharacters) {
  std::string words = "x";
  for (int i = 0; i < 300; ++i) words += "é";
  const std::string cut = event_text(words);
  EXPECT_LE(cut.size(), 300u);
  EXPECT_EQ(cut.substr(cut.size() - 5), "é…");
  EXPECT_EQ(event_text("a\x1b[31mb\x01"), "ab");
}

}  // namespace
}  // namespace railgauge::observe
