#include <gtest/gtest.h>

#include "observe/kernel_log/event_log.h"
#include "observe/kernel_log/test_log.h"
#include "observe/sources.h"
#include "observe/sysfs/fake_tree.h"

namespace railgauge::observe {
namespace {

constexpr char log[] =
    "<6>[    0.000000] Linux version 6.8.0 (builder@host)\n"
    "<5>[    0.100000] Command line: secret=1\n"
    "<4>[   10.000000] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\n"
    "<4>[   11.000000] NVRM: GPU at PCI:0000:9b:00: GPU-00000000-0000-0000-0000-000000000001\n"
    "<6>[   99.500000] usb 1-1: new device\n";

TEST(KernelLogCapture, OnlyUnderstoodLinesEnterARecording) {
  FakeTree tree;
  tree.file("kmsg.txt", log);
  Recording recording;
  capture_kernel_log(tree.root(), recording);
  ASSERT_TRUE(kernel_log_present(recording));
  EXPECT_EQ(recording.find("kernel.log")->bytes,
            "# kernel log: 5 lines looked at, 0.000000 s to 99.500000 s, 1 kept, 0 older ones "
            "dropped\n"
            "<4>[   10.000000] NVRM: Xid (PCI:0000:9b:00): 79, GPU has fallen off the bus.\n");
  const auto machine = read_kernel_log(recording);
  ASSERT_TRUE(machine.has_value());
  ASSERT_EQ(machine->events.size(), 1u);
  EXPECT_EQ(machine->events[0].code, 79);
  EXPECT_EQ(*machine->host.kernel_log_lines, 5u);
  EXPECT_TRUE(machine->remarks.empty());
}

TEST(KernelLogCapture, QuietLogSaysThatItWasLookedAt) {
  Recording recording;
  record_kernel_log(std::string("<6>[    1.000000] quiet\n"), recording);
  const auto machine = read_kernel_log(recording);
  ASSERT_TRUE(machine.has_value());
  EXPECT_TRUE(machine->events.empty());
  EXPECT_EQ(*machine->host.kernel_log_lines, 1u);
}

TEST(KernelLogCapture, RefusalKeepsTheReason) {
  Recording recording;
  record_kernel_log(fail(ErrorKind::permission, "Operation not permitted: only root may read it"),
                    recording);
  ASSERT_NE(recording.find("kernel.log"), nullptr);
  EXPECT_EQ(recording.find("kernel.log")->kind, Entry::Kind::refused);
  EXPECT_EQ(recording.find("kernel.log")->bytes, "Operation not permitted: only root may read it");
  EXPECT_FALSE(kernel_log_present(recording));
}

TEST(KernelLogCapture, NewestLinesAreKeptWhenThereAreTooMany) {
  std::string many;
  for (int i = 0; i < 10; ++i)
    many += "[   1" + std::to_string(i) + ".000000] NVRM: Xid (PCI:0000:9b:00): 79, lost\n";
  const std::string kept = kept_lines(many, 200);
  const auto summary = parse_log_summary(kept.substr(0, kept.find('\n')));
  ASSERT_TRUE(summary);
  EXPECT_EQ(summary->lines, 10u);
  EXPECT_EQ(summary->kept, 3u);
  EXPECT_EQ(summary->dropped, 7u);
  EXPECT_EQ(kept.find("[   16."), std::string::npos);
  EXPECT_NE(kept.find("[   17."), std::string::npos);
  EXPECT_NE(kept.find("[   19."), std::string::npos);
}

TEST(KernelLogEvents, ThoseOverTheBoundAreCounted) {
  EventLog events("dmesg.txt", 2);
  LogLine line;
  for (int i = 0; i < 5; ++i)
    events.add(line, model::EventKind::xid, model::EventSeverity::fatal, "x");
  const auto machine = events.finish();
  EXPECT_EQ(machine.events.size(), 2u);
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "3 more events after the first 2 are not kept");
}

}  // namespace
}  // namespace railgauge::observe
