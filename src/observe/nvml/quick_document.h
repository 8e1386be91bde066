// The short way through the nvml.json that we write ourselves: one call a line, flat records.
//   if (auto document = quick_document(bytes)) return std::move(*document);
// It knows no errors. Whatever is not exactly as write_document() puts it, from another layout to
// an escaped character or a second value of one name, is nothing, and the JSON library then reads
// the same bytes from their start and has the last word. What it does give is what that would give.
#pragma once

#include <optional>
#include <string_view>

#include "observe/nvml/document.h"

namespace railgauge::observe::nvml {

std::optional<Document> quick_document(std::string_view bytes);

}  // namespace railgauge::observe::nvml
