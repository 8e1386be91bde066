// Reads a mapping of our own YAML files. The first thing that is wrong is kept, with file and line,
// and everything read after it is a harmless default, so that readers of rows stay short:
//   std::optional<Error> problem;
//   YamlRow row(node, "data/rates.yaml", problem);
//   const int width = row.integer("width", {1, 32});
//   if (problem) return tl::unexpected(*problem);
#pragma once

#include <yaml-cpp/yaml.h>

#include <initializer_list>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace railgauge::observe {

// The whole file as a node, or an error that names file and line.
Result<YAML::Node> parse_yaml(const std::string& text, const std::string& file);

struct IntRange {
  int least;
  int most;
};

class YamlRow {
 public:
  YamlRow(YAML::Node node, std::string file, std::optional<Error>& problem)
      : node_(std::move(node)), file_(std::move(file)), problem_(&problem) {}

  bool has(const char* key) const;
  std::string text(const char* key);
  std::string text_or(const char* key, std::string otherwise);
  int integer(const char* key, IntRange range);
  int integer_or(const char* key, int otherwise, IntRange range);
  double number(const char* key);  // positive
  std::vector<std::string> texts(const char* key);
  YamlRow row(const char* key);
  std::vector<YamlRow> rows(const char* key);  // a list of mappings; empty when absent

  // A key that is none of these is an error: most likely a typing mistake.
  void only(std::initializer_list<std::string_view> keys);
  void complain(const std::string& what);  // "data/rates.yaml:12: what"
  const YAML::Node& node() const { return node_; }
  const std::string& file() const { return file_; }
  unsigned line() const;

 private:
  YAML::Node child(const char* key) const;
  std::optional<std::string> scalar(const char* key, bool required);

  YAML::Node node_;
  std::string file_;
  std::optional<Error>* problem_;
};

}  // namespace railgauge::observe
