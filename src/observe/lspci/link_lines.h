// LnkCap, LnkSta and LnkCtl of lspci, in the words of every version of it.
#pragma once

#include <string>
#include <string_view>

#include "model/device.h"

namespace railgauge::observe {

// The text after the colon. Each returns what was wrong, or nothing.
std::string read_link_capability(std::string_view text, model::SourceRef source,
                                 model::PciFacts& pci);
std::string read_link_status(std::string_view text, model::SourceRef source, model::Device& device);
std::string read_link_control(std::string_view text, model::SourceRef source, model::PciFacts& pci);

}  // namespace railgauge::observe
