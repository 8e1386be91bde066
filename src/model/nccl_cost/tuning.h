// NCCL's published tuning constants: latencies in microseconds, bandwidths in GB/s.
// Source: src/graph/tuning.cc of the NCCL releases 2.18.1 to 2.30.7. Nothing here is fitted.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "model/path_class.h"

namespace railgauge::model::nccl_cost {

enum class Algorithm : std::uint8_t { tree, ring, nvls, nvls_tree };
enum class Protocol : std::uint8_t { ll, ll128, simple };
inline constexpr std::array all_algorithms{Algorithm::tree, Algorithm::ring, Algorithm::nvls,
                                           Algorithm::nvls_tree};
inline constexpr std::array all_protocols{Protocol::ll, Protocol::ll128, Protocol::simple};
std::string_view text(Algorithm algorithm);  // "Tree", "Ring", "NVLS", "NVLSTree": NCCL's words
std::string_view text(Protocol protocol);    // "LL", "LL128", "Simple"

enum class Medium : std::uint8_t { nvlink, pcie, network };

struct Latency {
  double base = 0;  // once an operation
  double hop = 0;   // once a step
};
Latency latency(Algorithm algorithm, Protocol protocol, Medium medium, NcclVersion version);

// Ceilings. `nodes` counts 1, 2, and more: NCCL has three columns.
struct Ceilings {
  double ll = 0;                // all channels together
  double ring_ll128 = 0;        // a channel
  double tree_ll128 = 0;        // a channel
  double tree = 0;              // a channel; also the most one thread block moves
  double nvls_tree = 0;         // a channel
  double nvls_efficiency = 0;   // of what the links could, 2.28 and later
  double ring_ll_fraction = 0;  // LL of Simple
};
Ceilings ceilings(int compute_capability, int nodes, bool amd_cpu, NcclVersion version);

// What is left of a tree's bandwidth at this size: it does not follow the model in the middle.
double tree_correction(Protocol protocol, double bytes);

// The clock the latencies are scaled to: H100 SXM. See docs/design/0007-bandwidth.md.
inline constexpr double reference_clock_mhz = 1980;
// Highest SM clock of the data-centre part, from its data sheet or nvidia-smi -q ("Max Clocks").
double board_clock_mhz(int compute_capability);

}  // namespace railgauge::model::nccl_cost
