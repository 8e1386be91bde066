// The GPU as the rest of the program sees it: which there are, memory on them, and copies by a
// kernel of ours.
//   Result<std::vector<GpuInfo>> gpus = devices();
//   Result<DeviceBuffer> buffer = allocate(0, 64 << 20);
//   if (buffer) upload(*buffer, 0, bytes);
// Plain C++: no CUDA header is needed to include this. Built without CUDA, or on a machine without
// a driver, every function says so in its Error (kind device); nothing throws or ends the process.
// Each call has finished on the GPU when it returns.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "base/result.h"

namespace railgauge::gpu {

struct GpuInfo {
  int ordinal = 0;             // CUDA's number, after CUDA_VISIBLE_DEVICES; not NVML's index
  std::string name;            // "NVIDIA H200"
  std::string pci_address;     // "0000:1b:00.0": what identifies it for all other sources
  int compute_capability = 0;  // 90 for sm_90
  int multiprocessor_count = 0;
  std::uint64_t memory_bytes = 0;
};

bool built_with_cuda();

// The oldest driver that can run the kernels in this binary: "NVIDIA driver 580 or newer (CUDA 13.0
// runtime)", or why there is none.
std::string driver_floor();

// Every GPU that CUDA shows. No GPU at all is an Error, with the reason.
Result<std::vector<GpuInfo>> devices();

// Memory on one GPU; frees itself.
class DeviceBuffer {
 public:
  DeviceBuffer() = default;
  DeviceBuffer(DeviceBuffer&& other) noexcept;
  DeviceBuffer& operator=(DeviceBuffer&& other) noexcept;
  DeviceBuffer(const DeviceBuffer&) = delete;
  DeviceBuffer& operator=(const DeviceBuffer&) = delete;
  ~DeviceBuffer();

  std::uint64_t size_bytes() const { return size_bytes_; }
  int ordinal() const { return ordinal_; }

 private:
  DeviceBuffer(void* data, std::uint64_t size_bytes, int ordinal)
      : data_(data), size_bytes_(size_bytes), ordinal_(ordinal) {}
  friend struct BufferAccess;  // the engine's own

  void* data_ = nullptr;
  std::uint64_t size_bytes_ = 0;
  int ordinal_ = 0;
};

// Uninitialised memory. Zero bytes are a valid, empty buffer.
Result<DeviceBuffer> allocate(int ordinal, std::uint64_t size_bytes);

// Host to device and back. Errors: kind usage when the range is outside the buffer.
Result<void> upload(DeviceBuffer& to, std::uint64_t offset, std::span<const std::byte> from);
Result<void> download(const DeviceBuffer& from, std::uint64_t offset, std::span<std::byte> to);

// Device to device by a kernel on `to`'s GPU: 16-byte loads and stores where both ends share an
// alignment. The ranges must not overlap; both buffers must be on one GPU.
Result<void> copy(DeviceBuffer& to, std::uint64_t to_offset, const DeviceBuffer& from,
                  std::uint64_t from_offset, std::uint64_t size_bytes);

}  // namespace railgauge::gpu
