#include "judge/rules/families.h"

namespace railgauge::judge {

Family pcie_errors_rules() { return {}; }

}  // namespace railgauge::judge
