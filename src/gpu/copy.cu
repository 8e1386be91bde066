// Copy by a kernel: 16-byte loads, grid-stride.
// Roofline: reads and writes every byte once, so 2 x size over the memory's rate. On an H200
// (4.8 TB/s by data sheet) a copy can reach 2.4 TB/s of payload; a library copy is seen at about
// 2.1-2.2. Little's law at 4.8 TB/s and about 700 ns latency (guess) wants 3.4 MB in flight: 132
// SMs x 2048 threads x 16 bytes are 4.3 MB.
#include <algorithm>

#include "gpu/copy.h"

namespace railgauge::gpu {
namespace {

constexpr int threads_per_block = 512;

// One thread moves elements i, i + threads, i + 2 x threads …: a warp's 32 loads are adjacent.
// The bytes before the first and after the last whole element are moved one by one, by the first
// threads of the grid; there are at most 2 x 15.
template <class Element>
__global__ void copy_elements(std::byte* to, const std::byte* from, std::uint64_t head,
                              std::uint64_t count, std::uint64_t tail) {
  const std::uint64_t thread = std::uint64_t{blockIdx.x} * blockDim.x + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  auto* whole_to = reinterpret_cast<Element*>(to + head);
  const auto* whole_from = reinterpret_cast<const Element*>(from + head);
  for (std::uint64_t i = thread; i < count; i += threads) whole_to[i] = whole_from[i];
  if (thread < head) to[thread] = from[thread];
  const std::uint64_t end = head + count * sizeof(Element);
  if (thread < tail) to[end + thread] = from[end + thread];
}

template <class Element>
cudaError_t launch(std::byte* to, const std::byte* from, std::uint64_t size_bytes, int blocks,
                   cudaStream_t stream) {
  const std::uint64_t misaligned = reinterpret_cast<std::uintptr_t>(to) % sizeof(Element);
  const std::uint64_t head =
      std::min<std::uint64_t>(size_bytes, misaligned == 0 ? 0 : sizeof(Element) - misaligned);
  const std::uint64_t count = (size_bytes - head) / sizeof(Element);
  const std::uint64_t tail = size_bytes - head - count * sizeof(Element);
  copy_elements<Element><<<blocks, threads_per_block, 0, stream>>>(to, from, head, count, tail);
  return cudaGetLastError();
}

// Enough blocks to fill every SM's thread slots, and no more than there is work for.
cudaError_t block_count(std::uint64_t size_bytes, int& blocks) {
  int device = 0;
  int processors = 0;
  int threads = 0;
  if (const auto e = cudaGetDevice(&device); e != cudaSuccess) return e;
  if (const auto e = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
      e != cudaSuccess)
    return e;
  if (const auto e =
          cudaDeviceGetAttribute(&threads, cudaDevAttrMaxThreadsPerMultiProcessor, device);
      e != cudaSuccess)
    return e;
  const std::uint64_t fill = static_cast<std::uint64_t>(processors) *
                             static_cast<std::uint64_t>(threads) / threads_per_block;
  const std::uint64_t work = size_bytes / (16 * threads_per_block) + 1;
  blocks = static_cast<int>(std::max<std::uint64_t>(1, std::min(fill, work)));
  return cudaSuccess;
}

}  // namespace

cudaError_t launch_copy(std::byte* to, const std::byte* from, std::uint64_t size_bytes,
                        cudaStream_t stream) {
  if (size_bytes == 0) return cudaSuccess;
  int blocks = 1;
  if (const auto e = block_count(size_bytes, blocks); e != cudaSuccess) return e;
  // The widest element that both ends can be aligned to at once.
  const auto apart = reinterpret_cast<std::uintptr_t>(to) - reinterpret_cast<std::uintptr_t>(from);
  if (apart % 16 == 0) return launch<uint4>(to, from, size_bytes, blocks, stream);
  if (apart % 8 == 0) return launch<uint2>(to, from, size_bytes, blocks, stream);
  if (apart % 4 == 0) return launch<unsigned>(to, from, size_bytes, blocks, stream);
  return launch<std::byte>(to, from, size_bytes, blocks, stream);
}

}  // namespace railgauge::gpu
