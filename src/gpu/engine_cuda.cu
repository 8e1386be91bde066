// The engine over the CUDA runtime, which is linked statically: the binary starts without a driver.
#include <cuda_runtime.h>

#include <cctype>

#include "gpu/buffer_access.h"
#include "gpu/copy.h"

namespace railgauge::gpu {
namespace {

std::string version_text(int version) {
  return std::to_string(version / 1000) + "." + std::to_string(version % 1000 / 10);
}

// The static runtime says "insufficient driver" both for an old driver and for none; the driver's
// own version, 0 without one, tells them apart.
std::string driver_words() {
  int driver = 0;
  cudaDriverGetVersion(&driver);
  if (driver == 0) return "no NVIDIA driver: libcuda.so.1 not found";
  return "the NVIDIA driver is too old: it supports CUDA " + version_text(driver) +
         "; needed: " + driver_floor();
}

tl::unexpected<Error> refused(const char* doing, cudaError_t error) {
  cudaGetLastError();  // clears it, so that the next call does not report it again
  if (error == cudaErrorInsufficientDriver) return fail(ErrorKind::device, driver_words());
  if (error == cudaErrorNoDevice)
    return fail(ErrorKind::device,
                "no GPU: the NVIDIA driver is here but shows no device "
                "(CUDA_VISIBLE_DEVICES, container settings)");
  return fail(ErrorKind::device, std::string(doing) + ": " + cudaGetErrorName(error) + ": " +
                                     cudaGetErrorString(error));
}

tl::unexpected<Error> outside(const char* doing) {
  return fail(ErrorKind::usage, std::string(doing) + ": the range is outside the buffer");
}

Result<GpuInfo> info_of(int ordinal) {
  cudaDeviceProp properties{};
  if (const auto e = cudaGetDeviceProperties(&properties, ordinal); e != cudaSuccess)
    return refused("cudaGetDeviceProperties", e);
  char address[32] = {};
  if (const auto e = cudaDeviceGetPCIBusId(address, sizeof address, ordinal); e != cudaSuccess)
    return refused("cudaDeviceGetPCIBusId", e);
  GpuInfo info;
  info.ordinal = ordinal;
  info.name = properties.name;
  for (const char* c = address; *c != '\0'; ++c)
    info.pci_address += static_cast<char>(std::tolower(static_cast<unsigned char>(*c)));
  info.compute_capability = properties.major * 10 + properties.minor;
  info.multiprocessor_count = properties.multiProcessorCount;
  info.memory_bytes = properties.totalGlobalMem;
  return info;
}

}  // namespace

bool built_with_cuda() { return true; }

// NVIDIA's compatibility table: CUDA 13 needs branch 580, CUDA 12 needs 525 (minor-version
// compatibility), CUDA 11 needs 450.
std::string driver_floor() {
  constexpr int major = CUDART_VERSION / 1000;
  constexpr int branch = major >= 13 ? 580 : major == 12 ? 525 : 450;
  return "NVIDIA driver " + std::to_string(branch) + " or newer (CUDA " +
         version_text(CUDART_VERSION) + " runtime)";
}

Result<std::vector<GpuInfo>> devices() {
  int count = 0;
  if (const auto e = cudaGetDeviceCount(&count); e != cudaSuccess)
    return refused("cudaGetDeviceCount", e);
  std::vector<GpuInfo> out;
  for (int i = 0; i < count; ++i) {
    auto info = info_of(i);
    if (!info) return tl::unexpected(std::move(info.error()));
    out.push_back(std::move(*info));
  }
  return out;
}

Result<DeviceBuffer> allocate(int ordinal, std::uint64_t size_bytes) {
  if (const auto e = cudaSetDevice(ordinal); e != cudaSuccess) return refused("cudaSetDevice", e);
  void* data = nullptr;
  if (size_bytes > 0) {
    if (const auto e = cudaMalloc(&data, size_bytes); e != cudaSuccess)
      return refused("cudaMalloc", e);
  }
  return BufferAccess::make(data, size_bytes, ordinal);
}

void release(void* data, int ordinal) noexcept {
  if (cudaSetDevice(ordinal) == cudaSuccess) cudaFree(data);
}

Result<void> upload(DeviceBuffer& to, std::uint64_t offset, std::span<const std::byte> from) {
  if (!in_range(to, offset, from.size())) return outside("upload");
  if (from.empty()) return {};
  if (const auto e = cudaSetDevice(to.ordinal()); e != cudaSuccess)
    return refused("cudaSetDevice", e);
  const auto e =
      cudaMemcpy(BufferAccess::at(to, offset), from.data(), from.size(), cudaMemcpyHostToDevice);
  if (e != cudaSuccess) return refused("cudaMemcpy to the GPU", e);
  // A small copy from pageable memory may return before its last part has arrived.
  if (const auto s = cudaStreamSynchronize(nullptr); s != cudaSuccess)
    return refused("cudaStreamSynchronize", s);
  return {};
}

Result<void> download(const DeviceBuffer& from, std::uint64_t offset, std::span<std::byte> to) {
  if (!in_range(from, offset, to.size())) return outside("download");
  if (to.empty()) return {};
  if (const auto e = cudaSetDevice(from.ordinal()); e != cudaSuccess)
    return refused("cudaSetDevice", e);
  const auto e =
      cudaMemcpy(to.data(), BufferAccess::at(from, offset), to.size(), cudaMemcpyDeviceToHost);
  if (e != cudaSuccess) return refused("cudaMemcpy from the GPU", e);
  return {};
}

Result<void> copy(DeviceBuffer& to, std::uint64_t to_offset, const DeviceBuffer& from,
                  std::uint64_t from_offset, std::uint64_t size_bytes) {
  if (!in_range(to, to_offset, size_bytes) || !in_range(from, from_offset, size_bytes))
    return outside("copy");
  if (to.ordinal() != from.ordinal())
    return fail(ErrorKind::usage, "copy: the buffers are on different GPUs");
  if (size_bytes == 0) return {};
  if (const auto e = cudaSetDevice(to.ordinal()); e != cudaSuccess)
    return refused("cudaSetDevice", e);
  const auto launched = launch_copy(BufferAccess::at(to, to_offset),
                                    BufferAccess::at(from, from_offset), size_bytes, nullptr);
  if (launched != cudaSuccess) return refused("starting the copy kernel", launched);
  if (const auto e = cudaStreamSynchronize(nullptr); e != cudaSuccess)
    return refused("running the copy kernel", e);
  return {};
}

}  // namespace railgauge::gpu
