#include "base/duration.h"

#include <gtest/gtest.h>

namespace railgauge {
namespace {

using std::chrono::hours;
using std::chrono::milliseconds;
using std::chrono::minutes;
using std::chrono::seconds;

TEST(Duration, ReadsUnitsAndPlainSeconds) {
  EXPECT_EQ(parse_duration("10s"), seconds(10));
  EXPECT_EQ(parse_duration("250ms"), milliseconds(250));
  EXPECT_EQ(parse_duration("2m"), minutes(2));
  EXPECT_EQ(parse_duration("1.5 min"), seconds(90));
  EXPECT_EQ(parse_duration("0.5h"), minutes(30));
  EXPECT_EQ(parse_duration("1d"), hours(24));
  EXPECT_EQ(parse_duration("90"), seconds(90));
}

TEST(Duration, RefusesWhatIsNone) {
  for (const char* text : {"", "s", "-1s", "ten", "10 parsecs", "nan", "inf", "1e300d", "10s10"})
    EXPECT_FALSE(parse_duration(text)) << text;
}

TEST(Duration, IsWrittenInTwoUnitsAtMost) {
  EXPECT_EQ(text_of_duration(milliseconds(250)), "250 ms");
  EXPECT_EQ(text_of_duration(milliseconds(10'040)), "10 s");
  EXPECT_EQ(text_of_duration(milliseconds(1'500)), "1.5 s");
  EXPECT_EQ(text_of_duration(seconds(150)), "2 min 30 s");
  EXPECT_EQ(text_of_duration(hours(3)), "3 h");
  EXPECT_EQ(text_of_duration(hours(102) + minutes(20)), "4 days 6 h");
  EXPECT_EQ(text_of_duration(hours(25)), "1 day 1 h");
  EXPECT_EQ(text_of_duration(-seconds(3)), "-3 s");
}

}  // namespace
}  // namespace railgauge
