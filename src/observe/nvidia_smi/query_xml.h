// nvidia-smi -q -x: the same facts as nvidia-smi -q, as an XML document <nvidia_smi_log>.
#pragma once

#include <string_view>

#include "base/result.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_smi_xml(std::string_view bytes);
Result<model::Machine> read_smi_xml(const Input& input);

}  // namespace railgauge::observe
