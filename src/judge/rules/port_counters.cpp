#include "judge/rules/families.h"

namespace railgauge::judge {

Family port_counters_rules() { return {}; }

}  // namespace railgauge::judge
