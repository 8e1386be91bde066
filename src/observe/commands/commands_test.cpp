#include "observe/commands/commands.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

Root answering(Result<ProcessOutput> rocm, Result<ProcessOutput> ofed) {
  Root root;
  root.run = [rocm, ofed](const std::vector<std::string>& argv, std::chrono::milliseconds) {
    return argv[0] == "rocm-smi" ? rocm : ofed;
  };
  return root;
}

Recording captured(const Root& root) {
  Recording recording;
  recording.add_file("sys/devices/pci0000:00/0000:03:00.0/vendor", "0x1002\n");
  recording.add_file("sys/devices/pci0000:00/0000:03:00.0/class", "0x038000\n");
  recording.add_file("sys/class/infiniband/mlx5_0/fw_ver", "1\n");
  capture_commands(root, recording);
  for (const char* given : {"vendor", "class"})
    recording.entries.erase("sys/devices/pci0000:00/0000:03:00.0/" + std::string(given));
  recording.entries.erase("sys/class/infiniband/mlx5_0/fw_ver");
  return recording;
}

TEST(Commands, AbsentProgramsLeaveNoTrace) {
  const auto absent = fail(ErrorKind::not_found, "not found in PATH");
  EXPECT_TRUE(captured(answering(absent, absent)).entries.empty());
  EXPECT_TRUE(captured(Root{}).entries.empty());
}

TEST(Commands, NoneRunsWhereNothingCallsForIt) {
  Root root;
  root.run = [](const std::vector<std::string>& argv, std::chrono::milliseconds) {
    ADD_FAILURE() << argv[0];
    return fail(ErrorKind::not_found, "");
  };
  Recording recording;
  capture_commands(root, recording);
  EXPECT_TRUE(recording.entries.empty());
}

TEST(Commands, OneThatHangsIsRefusedWithTheReason) {
  const auto absent = fail(ErrorKind::not_found, "not found in PATH");
  const Recording recording = captured(
      answering(fail(ErrorKind::limit, "rocm-smi did not end in time and was ended"), absent));
  ASSERT_EQ(recording.entries.size(), 1u);
  EXPECT_EQ(recording.find("commands/rocm-smi-showtopo.txt")->bytes,
            "rocm-smi did not end in time and was ended");
  EXPECT_TRUE(commands_present(recording));
}

TEST(Commands, OutputIsKeptAndReadBack) {
  const auto absent = fail(ErrorKind::not_found, "not found in PATH");
  const Recording recording =
      captured(answering(absent, ProcessOutput{0, "MLNX_OFED_LINUX-23.10-0.5.5.0:\n", ""}));
  ASSERT_NE(recording.find("commands/ofed-info.json"), nullptr);
  EXPECT_TRUE(contains(recording.find("commands/ofed-info.json")->bytes, "\"exit_status\": 0"));
  const auto machine = read_commands(recording);
  ASSERT_TRUE(machine);
  EXPECT_EQ(*machine->host.ofed, "MLNX_OFED_LINUX-23.10-0.5.5.0");
}

}  // namespace
}  // namespace railgauge::observe
