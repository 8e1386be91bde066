// What verbs that look at machines share: the numbers they need and the machines they are given.
#pragma once

#include <string>
#include <vector>

#include "apps/railgauge/verb.h"
#include "base/result.h"
#include "observe/observe.h"

namespace railgauge::app {

// The catalogue, and the pci.ids that --pci-ids chose.
Result<observe::Knowledge> load_knowledge(const Arguments& arguments);
OptionSpec pci_ids_option();

// This machine, now.
Result<observe::Observed> look_live(const observe::Knowledge& knowledge);

// "synthetic:NAME", or nothing.
bool is_synthetic(const std::string& input);
Result<model::Machine> synthetic_machine(const std::string& input,
                                         const observe::Knowledge& knowledge);

}  // namespace railgauge::app
