// A value of a fact as a person reads it, with its unit; and what facts are called.
//   value_words("sm_clock_max_mhz", 1980)   // "1980 MHz"
//   fact_name("power_limit_watts")          // "power limit"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "model/device_kind.h"
#include "model/limit.h"
#include "model/pci_facts.h"

namespace railgauge::model::comparing {

std::string fact_name(std::string_view key);
// A fact with its owner: "firmware of mlx5_0", "NVIDIA driver", "module nvidia_peermem".
std::string property_name(std::string_view key, const std::string& subject);

std::string value_words(std::string_view key, const std::string& value);
std::string value_words(std::string_view key, bool value);
std::string value_words(std::string_view key, int value);
std::string value_words(std::string_view key, std::uint64_t value);
std::string value_words(std::string_view key, double value);
std::string value_words(std::string_view key, BytesPerSecond value);
std::string value_words(std::string_view key, const PciAddress& value);
std::string value_words(std::string_view key, PcieSpeed value);
std::string value_words(std::string_view key, DeviceKind value);
std::string value_words(std::string_view key, Aspm value);
std::string value_words(std::string_view key, Limit value);
std::string value_words(std::string_view key, PciId value);
std::string value_words(std::string_view key, PciClass value);
std::string value_words(std::string_view key, PciPort value);
std::string value_words(std::string_view key, const AcsControl& value);
std::string value_words(std::string_view key, const std::vector<int>& value);
std::string value_words(std::string_view key, const std::vector<std::string>& value);

// "a, b and c"; beyond `most` "a, b and 6 more".
std::string list_words(const std::vector<std::string>& words, std::size_t most);

}  // namespace railgauge::model::comparing
