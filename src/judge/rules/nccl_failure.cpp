#include "judge/rules/families.h"

namespace railgauge::judge {

Family nccl_failure_rules() { return {}; }

}  // namespace railgauge::judge
