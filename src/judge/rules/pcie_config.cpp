#include "judge/rules/families.h"

namespace railgauge::judge {

Family pcie_config_rules() { return {}; }

}  // namespace railgauge::judge
