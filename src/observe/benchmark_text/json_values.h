// Members of foreign JSON: the value, or nothing when it is absent or of another kind. For .cpp
// files only.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>

#include "base/strings.h"

namespace railgauge::observe::json_values {

using Json = nlohmann::json;

inline constexpr std::size_t most_bytes = 32u << 20;

inline const Json* member(const Json& object, const char* key) {
  if (!object.is_object()) return nullptr;
  const auto found = object.find(key);
  return found == object.end() ? nullptr : &*found;
}

// Numbers stand as numbers or as strings ("276.07").
inline std::optional<double> number(const Json* value) {
  if (value == nullptr) return std::nullopt;
  if (value->is_number()) return value->get<double>();
  if (value->is_string()) return parse_double(trim(value->get_ref<const std::string&>()));
  return std::nullopt;
}
inline std::optional<double> number(const Json& object, const char* key) {
  return number(member(object, key));
}

// Between 0 and `most`.
inline std::optional<std::int64_t> count(const Json& object, const char* key, std::int64_t most) {
  const auto value = number(object, key);
  if (!value || !(*value >= 0) || !(*value <= static_cast<double>(most))) return std::nullopt;
  return static_cast<std::int64_t>(*value);
}

inline std::string_view string(const Json* value) {
  if (value == nullptr || !value->is_string()) return {};
  return value->get_ref<const std::string&>();
}
inline std::string_view string(const Json& object, const char* key) {
  return string(member(object, key));
}

// The elements of an array member; an empty array where it is none.
inline const Json& array(const Json& object, const char* key) {
  static const Json none = Json::array();
  const Json* value = member(object, key);
  return value != nullptr && value->is_array() ? *value : none;
}

// The outermost object of a paste that may have a prompt before it; empty when there is none.
inline std::string_view object_text(std::string_view bytes) {
  const auto open = bytes.find('{');
  const auto close = bytes.rfind('}');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open) return {};
  return bytes.substr(open, close - open + 1);
}

}  // namespace railgauge::observe::json_values
