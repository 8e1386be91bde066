#include <gtest/gtest.h>

#include "observe/record/capture.h"

namespace railgauge::observe {
namespace {

Recording three_functions() {
  Recording recording;
  for (const char* function :
       {"sys/devices/pci0000:00/0000:00:01.0", "sys/devices/pci0000:00/0000:00:01.0/0000:18:00.0",
        "sys/devices/pci0000:80/0000:80:01.0/0000:81:00.0/0000:82:00.0"}) {
    recording.add_file(std::string(function) + "/vendor", "0x10de\n");
    recording.add_file(std::string(function) + "/config", std::string(64, '\0'));
  }
  recording.add_refused("sys/devices/pci0000:00/0000:00:01.0/reset", "Permission denied");
  recording.add_refused("kernel.log", "only root may read the kernel log here");
  return recording;
}

TEST(FoldedPaths, FunctionsOfAnyDepthAreOneLine) {
  const auto groups = folded_paths(three_functions());
  ASSERT_EQ(groups.size(), 2u);
  EXPECT_EQ(groups[0].pattern, "kernel.log");
  EXPECT_EQ(groups[1].pattern, "sys/devices/…/ADDRESS/{config, reset, vendor}");
  EXPECT_EQ(groups[1].entries, 7u);
  EXPECT_EQ(groups[1].refused, 1u);
}

TEST(FoldedPaths, NumbersOfNamesAreOneLetter) {
  Recording recording;
  recording.add_file("sys/class/infiniband/mlx5_0/ports/1/state", "");
  recording.add_file("sys/class/infiniband/mlx5_11/ports/2/state", "");
  const auto groups = folded_paths(recording);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(groups[0].pattern, "sys/class/infiniband/mlxN_N/ports/N/state");
}

TEST(WhatRootWouldAdd, NamesCapabilitiesAndRefusedFiles) {
  Recording recording = three_functions();
  EXPECT_EQ(what_root_would_add(recording),
            (std::vector<std::string>{
                "PCI capabilities of 3 functions: ACS, ASPM, AER status, read request size",
                "kernel.log", "sys/devices/…/ADDRESS/reset"}));
  recording.manifest.as_root = true;
  EXPECT_TRUE(what_root_would_add(recording).empty());
}

}  // namespace
}  // namespace railgauge::observe
