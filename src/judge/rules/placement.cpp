// NUMA: GPUs, adapters, processes and memory.
#include "judge/rules/families.h"
#include "judge/rules/placement_nodes.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {

Family placement_rules() {
  static const std::vector<Rule> list =
      together({placement_device_rules(), placement_process_rules(), placement_memory_rules()});
  return list;
}

}  // namespace railgauge::judge
