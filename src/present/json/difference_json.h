// One difference as JSON; used by `diff` and by the groups of `see`.
#pragma once

#include "model/compare/compare.h"
#include "present/json/values.h"

namespace railgauge::present {

// Sources are named from the machines where these are at hand.
Json difference_json(const model::Difference& difference, const model::Sources* before,
                     const model::Sources* after);

}  // namespace railgauge::present
