#include "judge/rules/variables_value.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/strings.h"
#include "judge/rules/variables_environment.h"

namespace railgauge::judge {
namespace {

std::string_view kind_of(std::string_view form) { return form.substr(0, form.find(':')); }

std::string_view words_of(std::string_view form) {
  const auto colon = form.find(':');
  return colon == std::string_view::npos ? std::string_view() : form.substr(colon + 1);
}

bool is_whole_number(std::string_view text) {
  text = trim(text);
  if (text.starts_with('-') || text.starts_with('+')) text.remove_prefix(1);
  if (starts_with_nocase(text, "0x")) return parse_hex(text).has_value();
  return !text.empty() && std::all_of(text.begin(), text.end(), is_digit);
}

// "4M" in bytes, where there is such a unit.
std::optional<std::int64_t> with_unit(std::string_view text) {
  const std::size_t digits = digits_at(text, 0);
  if (digits == 0 || digits > 9) return std::nullopt;
  const std::string unit = lower(trim(text.substr(digits)));
  const std::int64_t factor = unit == "k" || unit == "kb" || unit == "kib"   ? std::int64_t{1} << 10
                              : unit == "m" || unit == "mb" || unit == "mib" ? std::int64_t{1} << 20
                              : unit == "g" || unit == "gb" || unit == "gib" ? std::int64_t{1} << 30
                                                                             : 0;
  if (factor == 0) return std::nullopt;
  return *parse_int(text.substr(0, digits)) * factor;
}

bool is_no(std::string_view value) {
  return equal_nocase(value, "false") || equal_nocase(value, "no") || equal_nocase(value, "off") ||
         equal_nocase(value, "n");
}
bool is_yes(std::string_view value) {
  return equal_nocase(value, "true") || equal_nocase(value, "yes") || equal_nocase(value, "on") ||
         equal_nocase(value, "y") || starts_with_nocase(value, "enable");
}

std::optional<ValueFault> range_fault(std::string_view bounds, std::int64_t number) {
  const auto parts = split(bounds, ':');
  const auto least = parts.empty() ? std::nullopt : parse_int(parts[0]);
  const auto most = parts.size() < 2 ? std::nullopt : parse_int(parts[1]);
  if ((!least || number >= *least) && (!most || number <= *most)) return std::nullopt;
  return ValueFault{most
                        ? fmt::format("{} is not within {} to {}", number, least.value_or(0), *most)
                        : fmt::format("{} is below {}", number, least.value_or(0)),
                    {}};
}

}  // namespace

std::string nearest_word(std::string_view word, std::string_view words) {
  if (word.size() > 40) return {};
  std::string best;
  std::size_t least = word.size() < 4 ? 2 : 3;
  for (const std::string_view one : split(words, '|')) {
    if (equal_nocase(one, word)) return std::string(one);
    const std::size_t distance = edit_distance(lower(one), lower(word));
    if (distance < least && distance < one.size()) {
      least = distance;
      best = one;
    }
  }
  return best;
}

std::optional<ValueFault> number_fault(std::string_view form, std::string_view value) {
  const std::string_view kind = kind_of(form);
  const EnvironmentSetting setting{{}, std::string(value), {}};
  if (is_whole_number(value))
    return kind == "int" ? range_fault(words_of(form), setting.number()) : std::nullopt;
  ValueFault fault{
      fmt::format("{} is no whole number: NCCL reads {}", quoted(value), setting.number()), {}};
  if (const auto bytes = with_unit(trim(value)); bytes && kind == "bytes")
    fault.instead = std::to_string(*bytes);
  if (kind == "bool" && is_yes(trim(value))) fault.instead = "1";
  // "false" is read as 0, which is what was meant.
  if (kind == "bool" && is_no(trim(value))) return std::nullopt;
  return fault;
}

std::optional<ValueFault> words_fault(std::string_view form, std::string_view value) {
  const std::string_view kind = kind_of(form);
  const std::string_view words = words_of(form);
  const bool any_case = kind.starts_with('i');
  const auto known = [&](std::string_view word) {
    const auto all = split(words, '|');
    return std::any_of(all.begin(), all.end(), [&](std::string_view one) {
      return any_case ? equal_nocase(one, word) : one == word;
    });
  };
  std::string_view rest = trim(value);
  if (any_case && rest.starts_with('^')) rest.remove_prefix(1);
  for (const std::string_view part :
       kind.ends_with("list") ? split(rest, ',') : std::vector<std::string_view>{rest})
    if (const std::string_view word = trim(part); !word.empty() && !known(word))
      return ValueFault{
          fmt::format("{} is none of {}", quoted(word), fmt::join(split(words, '|'), ", ")),
          nearest_word(word, words)};
  return std::nullopt;
}

std::optional<ValueFault> value_fault(const model::VariableRow& row, std::string_view value,
                                      const std::optional<model::NcclVersion>& nccl) {
  const std::string_view kind = kind_of(row.form);
  // PyTorch takes "true" and "yes", too.
  if (kind.empty() || kind == "text" || (kind == "bool" && row.library == "pytorch"))
    return std::nullopt;
  if (kind == "bool" || kind == "int" || kind == "bytes") return number_fault(row.form, value);
  if (kind.ends_with("enum") || kind.ends_with("list")) return words_fault(row.form, value);
  return kind.starts_with("ucx_") ? ucx_fault(row.form, value) : nccl_fault(row.form, value, nccl);
}

}  // namespace railgauge::judge
