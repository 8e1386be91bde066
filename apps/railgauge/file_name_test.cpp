#include "apps/railgauge/file_name.h"

#include <gtest/gtest.h>

namespace railgauge::app {
namespace {

NameParts parts(const std::string& host, const std::string& rank = {}) {
  return {host, "2026-11-29T13:00:07Z", [rank](const char* name) {
            return std::string(name) == "OMPI_COMM_WORLD_RANK" ? rank : std::string();
          }};
}

TEST(RecordingPath, WithoutANameItIsHostAndTime) {
  EXPECT_EQ(recording_path("", parts("node07")).value(), "node07-20261129T130007Z.tar.zst");
  EXPECT_EQ(recording_path("/tmp", parts("node07")).value(),
            "/tmp/node07-20261129T130007Z.tar.zst");
  EXPECT_EQ(recording_path("new/", parts("node07")).value(), "new/node07-20261129T130007Z.tar.zst");
}

TEST(RecordingPath, LettersStandForHostRankAndTime) {
  EXPECT_EQ(recording_path("d/%h.%r.%t%%.tar.zst", parts("n1", "3")).value(),
            "d/n1.3.20261129T130007Z%.tar.zst");
}

TEST(RecordingPath, HostCannotLeadOutOfTheDirectory) {
  EXPECT_EQ(recording_path("d/%h", parts("../../etc/x")).value(), "d/_._.._etc_x");
}

TEST(RecordingPath, UnknownLetterAndMissingRankAreErrors) {
  EXPECT_FALSE(recording_path("%x", parts("n1")));
  EXPECT_FALSE(recording_path("a%", parts("n1")));
  EXPECT_EQ(recording_path("%r", parts("n1")).error().kind, ErrorKind::usage);
}

}  // namespace
}  // namespace railgauge::app
