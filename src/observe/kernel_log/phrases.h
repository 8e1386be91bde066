// A table of phrases: how most drivers' lines are told apart.
#pragma once

#include <span>
#include <string_view>

#include "model/event.h"

namespace railgauge::observe {

struct Phrase {
  std::string_view words;
  model::EventSeverity severity;
};

// The first phrase of the table that occurs, or nullptr.
inline const Phrase* phrase_in(std::string_view text, std::span<const Phrase> table) {
  for (const Phrase& phrase : table)
    if (text.find(phrase.words) != std::string_view::npos) return &phrase;
  return nullptr;
}

}  // namespace railgauge::observe
