#include "observe/nvidia_smi/values.h"

#include <algorithm>
#include <array>
#include <climits>

#include "base/characters.h"
#include "base/strings.h"

namespace railgauge::observe::nvidia_smi {
namespace {

constexpr std::size_t text_max_bytes = 200;  // the longest name or version is far below

// Beside whatever stands in brackets.
constexpr std::array<std::string_view, 11> refusals{"N/A",
                                                    "Not Supported",
                                                    "Unknown Error",
                                                    "Unknown",
                                                    "GPU requires reset",
                                                    "GPU is lost",
                                                    "Insufficient Permissions",
                                                    "Requested functionality has been deprecated",
                                                    "ERR!",
                                                    "Not Found",
                                                    "Not Available"};

// The number in front of a unit: digits, a sign, a point. Nothing when other words follow.
std::string_view number_before(std::string_view value, std::string_view unit) {
  value = trim(value);
  if (!unit.empty() && value.size() > unit.size() &&
      value.substr(value.size() - unit.size()) == unit)
    value = trim(value.substr(0, value.size() - unit.size()));
  return value;
}

}  // namespace

std::optional<std::string> refusal_of(std::string_view value) {
  value = trim(value);
  if (value.empty()) return "nothing";
  if (value.size() >= 2 && value.front() == '[' && value.back() == ']')
    return valid_utf8(trim(value.substr(1, std::min(value.size() - 2, text_max_bytes))));
  for (const auto refusal : refusals)
    if (equal_nocase(value, refusal)) return std::string(refusal);
  return std::nullopt;
}

std::optional<std::string> as_text(std::string_view value) {
  value = trim(value);
  if (value.empty() || value.size() > text_max_bytes) return std::nullopt;
  return valid_utf8(value);
}

std::optional<std::string> as_word(std::string_view value) {
  auto text = as_text(value);
  if (!text) return std::nullopt;
  *text = lower(*text);
  std::replace(text->begin(), text->end(), ' ', '_');
  return text;
}

std::optional<bool> as_flag(std::string_view value) {
  value = trim(value);
  // "Enabled*" in the table: a change waits for a reset.
  if (!value.empty() && value.back() == '*') value.remove_suffix(1);
  for (const char* yes : {"Enabled", "Yes", "On", "Active", "1"})
    if (equal_nocase(value, yes)) return true;
  for (const char* no : {"Disabled", "No", "Off", "Not Active", "0"})
    if (equal_nocase(value, no)) return false;
  return std::nullopt;
}

std::optional<int> as_int(std::string_view value) {
  for (const char* unit : {"MHz", "C", "%"}) value = number_before(value, unit);
  const auto number = parse_int(value);
  if (!number || *number > INT_MAX || *number < INT_MIN) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<std::uint64_t> as_count(std::string_view value) {
  const auto number = parse_int(number_before(value, "count"));
  if (!number || *number < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*number);
}

std::optional<std::uint64_t> as_mebibytes(std::string_view value) {
  for (const char* unit : {"MiB", "MB"}) value = number_before(value, unit);
  const auto number = parse_int(value);
  if (!number || *number < 0 || *number > (1LL << 40)) return std::nullopt;
  return static_cast<std::uint64_t>(*number) << 20;
}

std::optional<double> as_watts(std::string_view value) {
  const auto number = parse_double(number_before(value, "W"));
  if (!number || !(*number >= 0 && *number < 1e6)) return std::nullopt;
  return number;
}

std::optional<int> as_lanes(std::string_view value) {
  const auto number = parse_int(number_before(value, "x"));
  if (!number || *number < 1 || *number > 32) return std::nullopt;
  return static_cast<int>(*number);
}

std::optional<model::PcieSpeed> as_generation(std::string_view value) {
  const auto number = parse_int(trim(value));
  if (!number || *number < 1 || *number > 99) return std::nullopt;
  return model::PcieSpeed::of_generation(static_cast<int>(*number));
}

std::optional<model::PciId> as_pci_id(std::string_view value) {
  const auto number = parse_hex(trim(value));
  if (!number || *number == 0 || *number > 0xffffffff) return std::nullopt;
  return model::PciId{static_cast<std::uint16_t>(*number & 0xffff),
                      static_cast<std::uint16_t>(*number >> 16)};
}

std::optional<std::string> as_p_state(std::string_view value) {
  value = trim(value);
  if (value.size() < 2 || value.size() > 3 || value.front() != 'P') return std::nullopt;
  const auto number = parse_int(value.substr(1));
  if (!number || *number < 0 || *number > 15) return std::nullopt;
  return std::string(value);
}

std::optional<std::string> as_compute_mode(std::string_view value) {
  auto word = as_word(value);
  if (!word) return std::nullopt;
  if (*word == "e._process") return "exclusive_process";  // as the table shortens it
  if (*word == "e._thread") return "exclusive_thread";
  for (const char* known : {"default", "exclusive_process", "exclusive_thread", "prohibited"})
    if (*word == known) return word;
  return std::nullopt;
}

std::optional<std::string> as_recovery_action(std::string_view value) {
  auto word = as_word(value);
  if (word == "gpu_reset") return "reset";
  if (word == "node_reboot") return "reboot";
  return word;
}

bool is_hidden_address(std::string_view value) {
  const std::string text = lower(trim(value));
  const auto only = [&](char digit) {
    return std::all_of(text.begin(), text.end(),
                       [&](char c) { return c == digit || c == ':' || c == '.' || c == '0'; });
  };
  return text.empty() || only('0') || (text.starts_with("fff") && only('f'));
}

std::optional<model::PciAddress> as_long_address(std::string_view value) {
  value = trim(value);
  constexpr std::string_view form = "00000000:00:00.0";
  if (value.size() != form.size()) return std::nullopt;
  for (std::size_t i = 0; i < form.size(); ++i) {
    const bool hex = is_digit(value[i]) || (value[i] >= 'a' && value[i] <= 'f') ||
                     (value[i] >= 'A' && value[i] <= 'F');
    if (form[i] == '0' ? !hex : value[i] != form[i]) return std::nullopt;
  }
  return model::PciAddress::parse(value);
}

}  // namespace railgauge::observe::nvidia_smi
