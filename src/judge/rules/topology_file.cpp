#include "judge/rules/families.h"

namespace railgauge::judge {

Family topology_file_rules() { return {}; }

}  // namespace railgauge::judge
