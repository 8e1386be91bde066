#include "observe/hang_text/json_tree.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using Id = ValueTree::Id;
constexpr std::size_t deepest = 32;  // the dumps are six deep
constexpr std::size_t most_objects = 64;

// Builds the tree while nlohmann's parser reads; false stops it.
class Builder {
 public:
  using number_integer_t = nlohmann::json::number_integer_t;
  using number_unsigned_t = nlohmann::json::number_unsigned_t;
  using number_float_t = nlohmann::json::number_float_t;
  using string_t = nlohmann::json::string_t;
  using binary_t = nlohmann::json::binary_t;

  bool null() { return take(tree.none()); }
  bool boolean(bool value) { return take(tree.boolean(value)); }
  bool number_integer(number_integer_t value) { return take(tree.add_integer(value)); }
  bool number_unsigned(number_unsigned_t value) {
    return take(value <= INT64_MAX ? tree.add_integer(static_cast<std::int64_t>(value))
                                   : tree.add_number(static_cast<double>(value)));
  }
  bool number_float(number_float_t value, const string_t&) { return take(tree.add_number(value)); }
  bool string(string_t& value) { return take(tree.add_text(value)); }
  bool binary(binary_t&) { return false; }
  bool key(string_t& name) {
    keys_.back() = tree.add_text(name);
    return bounded();
  }
  bool start_object(std::size_t) { return open(tree.add_dict()); }
  bool start_array(std::size_t) { return open(tree.add_list({})); }
  bool end_object() { return close(); }
  bool end_array() { return close(); }
  bool parse_error(std::size_t at, const std::string&, const nlohmann::json::exception&) {
    error = fmt::format("not valid JSON at byte {}", at);
    return false;
  }

  ValueTree tree;
  std::string error;

 private:
  bool take(Id value) {
    if (open_.empty())
      tree.set_root(value);
    else if (tree.kind(open_.back()) == ValueTree::Kind::dict)
      tree.set(open_.back(), keys_.back(), value);
    else
      tree.append(open_.back(), value);
    return bounded();
  }
  bool open(Id container) {
    if (!take(container)) return false;
    open_.push_back(container);
    keys_.push_back(0);
    if (open_.size() <= deepest) return true;
    error = fmt::format("nested deeper than {} levels", deepest);
    return false;
  }
  bool close() {
    open_.pop_back();
    keys_.pop_back();
    return true;
  }
  bool bounded() {
    if (!tree.full()) return true;
    error = fmt::format("more than {} values, the most we read", ValueTree::most_nodes);
    return false;
  }

  std::vector<Id> open_;
  std::vector<Id> keys_;  // that of each open container
};

// The length of the object that starts with the text; all of it when it does not end.
std::size_t object_length(std::string_view text) {
  int depth = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '{' || c == '['))
      ++depth;
    else if (!in_string && (c == '}' || c == ']') && --depth == 0)
      return i + 1;
  }
  return text.size();
}

}  // namespace

std::vector<std::string_view> json_objects(std::string_view text) {
  std::vector<std::string_view> out;
  std::size_t at = 0;
  while (at < text.size() && out.size() < most_objects) {
    const std::size_t first = text.find_first_not_of(" \t\r\n", at);
    if (first == std::string_view::npos) break;
    if (text[first] == '{') {
      const std::size_t length = object_length(text.substr(first));
      out.push_back(text.substr(first, length));
      at = first + length;
    } else {
      const std::size_t end = text.find('\n', first);
      if (end == std::string_view::npos) break;
      at = end;
    }
  }
  return out;
}

Result<ValueTree> read_json_tree(const std::string& name, std::string_view text) {
  Builder builder;
  try {
    if (nlohmann::json::sax_parse(text, &builder)) return std::move(builder.tree);
  } catch (const nlohmann::json::exception&) {
    builder.error = "not valid JSON";
  }
  return fail(ErrorKind::input,
              name + ": " + (builder.error.empty() ? "not valid JSON" : builder.error));
}

}  // namespace railgauge::observe
