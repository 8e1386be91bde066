// The software around: limits, settings, memory, processes that died.
#include "judge/rules/families.h"
#include "judge/rules/host_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {

Family host_rules() {
  static const std::vector<Rule> list =
      together({host_limit_rules(), host_setting_rules(), host_event_rules()});
  return list;
}

}  // namespace railgauge::judge
