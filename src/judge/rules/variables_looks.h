// The looks of the family `variables`; their pages are in variables.cpp.
#pragma once

#include "judge/rule.h"

namespace railgauge::judge {

void look_variable_unknown(const Patient& patient, Verdicts& out);
void look_variable_removed(const Patient& patient, Verdicts& out);
void look_variable_dead(const Patient& patient, Verdicts& out);
void look_value_invalid(const Patient& patient, Verdicts& out);
void look_variable_for_other_version(const Patient& patient, Verdicts& out);
void look_variables_contradict(const Patient& patient, Verdicts& out);
void look_variable_set_twice(const Patient& patient, Verdicts& out);

}  // namespace railgauge::judge
