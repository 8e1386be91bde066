#include <gtest/gtest.h>

#include <set>

#include "observe/advice/advice_yaml.h"
#include "observe/observe.h"

namespace railgauge::observe {
namespace {

TEST(BadPairs, ARowIsReadWithItsBounds) {
  model::Advice out;
  const auto result = add_bad_pairs(
      "pairs:\n"
      "  - {id: a, first: nccl, first_from: '2.18.1', first_to: '2.18.3', second: compute,\n"
      "     second_from: '9.0', severity: error, says: wrong results, remedy: update,\n"
      "     source: release notes}\n",
      "pairs.yaml", out);
  ASSERT_TRUE(result);
  ASSERT_EQ(out.bad_pairs.size(), 1U);
  EXPECT_EQ(out.bad_pairs[0].first_to, "2.18.3");
  EXPECT_EQ(out.bad_pairs[0].second, "compute");
  EXPECT_EQ(out.bad_pairs[0].second_to, "");
}

std::string error_of(const std::string& row) {
  model::Advice out;
  const auto result = add_bad_pairs("pairs:\n  - {" + row + "}\n", "pairs.yaml", out);
  return result ? std::string() : result.error().text();
}

TEST(BadPairs, WhatCannotBeMeantIsAnErrorWithItsLine) {
  const std::string rest = ", says: s, remedy: r, source: x";
  EXPECT_NE(error_of("id: a, first: nccl, first_to: '2', severity: bad" + rest).find("severity"),
            std::string::npos);
  EXPECT_NE(error_of("id: a, first: nccl, severity: note" + rest).find("always hold"),
            std::string::npos);
  EXPECT_NE(error_of("id: a, first: nccl, first_to: '2', second_to: '3', severity: note" + rest)
                .find("no second"),
            std::string::npos);
  EXPECT_NE(error_of("id: a, first: nccl, first_to: '2', severity: note, sais: x" + rest)
                .find("pairs.yaml:2"),
            std::string::npos);
  EXPECT_EQ(error_of("id: a, first: nccl, first_to: '2', severity: note" + rest), "");
}

TEST(BadPairs, TheTableInTheProgramHasASourceForEveryRow) {
  const auto loaded = advice();
  ASSERT_TRUE(loaded) << loaded.error().text();
  static const std::set<std::string> components{"nccl", "driver",   "cuda",    "kernel", "ofed",
                                                "cpu",  "firmware", "compute", "module", ""};
  EXPECT_GE(loaded->bad_pairs.size(), 15U);
  for (const model::BadPair& pair : loaded->bad_pairs) {
    EXPECT_GT(pair.source.size(), 10U) << pair.id;
    EXPECT_TRUE(components.contains(pair.first.substr(0, pair.first.find(':')))) << pair.id;
    EXPECT_TRUE(components.contains(pair.second.substr(0, pair.second.find(':')))) << pair.id;
  }
}

}  // namespace
}  // namespace railgauge::observe
