// nvbandwidth: a matrix for each test case, as text or as JSON (-j).
//   Running device_to_device_memcpy_read_ce.
//   memcpy CE GPU(row) -> GPU(column) bandwidth (GB/s)
//              0         1
//    0       N/A    276.07
//    1    276.36       N/A
// One run a test case, one row a cell that has a value. Latencies (ns) become seconds.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_nvbandwidth(std::string_view bytes);
Result<model::Machine> read_nvbandwidth(const Input& input);

bool looks_like_nvbandwidth_json(std::string_view bytes);
Result<model::Machine> read_nvbandwidth_json(const Input& input);

// What a matrix's title says: "memcpy CE CPU(row) <- GPU(column) bandwidth (GB/s)".
struct MatrixTitle {
  std::string row;           // "CPU", "GPU", empty for a vector of devices
  std::string column;        // "GPU"
  bool to_row = false;       // data moves from the column's device to the row's
  bool both_ways = false;    // "<->"
  bool nanoseconds = false;  // a latency
};
bool parse_matrix_title(std::string_view line, MatrixTitle& out);

// The cell of a matrix as a row of a run.
model::BenchmarkRow matrix_cell(const MatrixTitle& title, std::string_view row,
                                std::string_view column, double value);

}  // namespace railgauge::observe
