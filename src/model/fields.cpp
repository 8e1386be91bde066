#include "model/fields.h"

#include <utility>

namespace railgauge::model {
namespace {

constexpr std::array<std::pair<Topic, std::string_view>, 11> words{{
    {Topic::inventory, "inventory"},
    {Topic::placement, "placement"},
    {Topic::link, "link"},
    {Topic::firmware, "firmware"},
    {Topic::driver, "driver"},
    {Topic::settings, "settings"},
    {Topic::network, "network"},
    {Topic::identity, "identity"},
    {Topic::health, "health"},
    {Topic::counters, "counters"},
    {Topic::activity, "activity"},
}};

}  // namespace

std::string_view text(Topic topic) {
  for (const auto& [value, word] : words)
    if (value == topic) return word;
  return "inventory";
}

std::optional<Topic> parse_topic(std::string_view word) {
  for (const auto& [value, name] : words)
    if (name == word) return value;
  return std::nullopt;
}

}  // namespace railgauge::model
