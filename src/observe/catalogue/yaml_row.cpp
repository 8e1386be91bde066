#include "observe/catalogue/yaml_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::observe {

Result<YAML::Node> parse_yaml(const std::string& text, const std::string& file) {
  try {
    return YAML::Load(text);
  } catch (const YAML::Exception& e) {
    return fail(ErrorKind::input, fmt::format("{}:{}: {}", file, e.mark.line + 1, e.msg));
  }
}

unsigned YamlRow::line() const {
  return node_.IsDefined() ? static_cast<unsigned>(node_.Mark().line + 1) : 0;
}

void YamlRow::complain(const std::string& what) {
  if (!*problem_)
    *problem_ = Error{ErrorKind::input, fmt::format("{}:{}: {}", file_, line(), what), {}};
}

YAML::Node YamlRow::child(const char* key) const {
  if (!node_.IsDefined() || !node_.IsMap()) return YAML::Node(YAML::NodeType::Undefined);
  const YAML::Node& map = node_;  // the const operator[] does not create the key
  return map[key];
}

bool YamlRow::has(const char* key) const {
  const YAML::Node found = child(key);
  return found.IsDefined() && !found.IsNull();
}

std::optional<std::string> YamlRow::scalar(const char* key, bool required) {
  if (!has(key)) {
    if (required) complain(fmt::format("\"{}\" is missing", key));
    return std::nullopt;
  }
  const YAML::Node found = child(key);
  if (!found.IsScalar()) {
    complain(fmt::format("\"{}\" must be one value", key));
    return std::nullopt;
  }
  return found.Scalar();
}

std::string YamlRow::text(const char* key) { return scalar(key, true).value_or(""); }

std::string YamlRow::text_or(const char* key, std::string otherwise) {
  return scalar(key, false).value_or(std::move(otherwise));
}

int YamlRow::integer(const char* key, IntRange range) {
  if (!has(key)) complain(fmt::format("\"{}\" is missing", key));
  return integer_or(key, range.least, range);
}

int YamlRow::integer_or(const char* key, int otherwise, IntRange range) {
  const auto word = scalar(key, false);
  if (!word) return otherwise;
  const auto value = parse_int(*word);
  if (!value || *value < range.least || *value > range.most) {
    complain(fmt::format("\"{}\" is {}, expected a number from {} to {}", key, quoted(*word),
                         range.least, range.most));
    return otherwise;
  }
  return static_cast<int>(*value);
}

double YamlRow::number(const char* key) {
  const auto word = scalar(key, true);
  if (!word) return 1;
  const auto value = parse_double(*word);
  if (!value || !(*value > 0)) {
    complain(fmt::format("\"{}\" is {}, expected a number above 0", key, quoted(*word)));
    return 1;
  }
  return *value;
}

std::vector<std::string> YamlRow::texts(const char* key) {
  std::vector<std::string> out;
  if (!has(key)) return out;
  const YAML::Node list = child(key);
  if (!list.IsSequence()) {
    complain(fmt::format("\"{}\" must be a list", key));
    return out;
  }
  for (const YAML::Node& item : list) {
    if (!item.IsScalar()) complain(fmt::format("\"{}\" must be a list of single values", key));
    out.push_back(item.IsScalar() ? item.Scalar() : "");
  }
  return out;
}

YamlRow YamlRow::row(const char* key) {
  YamlRow out(child(key), file_, *problem_);
  if (!has(key) || !out.node_.IsMap()) complain(fmt::format("\"{}\" must be a mapping", key));
  return out;
}

std::vector<YamlRow> YamlRow::rows(const char* key) {
  std::vector<YamlRow> out;
  if (!has(key)) return out;
  const YAML::Node list = child(key);
  if (!list.IsSequence()) {
    complain(fmt::format("\"{}\" must be a list", key));
    return out;
  }
  for (const YAML::Node& item : list) {
    out.emplace_back(item, file_, *problem_);
    if (!item.IsMap())
      out.back().complain(fmt::format("an entry of \"{}\" must be a mapping", key));
  }
  return out;
}

void YamlRow::only(std::initializer_list<std::string_view> keys) {
  if (!node_.IsDefined() || !node_.IsMap()) return;
  for (const auto& entry : node_) {
    const std::string key = entry.first.IsScalar() ? entry.first.Scalar() : "?";
    if (std::find(keys.begin(), keys.end(), key) == keys.end())
      complain(fmt::format("unknown key \"{}\"", key));
  }
}

}  // namespace railgauge::observe
