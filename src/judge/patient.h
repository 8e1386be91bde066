// What a check looks at: one machine as it was seen, and what it is compared with. References only;
// the caller keeps them alive.
#pragma once

#include "model/advice.h"
#include "model/catalogue.h"
#include "model/machine.h"

namespace railgauge::judge {

struct Patient {
  const model::Machine& machine;  // settled
  const model::Catalogue& catalogue;
  const model::Advice& advice;
  const model::Machine* earlier = nullptr;    // an older recording of the same machine
  const model::Machine* reference = nullptr;  // the known machine it should be like, settled
  bool trust_virtual_links = false;           // PCIe links inside a VM are those of the host
  int nodes = 1;     // of the job, for expectations of benchmarks (--nodes)
  std::string nics;  // "8x400G" of --nic; empty: as the machine says
};

}  // namespace railgauge::judge
