#include "judge/rules/families.h"

namespace railgauge::judge {

Family nvlink_rules() { return {}; }

}  // namespace railgauge::judge
