#include "judge/rules/families.h"

namespace railgauge::judge {

Family nvlink_fabric_rules() { return {}; }

}  // namespace railgauge::judge
