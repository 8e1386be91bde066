// A machine from the text of a data/machines file, not yet settled. The language is described in
// docs/howto/add-a-machine.md. Errors name file and line.
#pragma once

#include <string>

#include "base/result.h"
#include "model/catalogue.h"
#include "model/machine.h"

namespace railgauge::observe {

Result<model::Machine> described_machine(const std::string& yaml, const std::string& file,
                                         const model::Catalogue& catalogue);

}  // namespace railgauge::observe
