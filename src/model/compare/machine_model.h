// Which product a machine is: machines of one model should be alike, others cannot be.
//   model_of(machine).words()     // "8× NVIDIA H100 80GB HBM3, DGXH100"
#pragma once

#include <set>
#include <string>

#include "model/machine.h"

namespace railgauge::model {

struct MachineModel {
  std::set<std::string> gpus;  // PCI ids, or names where there is no id; not how many
  std::string product;         // of the host; empty when unknown
  std::string gpu_words;       // "8× NVIDIA H100 80GB HBM3"; empty without a GPU

  std::string words() const;
  // One lost GPU does not make another model; none left does not either.
  bool differs_from(const MachineModel& other) const;
};

MachineModel model_of(const Machine& machine);

}  // namespace railgauge::model
