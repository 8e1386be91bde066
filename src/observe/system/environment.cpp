#include "observe/system/environment.h"

#include <algorithm>
#include <optional>

#include "base/characters.h"
#include "base/strings.h"
#include "observe/system/environment_names.h"

namespace railgauge::observe {
namespace {

// Longer than any setting a person wrote.
constexpr std::size_t longest_value_bytes = 4096;
constexpr std::size_t longest_name_bytes = 128;

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name_bytes &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  (c >= '0' && c <= '9');
         });
}

bool is_listed(std::string_view name) {
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return std::find(environment_names.begin(), environment_names.end(), name) !=
             environment_names.end() ||
         std::any_of(environment_prefixes.begin(), environment_prefixes.end(), starts);
}

std::optional<std::string_view> secret_in(std::string_view upper) {
  for (const auto word : secret_words)
    if (contains(upper, word)) return word;
  // Short words only where they are a whole part of the name: PKEY is not a secret.
  for (const auto part : split(upper, '_'))
    for (const auto word : secret_parts)
      if (part == word) return word;
  return std::nullopt;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

// "http://user:password@host", "password=…", "token:…"
bool value_tells_secret(std::string_view value) {
  if (contains(value, "://") && contains(value, "@")) return true;
  for (const auto start : secret_starts)
    if (const auto at = value.find(start);
        at != std::string_view::npos && (at == 0 || !is_letter(value[at - 1])))
      return true;
  const std::string text = upper(value);
  for (const auto word : secret_words)
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const auto end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at + word.size());
      if (end != std::string::npos && (text[end] == '=' || text[end] == ':')) return true;
      if (end == std::string::npos) break;
    }
  return false;
}

}  // namespace

Admitted admit(std::string_view name, std::string_view value) {
  if (!is_name(name) || !is_listed(name)) return {};
  if (const auto word = secret_in(upper(name)))
    return {Admission::refused, "its name holds " + std::string(*word)};
  if (value.size() > longest_value_bytes)
    return {Admission::refused, "its value is longer than 4 KiB"};
  if (value.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos)
    return {Admission::refused, "its value has more than one line"};
  if (value_tells_secret(value)) return {Admission::refused, "its value looks like a password"};
  return {Admission::taken, {}};
}

std::optional<Setting> setting(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  return Setting{line.substr(0, equals), line.substr(equals + 1)};
}

}  // namespace railgauge::observe
