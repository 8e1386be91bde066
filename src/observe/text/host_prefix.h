// pdsh, clush and mpirun put a host's name before each line: "node07: GPU0  X  NV18".
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

struct HostText {
  std::string text;                // of the first host, without the prefix
  std::vector<std::string> hosts;  // empty when no line has a prefix; in order, at most 16
};

// A word that ends in ':' before a GPU's label makes a prefix. Lines of other hosts are blanked, so
// that line numbers stay.
HostText without_host_prefix(std::string_view plain);

}  // namespace railgauge::observe
