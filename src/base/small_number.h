// A count or an index that a text gives: a whole number from 0 to `most`, else nothing.
//   small_number("254", 254)     small_number("-1", 254) and small_number("1x", 254) are nothing
#pragma once

#include <optional>
#include <string_view>

#include "base/strings.h"

namespace railgauge {

inline std::optional<int> small_number(std::string_view text, int most) {
  const auto number = parse_int(text);
  if (!number || *number < 0 || *number > most) return std::nullopt;
  return static_cast<int>(*number);
}

}  // namespace railgauge
