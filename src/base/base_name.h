// The last component of a path: base_name("/etc/nccl.conf") and base_name("nccl.conf") are both
// "nccl.conf".
#pragma once

#include <string_view>

namespace railgauge {

constexpr std::string_view base_name(std::string_view path) {
  return path.substr(path.rfind('/') + 1);  // npos + 1 is 0
}

}  // namespace railgauge
