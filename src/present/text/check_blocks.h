// Findings as blocks of text: header, what, seen, costs, do, benign, and what follows from it.
// Only for check_text.cpp and check_fleet_text.cpp.
#pragma once

#include <vector>

#include "model/finding.h"
#include "present/text/page.h"

namespace railgauge::present {

Ink ink_of(model::Severity severity);

// Most important first; what is said of several subjects in the same words is said once, and what
// every finding of a rule repeats is left out after the first.
void finding_blocks(Page& page, const std::vector<model::Finding>& findings);

}  // namespace railgauge::present
