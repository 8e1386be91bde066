// RDMA and network ports: state, rate, MTU, firmware, events.
#include "judge/rules/families.h"
#include "judge/rules/ports_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {

Family ports_rules() {
  static const std::vector<Rule> list =
      together({port_down_rules(), port_speed_rules(), port_mixed_rules(), port_netdev_rules(),
                port_event_rules()});
  return list;
}

}  // namespace railgauge::judge
