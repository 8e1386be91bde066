#include "observe/nvml/words.h"

#include <gtest/gtest.h>

#include <array>

namespace railgauge::observe::nvml {
namespace {

TEST(NvmlWords, NumberWithoutAWordIsKept) {
  EXPECT_EQ(p2p_status_word(2), "GNS");
  EXPECT_EQ(p2p_status_word(9), "unknown 9");
  EXPECT_EQ(common_ancestor_word(20), "multiple");
  EXPECT_EQ(common_ancestor_word(25), "unknown 25");
}

TEST(NvmlWords, RecoveryActionsAreTheWordsOfNvidiaSmi) {
  EXPECT_EQ(recovery_action_word(0), "none");
  EXPECT_EQ(recovery_action_word(4), "drain_and_reset");
  EXPECT_EQ(recovery_action_word(99), "unknown 99");
  EXPECT_EQ(compute_mode_word(3), "exclusive_process");
  EXPECT_EQ(addressing_mode_word(1), "hmm");
}

TEST(NvmlWords, ThrottleBitsWithoutANameKeepTheirNumber) {
  EXPECT_EQ(throttle_words(0), "");
  EXPECT_EQ(throttle_words(0x1), "gpu_idle");
  EXPECT_EQ(throttle_words(0x888), "hw_slowdown,hw_power_brake_slowdown,bit_11");
}

TEST(NvmlWords, BitsBecomeRanges) {
  EXPECT_EQ(list_of_bits(std::array<unsigned long, 2>{0, 0}), "");
  EXPECT_EQ(list_of_bits(std::array<unsigned long, 2>{0x7, 0}), "0-2");
  EXPECT_EQ(list_of_bits(std::array<unsigned long, 2>{1ul << 63, 0x5}), "63-64,66");
  EXPECT_EQ(list_of_bits(std::array<unsigned long, 1>{~0ul}), "0-63");
}

TEST(NvmlWords, ListsBecomeNumbersUpToALimit) {
  EXPECT_EQ(numbers_of_list("0", 8), (std::vector<int>{0}));
  EXPECT_EQ(numbers_of_list("1-3,7", 8), (std::vector<int>{1, 2, 3, 7}));
  EXPECT_EQ(numbers_of_list("0-2000000000", 2), (std::vector<int>{0, 1}));
  EXPECT_TRUE(numbers_of_list("", 8).empty());
  EXPECT_TRUE(numbers_of_list("3-1", 8).empty());
  EXPECT_TRUE(numbers_of_list("1-2-3", 8).empty());
}

}  // namespace
}  // namespace railgauge::observe::nvml
