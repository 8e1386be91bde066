// manifest.json, as docs/design/0002-recording.md fixes it.
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "observe/archive/archive.h"
#include "observe/archive/bounded_json.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_bytes = 1u << 20;  // ours is below 1 kB
constexpr int newest_schema = 1;
constexpr std::string_view schema_name = "railgauge.recording/";
constexpr std::string_view tool_name = "railgauge ";

tl::unexpected<Error> wrong(const char* key, const char* expected, const nlohmann::json& value) {
  return fail(ErrorKind::input, std::string("manifest.json: key \"") + key + "\" should be " +
                                    expected + ", but is " + value.type_name());
}

// An absent key or null leaves the text empty.
Result<std::string> text_of(const nlohmann::json& document, const char* key) {
  const auto found = document.find(key);
  if (found == document.end() || found->is_null()) return std::string();
  if (!found->is_string()) return wrong(key, "a string", *found);
  return strip_terminal_codes(found->get_ref<const std::string&>());
}

Result<int> schema_of(const nlohmann::json& document) {
  const auto found = document.find("schema");
  if (found == document.end())
    return fail(ErrorKind::input,
                "manifest.json: key \"schema\" is missing; is this a recording of railgauge?");
  if (!found->is_string()) return wrong("schema", "a string", *found);
  const std::string& text = found->get_ref<const std::string&>();
  const auto number = text.starts_with(schema_name)
                          ? parse_int(std::string_view(text).substr(schema_name.size()))
                          : std::nullopt;
  if (!number || *number < 1)
    return fail(ErrorKind::input, "manifest.json: key \"schema\" should be \"" +
                                      std::string(schema_name) + "1\", but is " +
                                      railgauge::quoted(text) + "");
  if (*number > newest_schema)
    return fail(ErrorKind::input, "manifest.json: schema " + railgauge::quoted(text) +
                                      " is newer than this railgauge, which knows " +
                                      std::string(schema_name) + std::to_string(newest_schema) +
                                      "; update railgauge");
  return static_cast<int>(*number);
}

}  // namespace

Result<Manifest> parse_manifest(std::string_view json) {
  const auto document = parse_bounded_json(json, "manifest.json", longest_bytes);
  if (!document) return tl::unexpected(document.error());
  if (!document->is_object()) return fail(ErrorKind::input, "manifest.json: should be an object");

  Manifest manifest;
  const auto schema = schema_of(*document);
  if (!schema) return tl::unexpected(schema.error());
  manifest.schema = *schema;
  for (const auto& [key, field] :
       {std::pair{"tool", &manifest.tool_version}, std::pair{"made_at", &manifest.made_at},
        std::pair{"hostname", &manifest.hostname},
        std::pair{"identity_key", &manifest.identity_key}}) {
    auto text = text_of(*document, key);
    if (!text) return tl::unexpected(std::move(text.error()));
    *field = std::move(*text);
  }
  if (manifest.tool_version.starts_with(tool_name))
    manifest.tool_version.erase(0, tool_name.size());
  if (const auto found = document->find("as_root"); found != document->end()) {
    if (!found->is_boolean()) return wrong("as_root", "true or false", *found);
    manifest.as_root = found->get<bool>();
  }
  const auto identities = text_of(*document, "identities");
  if (!identities) return tl::unexpected(identities.error());
  if (!identities->empty() && *identities != "kept" && *identities != "replaced")
    return fail(ErrorKind::input,
                "manifest.json: key \"identities\" should be \"kept\" or \"replaced\", but is " +
                    railgauge::quoted(*identities));
  manifest.identities_replaced = *identities == "replaced";
  return manifest;
}

std::string manifest_json(const Manifest& manifest) {
  nlohmann::ordered_json document = {
      {"schema", std::string(schema_name) + std::to_string(manifest.schema)},
      {"tool", std::string(tool_name) + manifest.tool_version},
      {"made_at", manifest.made_at},
      {"hostname", manifest.hostname},
      {"as_root", manifest.as_root},
      {"identities", manifest.identities_replaced ? "replaced" : "kept"}};
  if (!manifest.identity_key.empty()) document["identity_key"] = manifest.identity_key;
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

}  // namespace railgauge::observe
