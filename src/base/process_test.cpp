#include "base/process.h"

#include <gtest/gtest.h>
#include <signal.h>

#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <thread>

#include "base/files.h"
#include "base/strings.h"

namespace railgauge {
namespace {

using std::chrono::milliseconds;
using std::chrono::seconds;

TEST(RunProgram, GivesBothStreamsAndTheStatus) {
  const auto out = run_program({"sh", "-c", "echo one; echo two >&2; exit 3"}, seconds(20));
  ASSERT_TRUE(out) << out.error().text();
  EXPECT_EQ(out->out, "one\n");
  EXPECT_EQ(out->err, "two\n");
  EXPECT_EQ(out->exit_status, 3);
}

TEST(RunProgram, HasNoStandardInput) {
  const auto out = run_program({"cat"}, seconds(20));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->out, "");
}

TEST(RunProgram, MissingProgramIsNotFound) {
  const auto out = run_program({"railgauge-no-such-program"}, seconds(20));
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().kind, ErrorKind::not_found);
  EXPECT_EQ(out.error().text(), "railgauge-no-such-program: not found in PATH");
}

// Gone, or dead and not yet collected by the process that inherited it. A signal is delivered when
// the kernel next runs its target, so this waits for it, with a deadline.
bool ends(const std::string& pid) {
  for (int tries = 0; tries < 1000; ++tries) {
    const auto stat = read_file("/proc/" + pid + "/stat", 4096);
    if (!stat || contains(*stat, ") Z ")) return true;
    std::this_thread::sleep_for(milliseconds(10));
  }
  return false;
}

TEST(RunProgram, AtTheDeadlineWhatItStartedIsEndedToo) {
  std::string name = (std::filesystem::temp_directory_path() / "railgauge-pid-XXXXXX").string();
  ::close(::mkstemp(name.data()));
  const auto out = run_program({"sh", "-c", "sleep 1000 & echo $! > \"$1\"; wait", "sh", name},
                               milliseconds(1000));
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().kind, ErrorKind::limit);
  EXPECT_EQ(out.error().text(), "sh did not end in time and was ended");
  const std::string pid(trim(*read_file(name, 100)));
  ASSERT_FALSE(pid.empty());
  EXPECT_TRUE(ends(pid));
  std::filesystem::remove(name);
}

TEST(RunProgram, OneThatClosesItsStreamsAndStaysIsEnded) {
  const auto out = run_program({"sh", "-c", "exec >&- 2>&-; sleep 1000"}, milliseconds(300));
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().kind, ErrorKind::limit);
}

TEST(RunProgram, EndlessOutputIsStopped) {
  const auto out = run_program({"yes"}, seconds(20), 100'000);
  ASSERT_FALSE(out);
  EXPECT_EQ(out.error().text(), "yes printed too much and was ended");
}

TEST(RunProgram, DeathBySignalIsAStatus) {
  const auto out = run_program({"sh", "-c", "kill -TERM $$"}, seconds(20));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->exit_status, 128 + SIGTERM);
}

TEST(RunProgram, LargeOutputOnBothStreamsDoesNotBlock) {
  const auto out = run_program(
      {"sh", "-c", "head -c 300000 /dev/zero >&2; head -c 300000 /dev/zero"}, seconds(20));
  ASSERT_TRUE(out);
  EXPECT_EQ(out->out.size(), 300000u);
  EXPECT_EQ(out->err.size(), 300000u);
}

}  // namespace
}  // namespace railgauge
