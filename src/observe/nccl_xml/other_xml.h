// XML that no reader of ours understands: recognised by its root element, so that the answer is
// "an HTML page, not a topology" and not "unknown text". The Machine is empty, with one warning.
#pragma once

#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_other_xml(std::string_view bytes);
Result<model::Machine> read_other_xml(const Input& input);

}  // namespace railgauge::observe
