#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/advice/advice_yaml.h"
#include "observe/observe.h"

namespace railgauge::observe {
namespace {

Result<model::Advice> read(const std::string& text) {
  model::Advice out;
  auto added = add_xids(text, "xids.yaml", out);
  if (!added) return tl::unexpected(std::move(added.error()));
  return out;
}

TEST(Xids, ARowIsRead) {
  const auto advice = read(
      "xids:\n"
      "  - {code: 13, name: \"Engine exception\", action: RESTART_APP, cause: application,\n"
      "     application: true, note: \"a note\", source: here}\n"
      "sxids:\n"
      "  - {code: 20034, name: \"Link went down\", action: RESET_GPU, cause: link, source: "
      "here}\n");
  ASSERT_TRUE(advice.has_value());
  const model::XidRow* row = advice->xid(13);
  ASSERT_NE(row, nullptr);
  EXPECT_EQ(row->action, "RESTART_APP");
  EXPECT_TRUE(row->application);
  EXPECT_EQ(row->note, "a note");
  EXPECT_EQ(advice->xid(20034), nullptr);
  ASSERT_NE(advice->sxid(20034), nullptr);
  EXPECT_FALSE(advice->sxid(20034)->application);
}

TEST(Xids, AnUnknownCauseOrKeyIsAnErrorWithItsLine) {
  const auto cause = read("xids:\n  - {code: 1, name: n, action: a, cause: moon, source: s}\n");
  ASSERT_FALSE(cause.has_value());
  EXPECT_TRUE(contains(cause.error().message, "xids.yaml:2")) << cause.error().message;
  EXPECT_FALSE(
      read("xids:\n  - {code: 1, name: n, acton: a, cause: link, source: s}\n").has_value());
  EXPECT_FALSE(read("xids: [{code: 1, name: n, action: a, cause: link, source: s, "
                    "application: perhaps}]\n")
                   .has_value());
}

TEST(Xids, ACodeStandsOnce) {
  EXPECT_FALSE(read("xids:\n"
                    "  - {code: 1, name: n, action: a, cause: link, source: s}\n"
                    "  - {code: 1, name: m, action: a, cause: link, source: s}\n")
                   .has_value());
}

TEST(Xids, TheTableInTheBinaryHasTheCodesThatMatter) {
  const auto all = advice();
  ASSERT_TRUE(all.has_value()) << all.error().message;
  EXPECT_GE(all->xids.size(), 150U);
  EXPECT_GE(all->sxids.size(), 150U);
  for (const int code :
       {13,  31,  43,  45,  48,  62,  63,  64,  74,  79,  94,  95,  109, 119, 120, 121,
        136, 137, 140, 143, 144, 145, 146, 147, 148, 149, 150, 154, 155, 158, 172})
    EXPECT_NE(all->xid(code), nullptr) << code;
  for (const int code : {11004, 12028, 20009, 20034, 22013, 24007, 28006})
    EXPECT_NE(all->sxid(code), nullptr) << code;
  EXPECT_EQ(all->xid(79)->action, "RESTART_BM");
  EXPECT_EQ(all->xid(95)->action, "RESET_GPU");
  EXPECT_TRUE(all->xid(31)->application);
  EXPECT_FALSE(all->xid(79)->application);
}

}  // namespace
}  // namespace railgauge::observe
