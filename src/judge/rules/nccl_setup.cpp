#include "judge/rules/families.h"

namespace railgauge::judge {

Family nccl_setup_rules() { return {}; }

}  // namespace railgauge::judge
