#include "model/event.h"

#include <gtest/gtest.h>

namespace railgauge::model {
namespace {

Event corrected(const char* address, double seconds, std::uint64_t count = 1) {
  Event event;
  event.kind = EventKind::aer;
  event.severity = EventSeverity::corrected;
  event.device = PciAddress::parse(address);
  event.uptime_seconds = seconds;
  event.bits = {"RxErr"};
  event.count = count;
  return event;
}

TEST(EventGroups, CountAndRateOfOneKindOnOneDevice) {
  const std::vector<Event> events{corrected("0000:18:00.0", 100), corrected("0000:29:00.0", 150),
                                  corrected("0000:18:00.0", 1900, 4),
                                  corrected("0000:18:00.0", 3700)};
  const auto groups = event_groups(events);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].count, 6u);
  EXPECT_EQ(groups[0].members, (std::vector<std::size_t>{0, 2, 3}));
  EXPECT_DOUBLE_EQ(*groups[0].per_hour, 5.0);  // five after the first, in one hour
  EXPECT_EQ(groups[1].count, 1u);
  EXPECT_FALSE(groups[1].per_hour);
}

TEST(EventGroups, OtherXidOfTheSameGpuIsAnotherGroup) {
  Event first;
  first.kind = EventKind::xid;
  first.code = 31;
  Event second = first;
  second.code = 45;
  const std::vector<Event> events{first, second};
  EXPECT_EQ(event_groups(events).size(), 2u);
}

TEST(EventGroups, ClockOfOneLogGivesARateAndTheClocksOfTwoDoNot) {
  Event first;
  first.clock_seconds = 1000;
  first.source.index = 1;
  Event second = first;
  second.clock_seconds = 2800;
  std::vector<Event> events{first, second};
  EXPECT_DOUBLE_EQ(*event_groups(events)[0].per_hour, 2.0);
  events[1].source.index = 2;
  EXPECT_FALSE(event_groups(events)[0].per_hour);
}

TEST(EventGroups, BurstHasNoRatePerHour) {
  const std::vector<Event> events{corrected("0000:18:00.0", 100), corrected("0000:18:00.0", 100.5)};
  const auto groups = event_groups(events);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].per_hour.why(), "within 1 s");
}

TEST(EventGroups, WordsTellApartWhatNoNumberDoes) {
  Event down;
  down.kind = EventKind::nic;
  down.device = PciAddress::parse("0000:18:00.0");
  down.text = "mlx5_core 0000:18:00.0 eth2: Link down";
  Event again = down;
  again.text = "mlx5_core 0000:18:00.0 eth3: Link down";
  Event hot = down;
  hot.text = "mlx5_core 0000:18:00.0: Port module event: module 0, High Temperature";
  const std::vector<Event> events{down, hot, again};
  const auto groups = event_groups(events);
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].count, 2u);
}

TEST(EventGroups, LogWithoutTimesHasNoRate) {
  Event event;
  const std::vector<Event> events{event, event};
  const auto groups = event_groups(events);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].per_hour.why(), "the log has no times");
}

}  // namespace
}  // namespace railgauge::model
