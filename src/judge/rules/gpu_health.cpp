#include "judge/rules/families.h"

namespace railgauge::judge {

Family gpu_health_rules() { return {}; }

}  // namespace railgauge::judge
