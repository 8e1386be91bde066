// Goldens of what `diff` and the groups of `see` print.
#include <gtest/gtest.h>

#include "present/diff.h"
#include "present/fleet.h"

namespace railgauge::present {
namespace {

using model::Change;
using model::Difference;
using model::Topic;

Difference one(Topic topic, Change kind, const char* subject, const char* text) {
  Difference out;
  out.topic = topic;
  out.kind = kind;
  out.subject = subject;
  out.text = text;
  return out;
}

model::Machine taken(const char* name, const char* at, bool as_root) {
  model::Machine out;
  out.name = name;
  out.taken = model::Taken{at, "railgauge 1", as_root, false, "", {}};
  return out;
}

TEST(TextDiff, GroupsByTopicAndEndsWithWhatWasNotCompared) {
  model::Comparison comparison;
  comparison.seconds_between = 90000.0;
  comparison.rebooted = true;
  comparison.differences = {
      one(Topic::inventory, Change::gone, "gpu3 (0000:5d:00.0)", "gpu3 (0000:5d:00.0) is gone"),
      one(Topic::firmware, Change::changed, "mlx5_0", "firmware of mlx5_0 changed from 1 to 2"),
      one(Topic::firmware, Change::changed, "mlx5_1", "firmware of mlx5_1 changed from 1 to 2"),
      one(Topic::counters, Change::grew, "gpu0", "RxErr of gpu0 grew by 3"),
      one(Topic::counters, Change::added, "gpu1", "RxErr of gpu1 is reported now: 0"),
  };
  comparison.not_compared = {{"12 facts of hwloc", "only in before"}};
  const std::vector<Difference> left_out{
      one(Topic::activity, Change::changed, "gpu0", "temperature of gpu0 changed")};
  const auto before = taken("node07", "2026-11-01T00:00:00Z", true);
  const auto after = taken("node07", "2026-11-02T01:00:00Z", false);
  EXPECT_EQ(text_diff({before, after, comparison, left_out}, {}),
            R"(before  node07  2026-11-01T00:00:00Z  as root
after   node07  2026-11-02T01:00:00Z
        1 day 1 h between them; the machine was started in between

inventory
  - gpu3 (0000:5d:00.0) is gone

firmware
  ~ firmware of mlx5_0 and mlx5_1 changed from 1 to 2

counters
  ↑ RxErr of gpu0 grew by 3
  + RxErr of gpu1 is reported now: 0

ignored: 1 of activity (-v shows them)
not compared
  12 facts of hwloc: only in before
)");
}

TEST(TextDiff, NothingChangedIsSaid) {
  const auto machine = taken("node07", "", false);
  EXPECT_EQ(text_diff({machine, machine, {}, {}}, {}),
            "before  node07\nafter   node07\n\nno difference\n\n");
}

TEST(TextFleet, NamesTheOddMachines) {
  model::FleetReport report;
  report.machines = 4;
  report.groups = {{{"n1", "n2", "n4"}, 0, {}, {}, {}, {}, {}, 0},
                   {{"n3"}, 2, 0, {}, {"gpu3 gone"}, {}, {}, 0}};
  report.models = {"8× H100"};
  report.odd = {{Topic::inventory, "gpu3", "device", "gpu", 3, {{"not there", {"n3"}}}, 0},
                {Topic::counters, "gpu2", "RxErr", "0", 3, {{"480", {"n2"}}}, 0}};
  EXPECT_EQ(text_fleet(report, {}), R"(4 machines, 2 shapes

group 1    ×3     n[1,2,4]
group 2    ×1     n3
           ~ gpu3 gone

not the same everywhere, rarest first
  gpu3: gpu ×3
    not there ×1 n3
  RxErr of gpu2: 0 ×3
    480 ×1 n2

a shape leaves out identities, names, counters, temperatures, clocks, and what a launcher sets per
rank or job
)");
}

}  // namespace
}  // namespace railgauge::present
