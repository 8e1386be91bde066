// What the engine's own files may do with a DeviceBuffer, and nobody else.
#pragma once

#include "gpu/engine.h"

namespace railgauge::gpu {

struct BufferAccess {
  static DeviceBuffer make(void* data, std::uint64_t size_bytes, int ordinal) {
    return DeviceBuffer(data, size_bytes, ordinal);
  }
  static std::byte* at(const DeviceBuffer& buffer, std::uint64_t offset) {
    return static_cast<std::byte*>(buffer.data_) + offset;
  }
};

// True when [offset, offset + size) lies in the buffer; written so that it cannot wrap.
inline bool in_range(const DeviceBuffer& buffer, std::uint64_t offset, std::uint64_t size_bytes) {
  return offset <= buffer.size_bytes() && size_bytes <= buffer.size_bytes() - offset;
}

// Gives memory back; errors are not reported because a destructor has nobody to tell.
void release(void* data, int ordinal) noexcept;

}  // namespace railgauge::gpu
