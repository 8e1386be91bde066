// Many values that should be one: "performance", or "performance ×190, powersave ×2".
#pragma once

#include <functional>
#include <map>
#include <string>

namespace railgauge::observe {

using Tally = std::map<std::string, int, std::less<>>;

// The most frequent first; empty for an empty tally.
std::string mixture(const Tally& tally);

}  // namespace railgauge::observe
