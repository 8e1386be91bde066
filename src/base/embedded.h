// A file compiled into the binary by cmake/embed.cmake.
#pragma once

#include <span>
#include <string_view>

namespace railgauge {

struct EmbeddedFile {
  std::string_view path;  // "data/rates.yaml"
  std::string_view bytes;
};

}  // namespace railgauge
