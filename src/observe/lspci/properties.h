// The indented lines under a device of lspci -v … -vvv, one at a time.
//   read_property("LnkSta:\tSpeed 8GT/s (downgraded), Width x16 (ok)", here, device)
#pragma once

#include <string>
#include <string_view>

#include "model/device.h"

namespace railgauge::observe {

// Empty when the line was read or is not one we use; else what was wrong with it. `device.pci`
// must exist.
std::string read_property(std::string_view line, model::SourceRef source, model::Device& device);

// Lines that mean something only under a device: LnkSta, ACSCtl …
bool is_property(std::string_view line);

// "SrcValid+ TransBlk- ReqRedir+ …"
model::AcsControl parse_acs(std::string_view flags);

}  // namespace railgauge::observe
