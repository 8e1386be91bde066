#include "observe/sysfs/attributes.h"

#include <limits>

namespace railgauge::observe {

Reading<std::string> plain_text(std::string_view text) {
  if (text.empty()) return Reading<std::string>::failed("the file is empty");
  // The longest text a person would want to read; longer ones are not names.
  if (text.size() > 4096) return Reading<std::string>::not_reported("a text of at most 4096 bytes");
  return valid_utf8(text);
}

Reading<int> count(std::string_view text) {
  const auto value = parse_int(text);
  if (!value || *value < 0 || *value > std::numeric_limits<int>::max())
    return Reading<int>::not_reported("a count");
  return static_cast<int>(*value);
}

Reading<std::uint16_t> hex16(std::string_view text) {
  const auto value = parse_hex(text);
  if (!value || *value > 0xffff)
    return Reading<std::uint16_t>::not_reported("a number like 0x15b3");
  return static_cast<std::uint16_t>(*value);
}

}  // namespace railgauge::observe
