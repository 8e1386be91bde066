// NCCL logs that are read piece by piece, from files, pipes and compressed files.
#include "observe/long_log.h"

#include <gtest/gtest.h>

#include "observe/archive/test_archives.h"
#include "observe/inputs.h"

namespace railgauge::observe {
namespace {

using testing::compressed;
using testing::failure;
using testing::Folder;

constexpr const char* connection = "n1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC\n";
constexpr std::size_t lines = 40'000;  // 2.5 MB

std::string log_text() {
  std::string out = "n1:1:2 [0] NCCL INFO NCCL version 2.28.9+cuda12.4\n";
  for (std::size_t i = 0; i < lines; ++i) out += connection;
  return out + "n1:1:2 [0] misc/shmutils.cc:88 NCCL WARN Error: failed to extend /dev/shm/nccl-x\n";
}

// Long begins at 1 MiB here, and nothing may be longer than 2 MiB.
InputBounds bounds() {
  InputBounds out;
  out.stream.long_bytes = 1u << 20;
  out.stream.text_bytes = 2u << 20;
  return out;
}

void expect_whole(const Result<Loaded>& loaded) {
  ASSERT_TRUE(loaded) << loaded.error().text();
  EXPECT_TRUE(loaded->texts.empty());
  ASSERT_EQ(loaded->parts.size(), 1u);
  const model::NcclRun& run = loaded->parts[0].nccl_runs.at(0);
  EXPECT_EQ(*run.version, "2.28.9");
  EXPECT_EQ(run.connections.at(0).channels, lines);
  EXPECT_EQ(run.warnings.at(0).source.line, lines + 2);
}

TEST(LongLog, AFileLongerThanAnyTextIsReadInPieces) {
  const Folder folder;
  expect_whole(load_inputs({folder.write("job.log", log_text())}, -1, bounds()));
}

TEST(LongLog, ACompressedOneToo) {
  const Folder folder;
  expect_whole(
      load_inputs({folder.write("job.log.gz", compressed(log_text(), "gzip"))}, -1, bounds()));
}

TEST(LongLog, OtherLongTextsAreRefusedAsEver) {
  const Folder folder;
  const std::string path = folder.write("other.log", std::string(3u << 20, 'x'));
  EXPECT_NE(failure(load_inputs({path}, -1, bounds())).find("is larger than 2 MiB"),
            std::string::npos);
}

TEST(LongLog, WhatHasToBeHeldIsNotTakenInPieces) {
  const Folder folder;
  InputBounds held = bounds();
  held.long_logs = false;
  EXPECT_FALSE(load_inputs({folder.write("job.log", log_text())}, -1, held));
}

TEST(LongLog, OtherKindsOfTextAreReadAtBothEnds) {
  const std::string matrix = "\tGPU0\tGPU1\nGPU0\t X \tNV18\nGPU1\tNV18\t X \n";
  std::string text = matrix;
  while (text.size() < 8u << 20) text += connection;
  text += matrix;
  LongLog log("job.log");
  ASSERT_TRUE(log.wants(std::string_view(text).substr(0, 1u << 20)));
  for (std::size_t at = 0; at < text.size(); at += 65536)
    log.take(std::string_view(text).substr(at, 65536));
  const auto parts = log.finish();
  ASSERT_TRUE(parts) << parts.error().text();
  ASSERT_EQ(parts->size(), 3u);
  EXPECT_EQ((*parts)[1].devices.size(), 2u);
  EXPECT_EQ((*parts)[2].devices.size(), 2u);
  EXPECT_EQ((*parts)[0].remarks.size(), 1u);
}

}  // namespace
}  // namespace railgauge::observe
