// One row of `nvidia-smi topo -m` against its header: which word is which cell, which is affinity.
//   CutRow row = cut_row(block.header, block.rows[3]);
// Words that lost the blank between them are cut where only one reading exists. A row that does not
// fit keeps what is certain and says what is not.
#pragma once

#include <string>
#include <vector>

#include "observe/text/matrix_blocks.h"

namespace railgauge::observe {

struct CutRow {
  std::vector<std::string> cells;     // one per column from the left; may be fewer than columns
  std::vector<std::string> trailing;  // one per trailing column; "" where the row has none
  std::vector<std::string> notes;     // repaired: how
  std::vector<std::string> problems;  // not repaired: what is missing
};

CutRow cut_row(const MatrixHeader& header, const MatrixRow& row);

// Without a header: affinity and the number of cells, nothing else is certain.
struct LooseRow {
  std::size_t cell_count = 0;
  std::vector<std::string> trailing;
  std::vector<std::string> notes;
};
LooseRow cut_loose_row(const MatrixRow& row);

}  // namespace railgauge::observe
