// "  firmware-version: 28.39 (MT_0)" is {"firmware-version", "28.39 (MT_0)"}: the first colon
// parts.
#pragma once

#include <optional>
#include <string_view>

#include "base/strings.h"

namespace railgauge::observe {

struct KeyValue {
  std::string_view key;
  std::string_view value;
};

inline std::optional<KeyValue> key_value(std::string_view line) {
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  return KeyValue{trim(line.substr(0, colon)), trim(line.substr(colon + 1))};
}

}  // namespace railgauge::observe
