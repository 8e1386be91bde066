// Settings of NCCL that cost bandwidth, reach or correctness, each held against the machine.
#include "judge/rules/variables_harmful.h"

#include <iterator>

#include "judge/rules/families.h"

namespace railgauge::judge {

Family variables_harmful_rules() {
  static const std::vector<Rule> list = [] {
    std::vector<Rule> all;
    for (auto* part : {harmful_transport_rules, harmful_device_rules, harmful_gpudirect_rules,
                       harmful_tuning_rules, harmful_debugging_rules}) {
      auto rules = part();
      std::move(rules.begin(), rules.end(), std::back_inserter(all));
    }
    return all;
  }();
  return list;
}

}  // namespace railgauge::judge
