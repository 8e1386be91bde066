#include "judge/rules/families.h"

namespace railgauge::judge {

Family versions_rules() { return {}; }

}  // namespace railgauge::judge
