// data/rates.yaml, boards.yaml and pci_names.yaml into a Catalogue. Values in, values out; every
// error names file and line.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/catalogue.h"

namespace railgauge::observe {

// Adds what the text says; which of the three files it is, its top keys tell.
Result<void> add_to_catalogue(const std::string& text, const std::string& file,
                              model::Catalogue& catalogue);

// "10de:2330"
std::optional<model::PciId> parse_pci_id(std::string_view text);

}  // namespace railgauge::observe
