#include "judge/rules/families.h"

namespace railgauge::judge {

Family gpudirect_rules() { return {}; }

}  // namespace railgauge::judge
