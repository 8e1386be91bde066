// The words of nvidia-smi as values. Each parser takes the whole value with its unit, or without
// (--format=csv,nounits), and gives nothing when it is something else.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "model/pci.h"

namespace railgauge::observe::nvidia_smi {

// "N/A", "[Unknown Error]", "[GPU requires reset]", "ERR!": the value is not known, for that
// reason. Brackets are taken away.
std::optional<std::string> refusal_of(std::string_view value);

std::optional<std::string> as_text(std::string_view value);     // as it stands
std::optional<std::string> as_word(std::string_view value);     // "In Progress" is "in_progress"
std::optional<bool> as_flag(std::string_view value);            // Enabled, Yes, On, Active …
std::optional<int> as_int(std::string_view value);              // "210 MHz", "25 C", "3 %", "7"
std::optional<std::uint64_t> as_count(std::string_view value);  // "12", "12 count"
std::optional<std::uint64_t> as_mebibytes(std::string_view value);  // "81920 MiB" in bytes
std::optional<double> as_watts(std::string_view value);             // "59.77 W"
std::optional<int> as_lanes(std::string_view value);                // "16x", "16"
std::optional<model::PcieSpeed> as_generation(std::string_view value);
std::optional<model::PciId> as_pci_id(std::string_view value);  // "0x20B210DE": device, vendor
std::optional<std::string> as_p_state(std::string_view value);  // "P0" … "P15"
std::optional<std::string> as_compute_mode(std::string_view value);
std::optional<std::string> as_recovery_action(std::string_view value);
// What a virtual machine is shown of the other end of a link: all ones, or all zeros.
bool is_hidden_address(std::string_view value);

// An address with the eight-digit domain of NVIDIA's tools: "00000000:1B:00.0". Anything else is
// nothing, so that other words with colons do not pass.
std::optional<model::PciAddress> as_long_address(std::string_view value);

}  // namespace railgauge::observe::nvidia_smi
