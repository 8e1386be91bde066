#include "observe/hang_text/stacks.h"

#include <gtest/gtest.h>

namespace railgauge::observe {
namespace {

using namespace model;

std::vector<HangRank> read(const std::string& text, const std::string& name = "stacks.txt") {
  EXPECT_TRUE(looks_like_stacks(text));
  const auto machine = read_stacks({name, text});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? machine->hangs.at(0).ranks : std::vector<HangRank>{};
}

const std::string waiting =
    "Process 14310: /usr/bin/python3 -u train.py --local-rank=0\n"
    "Python v3.11.9 (/usr/bin/python3.11)\n\n"
    "Thread 14310 (idle): \"MainThread\"\n"
    "    all_reduce (torch/distributed/distributed_c10d.py:2806)\n"
    "        Arguments:\n            tensor: <Tensor at 0x7f00>\n"
    "    step (train.py:214)\n"
    "    <module> (train.py:300)\n"
    "Thread 14400 (active+gil): \"Thread-2 (pin)\"\n"
    "    poll (libc.so.6)\n";

TEST(Stacks, OnePySpyDump) {
  const auto ranks = read(waiting);
  ASSERT_EQ(ranks.size(), 1u);
  EXPECT_EQ(ranks[0].process_id, 14310);
  EXPECT_EQ(ranks[0].rank, 0);
  ASSERT_EQ(ranks[0].stacks.size(), 2u);
  EXPECT_EQ(ranks[0].stacks[0].thread, "MainThread");
  EXPECT_EQ(ranks[0].stacks[0].frames,
            (std::vector<std::string>{"torch/distributed/distributed_c10d.py:2806 all_reduce",
                                      "train.py:214 step", "train.py:300 <module>"}));
  EXPECT_EQ(ranks[0].stacks[1].thread, "Thread-2 (pin)");
  EXPECT_EQ(ranks[0].stacks[1].frames, (std::vector<std::string>{"poll (libc.so.6)"}));
  EXPECT_EQ(ranks[0].stacks[0].source.line, 4u);
}

TEST(Stacks, SeveralWithHeadings) {
  const auto ranks = read(
      "=== rank 4 ===\nProcess 50: python train.py\nPython v3.11.9 (/usr/bin/python)\n\n"
      "Thread 50 (active): \"MainThread\"\n    f (a.py:1)\n"
      "=== rank 5 ===\nProcess 51: python train.py\n\n"
      "Thread 51 (idle): \"MainThread\"\n    g (a.py:2)\n");
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].rank, 4);
  EXPECT_EQ(ranks[1].rank, 5);
  EXPECT_EQ(ranks[1].process_id, 51);
  EXPECT_EQ(ranks[1].stacks.at(0).frames, (std::vector<std::string>{"a.py:2 g"}));
}

TEST(Stacks, TheFilesNameTellsTheRankOfAnOnlyProcess) {
  const std::string text =
      "Process 50: python t.py\n\nThread 50 (idle): \"MainThread\"\n    f (a.py:1)\n";
  EXPECT_EQ(read(text, "dumps/pyspy_rank7.txt").at(0).rank, 7);
  EXPECT_EQ(read(text, "dumps/pyspy.7.txt").at(0).rank, std::nullopt);
}

TEST(Stacks, GdbBacktracesOfTwoProcesses) {
  const auto ranks = read(
      "(gdb) thread apply all bt\n\n"
      "Thread 2 (Thread 0x7f0498ffd700 (LWP 135332) \"cuda-EvtHandlr\"):\n"
      "#0  0x00007f05daa8fe8b in poll () from /usr/lib/x86_64-linux-gnu/libc.so.6\n\n"
      "Thread 1 (Thread 0x7f05db000740 (LWP 135300) \"python\"):\n"
      "#0  0x00007f0580bb3641 in ?? () from /usr/lib/x86_64-linux-gnu/libcuda.so.1\n"
      "#1  0x00007f0580bb3700 in cuStreamSynchronize () from "
      "/usr/lib/x86_64-linux-gnu/libcuda.so.1\n"
      "#2  main (argc=1, argv=0x7ffd) at /src/all_reduce.cc:88\n"
      "Thread 1 (Thread 0x7f05db000740 (LWP 135301) \"python\"):\n"
      "#0  __lll_lock_wait () at ../nptl/lowlevellock.S:136\n");
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].process_id, 135300);
  ASSERT_EQ(ranks[0].stacks.size(), 2u);
  EXPECT_EQ(ranks[0].stacks[1].thread, "MainThread");
  EXPECT_EQ(ranks[0].stacks[1].frames,
            (std::vector<std::string>{"?? (libcuda.so.1)", "cuStreamSynchronize (libcuda.so.1)",
                                      "/src/all_reduce.cc:88 main"}));
  EXPECT_EQ(ranks[1].process_id, 135301);
  EXPECT_EQ(ranks[1].stacks.at(0).frames,
            (std::vector<std::string>{"../nptl/lowlevellock.S:136 __lll_lock_wait"}));
}

TEST(Stacks, OtherTextIsNone) {
  EXPECT_FALSE(looks_like_stacks("Thread 1 says hello\n    f (x)\n"));
  EXPECT_FALSE(read_stacks({"x", "nothing"}));
}

}  // namespace
}  // namespace railgauge::observe
