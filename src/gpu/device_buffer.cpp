#include <utility>

#include "gpu/buffer_access.h"

namespace railgauge::gpu {

DeviceBuffer::DeviceBuffer(DeviceBuffer&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)),
      size_bytes_(std::exchange(other.size_bytes_, 0)),
      ordinal_(other.ordinal_) {}

DeviceBuffer& DeviceBuffer::operator=(DeviceBuffer&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_bytes_, other.size_bytes_);
  std::swap(ordinal_, other.ordinal_);
  return *this;
}

DeviceBuffer::~DeviceBuffer() {
  if (data_ != nullptr) release(data_, ordinal_);
}

}  // namespace railgauge::gpu
