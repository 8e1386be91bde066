#include "judge/rules/families.h"

namespace railgauge::judge {

Family variables_ucx_rules() { return {}; }

}  // namespace railgauge::judge
