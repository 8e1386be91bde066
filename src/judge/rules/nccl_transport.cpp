#include "judge/rules/families.h"

namespace railgauge::judge {

Family nccl_transport_rules() { return {}; }

}  // namespace railgauge::judge
