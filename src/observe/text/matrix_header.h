// The first line of a pasted matrix: which device each column is, and what stands after the cells.
// Headers come wrapped by terminals, cut, and with columns grown together ("NIC28NIC29").
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

struct MatrixHeader {
  std::vector<std::string> columns;      // "GPU0", "NIC3", "mlx5_0"
  std::vector<std::string> merged;       // header words that were several columns: "NIC28NIC29"
  std::vector<std::string> trailing;     // "CPU Affinity", "NUMA Affinity", "GPU NUMA ID"
  std::vector<std::size_t> trailing_at;  // where each starts, in bytes of its line
  std::string rest;                      // what is no column at the end; empty in a whole header
  std::size_t lines = 1;                 // more when a terminal wrapped it
};

// The header that starts at lines[0], joined with the lines it was wrapped over.
std::optional<MatrixHeader> find_header(std::span<const std::string_view> lines);

}  // namespace railgauge::observe
