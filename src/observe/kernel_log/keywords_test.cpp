#include "observe/kernel_log/keywords.h"

#include <gtest/gtest.h>

#include <random>
#include <string>

namespace railgauge::observe {
namespace {

TEST(Keywords, FirstOfTheWordsAndItsGroup) {
  const Keywords words({{"Xid (", 0}, {"PCIe Bus", 1}, {"PCIe", 2}});
  const auto hit = words.next("no; PCIe Bus Xid (", 0);
  ASSERT_TRUE(hit);
  EXPECT_EQ(hit->at, 4u);
  EXPECT_EQ(hit->group, 1);
  EXPECT_EQ(words.next("no; PCIe Bus Xid (", 5)->group, 0);
  EXPECT_FALSE(words.next("PCI", 0));
  EXPECT_FALSE(words.next("", 0));
}

// The obvious search: at each place, each word.
std::size_t slow_next(const std::string& text, const std::vector<std::string>& words) {
  for (std::size_t i = 0; i < text.size(); ++i)
    for (const std::string& word : words)
      if (text.compare(i, word.size(), word) == 0) return i;
  return std::string::npos;
}

TEST(Keywords, SameAsSearchingForEachWordEverywhere) {
  std::mt19937 random(7);
  const std::vector<std::string> words{"abab", "baba", "aabbaa", "bbbbb"};
  const Keywords fast({{words[0], 0}, {words[1], 0}, {words[2], 0}, {words[3], 0}});
  int found = 0;
  for (int round = 0; round < 2000; ++round) {
    std::string text;
    for (unsigned i = 0; i < random() % 12; ++i) text += "ab"[random() % 2];
    const auto hit = fast.next(text, 0);
    EXPECT_EQ(hit ? hit->at : std::string::npos, slow_next(text, words)) << text;
    found += hit ? 1 : 0;
  }
  EXPECT_GT(found, 100);
}

}  // namespace
}  // namespace railgauge::observe
