#include "judge/rules/families.h"

namespace railgauge::judge {

Family bandwidth_rules() { return {}; }

}  // namespace railgauge::judge
