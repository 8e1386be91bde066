#include "judge/rules/families.h"

namespace railgauge::judge {

Family ports_rules() { return {}; }

}  // namespace railgauge::judge
