// With a GPU the copies are compared with a CPU twin; without one every function must say why.
#include "gpu/engine.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::gpu {
namespace {

using Bytes = std::vector<std::byte>;

// Bytes without a short period, so that a copy shifted by any alignment is seen.
Bytes pattern(std::size_t size, std::uint32_t seed) {
  Bytes out(size);
  std::uint32_t x = seed;
  for (std::byte& b : out) {
    x = x * 1664525u + 1013904223u;  // Numerical Recipes' generator
    b = static_cast<std::byte>(x >> 24);
  }
  return out;
}

class GpuEngine : public testing::Test {
 protected:
  void SetUp() override {
    const auto gpus = devices();
    if (!gpus) GTEST_SKIP() << "skipped: " << gpus.error().text();
    ordinal_ = gpus->front().ordinal;
  }

  Result<DeviceBuffer> filled(const Bytes& bytes) const {
    auto buffer = allocate(ordinal_, bytes.size());
    if (!buffer) return buffer;
    if (auto sent = upload(*buffer, 0, bytes); !sent) return tl::unexpected(sent.error());
    return buffer;
  }

  // Copies on the GPU and on the CPU and compares the whole target, so that a byte written beside
  // the range is seen too.
  void expect_like_cpu(std::size_t to_offset, std::size_t from_offset, std::size_t size) const {
    SCOPED_TRACE(testing::Message() << size << " bytes, " << from_offset << " to " << to_offset);
    const Bytes source = pattern(from_offset + size + 40, 1);
    Bytes twin = pattern(to_offset + size + 40, 2);
    auto from = filled(source);
    auto to = filled(twin);
    ASSERT_TRUE(from && to);
    const auto copied = copy(*to, to_offset, *from, from_offset, size);
    ASSERT_TRUE(copied) << copied.error().text();
    std::copy_n(source.begin() + static_cast<std::ptrdiff_t>(from_offset), size,
                twin.begin() + static_cast<std::ptrdiff_t>(to_offset));
    Bytes got(twin.size());
    ASSERT_TRUE(download(*to, 0, got));
    EXPECT_TRUE(got == twin);
  }

  int ordinal_ = 0;
};

TEST_F(GpuEngine, DevicesHaveNamesAndAddresses) {
  const auto gpus = devices();
  ASSERT_TRUE(gpus);
  for (const GpuInfo& gpu : *gpus) {
    EXPECT_FALSE(gpu.name.empty());
    EXPECT_GE(gpu.pci_address.size(), 12u) << gpu.pci_address;
    EXPECT_EQ(gpu.pci_address, lower(gpu.pci_address));
    EXPECT_GE(gpu.compute_capability, 70);
    EXPECT_GT(gpu.multiprocessor_count, 0);
    EXPECT_GT(gpu.memory_bytes, 1u << 30);
  }
}

TEST_F(GpuEngine, CopyOfOddSizesIsLikeTheCpus) {
  for (const std::size_t size : {0, 1, 15, 16, 17, 4095}) expect_like_cpu(0, 0, size);
}

TEST_F(GpuEngine, CopyBetweenMisalignedPlacesIsLikeTheCpus) {
  for (const std::size_t to : {0, 1, 3, 4, 8, 15})
    for (const std::size_t from : {0, 1, 4, 7, 8, 12})
      for (const std::size_t size : {1, 14, 33, 4095}) expect_like_cpu(to, from, size);
}

TEST_F(GpuEngine, CopyOf64MebibytesIsLikeTheCpus) {
  expect_like_cpu(0, 0, 64u << 20);
  expect_like_cpu(5, 5, (64u << 20) - 3);
  expect_like_cpu(1, 0, 64u << 20);
}

TEST_F(GpuEngine, RangeOutsideTheBufferIsRefused) {
  auto a = allocate(ordinal_, 100);
  auto b = allocate(ordinal_, 50);
  ASSERT_TRUE(a && b);
  Bytes bytes(60);
  EXPECT_EQ(upload(*b, 0, bytes).error().kind, ErrorKind::usage);
  EXPECT_EQ(download(*a, 41, bytes).error().kind, ErrorKind::usage);
  EXPECT_EQ(download(*a, ~std::uint64_t{0}, bytes).error().kind, ErrorKind::usage);
  EXPECT_EQ(copy(*a, 60, *b, 0, 50).error().kind, ErrorKind::usage);
  EXPECT_EQ(copy(*a, 0, *b, 1, 50).error().kind, ErrorKind::usage);
  EXPECT_TRUE(copy(*a, 50, *b, 0, 50));
}

TEST_F(GpuEngine, MoreMemoryThanThereIsIsAnErrorAndTheNextCallWorks) {
  const auto all = allocate(ordinal_, std::uint64_t{1} << 50);
  ASSERT_FALSE(all);
  EXPECT_EQ(all.error().kind, ErrorKind::device);
  EXPECT_TRUE(allocate(ordinal_, 16));
}

TEST(GpuEngineBuild, DriverFloorIsStated) {
  EXPECT_TRUE(contains(driver_floor(), built_with_cuda() ? "NVIDIA driver " : "without CUDA"));
}

TEST(GpuEngineBuild, WithoutAGpuEveryFunctionSaysWhy) {
  const auto gpus = devices();
  if (gpus) GTEST_SKIP() << "skipped: there is a GPU";
  EXPECT_EQ(gpus.error().kind, ErrorKind::device);
  const std::string why = gpus.error().message;
  EXPECT_TRUE(contains(why, built_with_cuda() ? "no " : "built without CUDA") ||
              contains(why, "too old"))
      << why;
  const auto buffer = allocate(0, 16);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().message, why);
}

TEST(DeviceBuffer, EmptyOneMovesAndFreesNothing) {
  DeviceBuffer a;
  DeviceBuffer b = std::move(a);
  a = std::move(b);
  EXPECT_EQ(a.size_bytes(), 0u);
}

}  // namespace
}  // namespace railgauge::gpu
