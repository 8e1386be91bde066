#include "judge/rules/families.h"

namespace railgauge::judge {

Family gpu_nic_rules() { return {}; }

}  // namespace railgauge::judge
