#include "observe/archive/refused.h"

#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "observe/archive/bounded_json.h"
#include "observe/archive/entry_path.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_bytes = 16u << 20;  // 200'000 paths of 80 bytes

}  // namespace

Result<RefusedPaths> parse_refused(std::string_view json) {
  auto document = parse_bounded_json(json, "refused.json", longest_bytes);
  if (!document) return tl::unexpected(std::move(document.error()));
  if (!document->is_object())
    return fail(ErrorKind::input, "refused.json: should be an object of path: reason");
  RefusedPaths refused;
  for (auto& [key, value] : document->items()) {
    const auto path = entry_path(key);
    if (!path)
      return fail(path.error().kind,
                  "refused.json: " + railgauge::quoted(key, 120) + " " + path.error().message);
    if (path->empty() || !value.is_string())
      return fail(ErrorKind::input, "refused.json: the reason of " + railgauge::quoted(key, 120) +
                                        " should be a string, but is " + value.type_name());
    refused.emplace(*path, std::move(value.get_ref<std::string&>()));
  }
  return refused;
}

std::string refused_json(const RefusedPaths& refused) {
  nlohmann::ordered_json document = nlohmann::ordered_json::object();
  // ordered_json looks through all keys on every insertion; the map has sorted and unique ones.
  auto& members = document.get_ref<nlohmann::ordered_json::object_t&>();
  for (const auto& [path, why] : refused) members.emplace_back(path, why);
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::observe
