// The legends under nvidia-smi's matrices.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

struct LegendName {
  std::string label;  // "NIC3"
  std::string name;   // "mlx5_3"
  std::uint32_t line = 0;
};

struct TopoLegend {
  bool names_pix = false;             // the class legend is there
  bool names_nvlink = false;          // with its NV# line
  bool names_p2p = false;             // "OK   = Status Ok"
  bool command_hides_nvlink = false;  // a command line with "topo -mp"
  bool command_asks_p2p = false;
  std::vector<LegendName> nics;
};

TopoLegend read_legend(std::string_view plain);

}  // namespace railgauge::observe
