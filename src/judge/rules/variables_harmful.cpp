#include "judge/rules/families.h"

namespace railgauge::judge {

Family variables_harmful_rules() { return {}; }

}  // namespace railgauge::judge
