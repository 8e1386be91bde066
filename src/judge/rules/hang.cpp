#include "judge/rules/families.h"

namespace railgauge::judge {

Family hang_rules() { return {}; }

}  // namespace railgauge::judge
