#include "observe/system/kernel_arguments.h"

#include <gtest/gtest.h>

#include "observe/system/host_text.h"

namespace railgauge::observe {
namespace {

using Words = std::vector<std::string>;

TEST(KernelArguments, ThoseThatMatterStayAndOthersLoseValueOrName) {
  EXPECT_EQ(known_arguments("BOOT_IMAGE=/vmlinuz-5.15 root=UUID=1234 ro quiet iommu=pt "
                            "intel_iommu=on site.key=hunter2 hunter2 pci=noacs,realloc\n"),
            "BOOT_IMAGE=(hidden) root=(hidden) ro quiet iommu=pt intel_iommu=on (hidden) (hidden) "
            "pci=noacs,realloc");
}

TEST(KernelArguments, QuotesHoldBlanksTogether) {
  EXPECT_EQ(
      known_arguments("dyndbg=\"file x +p; hunter2\" nvidia.NVreg_RegistryDwords=\"A=1 B=2\""),
      "(hidden) nvidia.NVreg_RegistryDwords=\"A=1 B=2\"");
  EXPECT_EQ(known_arguments("x=\"never closed iommu=pt"), "(hidden)");
  EXPECT_EQ(known_arguments("quiet iommu=\"pt hunter2"), "quiet (hidden)");
}

TEST(KernelArguments, DashAndUnderscoreAreTheSame) {
  EXPECT_EQ(known_arguments("nvidia-drm.modeset=1 transparent-hugepage=never iommu_=x"),
            "nvidia-drm.modeset=1 transparent-hugepage=never (hidden)");
}

TEST(KernelArguments, WhatIsForInitIsHidden) {
  EXPECT_EQ(known_arguments("quiet -- iommu=pt hunter2"), "quiet -- (hidden) (hidden)");
}

TEST(KernelArguments, FilteringTwiceIsFilteringOnce) {
  const std::string once = known_arguments("root=/dev/sda1 iommu=pt x=1 y -- z");
  EXPECT_EQ(known_arguments(once), once);
  EXPECT_EQ(plain_arguments(once), Words{"iommu=pt"});
}

TEST(KernelArguments, AreFoundInTheKernelsLog) {
  model::Machine machine;
  const auto source = machine.sources.add("dmesg.txt", model::Trust::tool);
  EXPECT_TRUE(kernel_arguments_text(
      "[    0.000000] Linux version 5.15\n"
      "[    0.000000] Command line: BOOT_IMAGE=/vmlinuz root=UUID=1 iommu=pt\n"
      "[    0.012345] Kernel command line: BOOT_IMAGE=/vmlinuz root=UUID=1 iommu=pt\n",
      source, machine));
  EXPECT_EQ(*machine.host.kernel_arguments, Words{"iommu=pt"});
  EXPECT_EQ(machine.host.kernel_arguments.claims().size(), 1u);
  EXPECT_EQ(machine.host.kernel_arguments.source().line, 2u);
  EXPECT_FALSE(kernel_arguments_text("sudo grub root shell\n", source, machine));
}

}  // namespace
}  // namespace railgauge::observe
