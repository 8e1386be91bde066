// The part of JSON Schema that our schemas use, for tests where no validator is installed: $ref
// into $defs, type, const, enum, required, properties, additionalProperties, items, minLength.
// `pattern` is left to tools/schema_check.py.
#pragma once

#include <nlohmann/json.hpp>

#include <algorithm>
#include <string>
#include <vector>

namespace railgauge::present::testing {

class SchemaChecker {
 public:
  explicit SchemaChecker(nlohmann::json root) : root_(std::move(root)) {}

  // What does not fit, each with its place; empty when all does.
  std::vector<std::string> check(const nlohmann::json& value, const nlohmann::json& schema) {
    problems_.clear();
    visit(value, schema, "");
    return problems_;
  }
  const nlohmann::json& root() const { return root_; }

 private:
  static bool has_type(const nlohmann::json& value, const std::string& type) {
    if (type == "null") return value.is_null();
    if (type == "string") return value.is_string();
    if (type == "boolean") return value.is_boolean();
    if (type == "integer") return value.is_number_integer();
    if (type == "number") return value.is_number();
    if (type == "array") return value.is_array();
    return type == "object" && value.is_object();
  }

  void say(const std::string& place, const std::string& what) {
    problems_.push_back(place + ": " + what);
  }

  void visit(const nlohmann::json& value, const nlohmann::json& schema, const std::string& place) {
    if (schema.is_boolean()) {
      if (!schema.get<bool>()) say(place, "is not allowed");
      return;
    }
    if (schema.contains("$ref")) {
      const std::string ref = schema["$ref"].get<std::string>();
      visit(value, root_.at(nlohmann::json::json_pointer(ref.substr(1))), place);
      return;
    }
    if (schema.contains("type")) {
      std::vector<std::string> types;
      if (schema["type"].is_string())
        types.push_back(schema["type"].get<std::string>());
      else
        types = schema["type"].get<std::vector<std::string>>();
      if (std::none_of(types.begin(), types.end(),
                       [&](const std::string& t) { return has_type(value, t); })) {
        say(place, "has the wrong type: " + value.dump().substr(0, 80));
        return;
      }
    }
    if (schema.contains("const") && schema["const"] != value) say(place, "is not the constant");
    if (schema.contains("enum")) {
      const auto& all = schema["enum"];
      if (std::find(all.begin(), all.end(), value) == all.end())
        say(place, "is none of the words: " + value.dump().substr(0, 80));
    }
    if (value.is_string() && schema.contains("minLength") &&
        value.get<std::string>().size() < schema["minLength"].get<std::size_t>())
      say(place, "is too short");
    if (value.is_object()) visit_object(value, schema, place);
    if (value.is_array() && schema.contains("items"))
      for (std::size_t i = 0; i < value.size(); ++i)
        visit(value[i], schema["items"], place + "/" + std::to_string(i));
  }

  void visit_object(const nlohmann::json& value, const nlohmann::json& schema,
                    const std::string& place) {
    if (schema.contains("required"))
      for (const auto& key : schema["required"])
        if (!value.contains(key.get<std::string>())) say(place, "lacks " + key.get<std::string>());
    for (const auto& [key, item] : value.items()) {
      if (schema.contains("properties") && schema["properties"].contains(key))
        visit(item, schema["properties"][key], place + "/" + key);
      else if (schema.contains("additionalProperties"))
        visit(item, schema["additionalProperties"], place + "/" + key);
    }
  }

  nlohmann::json root_;
  std::vector<std::string> problems_;
};

}  // namespace railgauge::present::testing
