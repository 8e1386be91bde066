// nvidia-smi topo -m and -mp, of every driver and however pasted: tabs or blanks, terminal codes,
// wrapped headers, cut rows, grown-together cells, no legend.
//   Result<model::Machine> machine = read_topo_matrix({"topo.txt", bytes});
// Every cell becomes a claim of its Pair, or a remark that says why it could not be placed.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_topo_matrix(std::string_view bytes);
Result<model::Machine> read_topo_matrix(const Input& input);

}  // namespace railgauge::observe
