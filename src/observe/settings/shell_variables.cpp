#include "observe/settings/shell_variables.h"

#include <algorithm>

#include "base/characters.h"
#include "observe/settings/setting_sink.h"
#include "observe/settings/shell_words.h"

namespace railgauge::observe {
namespace {

// Doubling a variable again and again ("A=$A$A") ends here.
constexpr std::size_t longest_value_bytes = 4096;
constexpr std::size_t most_variables = 2000;

std::size_t name_length(std::string_view text) {
  std::size_t n = 0;
  while (n < text.size() && (is_letter(text[n]) || text[n] == '_' || (n > 0 && is_digit(text[n]))))
    ++n;
  return n;
}

bool is_whole(std::string_view value) {
  return value.find('$') == std::string_view::npos && value.size() <= longest_value_bytes;
}

}  // namespace

void ShellVariables::set(std::string_view name, std::string value) {
  if (!is_whole(value)) return forget(name);
  const auto at = values_.find(name);
  if (at != values_.end())
    at->second = std::move(value);
  else if (values_.size() < most_variables)
    values_.emplace(std::string(name), std::move(value));
}

void ShellVariables::forget(std::string_view name) {
  if (const auto at = values_.find(name); at != values_.end()) values_.erase(at);
}

const std::string* ShellVariables::find(std::string_view name) const {
  const auto at = values_.find(name);
  return at == values_.end() ? nullptr : &at->second;
}

// What stands between the braces: NAME, NAME:-word, NAME-word, NAME:=word, NAME=word.
std::string ShellVariables::braced(std::string_view inside) const {
  const std::size_t length = name_length(inside);
  const std::string_view name = inside.substr(0, length);
  std::string_view rest = inside.substr(length);
  if (length > 0) {
    if (const std::string* value = find(name); value != nullptr && rest.empty()) return *value;
    if (rest.starts_with(':')) rest.remove_prefix(1);
    if (rest.starts_with('-') || rest.starts_with('=')) {
      if (const std::string* value = find(name)) return *value;
      rest.remove_prefix(1);
      if (is_whole(rest)) return std::string(rest);
    }
  }
  return "${" + std::string(inside) + "}";
}

std::string ShellVariables::expand(std::string_view word) const {
  std::string out;
  for (std::size_t i = 0; i < word.size() && out.size() <= longest_value_bytes;) {
    if (word[i] != '$') {
      out += word[i] == kept_dollar ? '$' : word[i];
      ++i;
      continue;
    }
    const std::string_view rest = word.substr(i + 1);
    if (rest.starts_with('{')) {
      const auto close = rest.find('}');
      if (close == std::string_view::npos) return out + std::string(word.substr(i));
      out += braced(rest.substr(1, close - 1));
      i += close + 2;
      continue;
    }
    const std::size_t length = name_length(rest);
    const std::string* value = length > 0 ? find(rest.substr(0, length)) : nullptr;
    out += value != nullptr ? *value : std::string(word.substr(i, length + 1));
    i += length + 1;
  }
  return out;
}

}  // namespace railgauge::observe
