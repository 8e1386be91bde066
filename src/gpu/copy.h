// Launches the copy kernel; the twin of memcpy on one GPU.
#pragma once

#include <cuda_runtime_api.h>

#include <cstddef>
#include <cstdint>

namespace railgauge::gpu {

// Copies on the current device and stream. The ranges must not overlap.
cudaError_t launch_copy(std::byte* to, const std::byte* from, std::uint64_t size_bytes,
                        cudaStream_t stream);

}  // namespace railgauge::gpu
