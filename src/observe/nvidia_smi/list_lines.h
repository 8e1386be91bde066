// The lines of nvidia-smi -L and nvidia-smi nvlink, taken apart. No facts yet.
#pragma once

#include <optional>
#include <string_view>

namespace railgauge::observe::nvidia_smi {

// "GPU 0: NVIDIA H200 (UUID: GPU-…)"; the oldest drivers leave out the UUID.
struct GpuLine {
  int index = 0;
  std::string_view name;
  std::string_view uuid;
};
std::optional<GpuLine> gpu_line(std::string_view line);

// "MIG 3g.40gb     Device  0: (UUID: MIG-…)"
struct MigLine {
  std::string_view profile;  // "MIG 3g.40gb"
  std::string_view uuid;
};
std::optional<MigLine> mig_line(std::string_view line);

// "Link 3: 26.562 GB/s", "Link 3, P2P is supported: true": the number and the rest. The rest is
// empty for a line that only opens a list of lanes.
struct LinkLine {
  int number = 0;
  std::string_view rest;
};
std::optional<LinkLine> link_line(std::string_view line);

}  // namespace railgauge::observe::nvidia_smi
