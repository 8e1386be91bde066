// The engine of a binary built without CUDA: the same functions, which say why not.
#include "gpu/buffer_access.h"

namespace railgauge::gpu {
namespace {

tl::unexpected<Error> why_not() {
  return fail(ErrorKind::device,
              "built without CUDA: configure where nvcc is installed, or with -DRAILGAUGE_CUDA=ON");
}

}  // namespace

bool built_with_cuda() { return false; }
std::string driver_floor() { return "none: built without CUDA"; }
Result<std::vector<GpuInfo>> devices() { return why_not(); }
Result<DeviceBuffer> allocate(int, std::uint64_t) { return why_not(); }
Result<void> upload(DeviceBuffer&, std::uint64_t, std::span<const std::byte>) { return why_not(); }
Result<void> download(const DeviceBuffer&, std::uint64_t, std::span<std::byte>) {
  return why_not();
}
Result<void> copy(DeviceBuffer&, std::uint64_t, const DeviceBuffer&, std::uint64_t, std::uint64_t) {
  return why_not();
}
void release(void*, int) noexcept {}

}  // namespace railgauge::gpu
