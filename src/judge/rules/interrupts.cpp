#include "judge/rules/families.h"

namespace railgauge::judge {

Family interrupts_rules() { return {}; }

}  // namespace railgauge::judge
