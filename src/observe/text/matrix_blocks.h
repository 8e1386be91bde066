// Finds matrices (a header of devices, rows of devices and words) in a longer paste, whatever the
// words mean: nvidia-smi's classes, its P2P states, rocm-smi's numbers. Readers interpret the rows.
//   for (const MatrixBlock& block : find_matrices(plain_text(bytes)).blocks) …
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "observe/text/matrix_header.h"

namespace railgauge::observe {

struct MatrixRow {
  std::string label;
  std::uint32_t line = 0;
  std::uint32_t last_line = 0;     // larger than line when a terminal wrapped the row
  std::vector<std::string> words;  // after the label
  std::string text;                // the line itself, where it was not wrapped
};

struct MatrixBlock {
  std::uint32_t header_line = 0;  // 0: rows without a header
  MatrixHeader header;
  std::string title;    // the last other line before the header: "Hops between two GPUs"
  std::string command;  // the last command line before it: "$ nvidia-smi topo -p2p r"
  std::vector<MatrixRow> rows;
};

struct MatrixText {
  std::vector<MatrixBlock> blocks;
  std::string limit_hit;  // empty, or which bound ended the search
};

MatrixText find_matrices(std::string_view plain);

}  // namespace railgauge::observe
