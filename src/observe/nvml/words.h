// NVML's enumerations as the words that nvml.json holds. A number that has no word is kept as
// "unknown 7", so that nothing is lost and nothing is guessed.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe::nvml {

// Asked of every link, in this order; the position is NVML's number.
inline constexpr const char* capabilities[] = {"p2p", "sysmem", "p2p_atomics", "sysmem_atomics",
                                               "sli", "valid"};
inline constexpr const char* error_counters[] = {"dl_replay", "dl_recovery", "dl_crc_flit",
                                                 "dl_crc_data", "dl_ecc_data"};
// ECC counters are named by these three words: "volatile_dram_uncorrectable".
inline constexpr const char* ecc_spans[] = {"volatile", "aggregate"};
inline constexpr const char* ecc_kinds[] = {"correctable", "uncorrectable"};
// Asked of every pair of GPUs.
inline constexpr const char* p2p_capabilities[] = {"read", "write", "nvlink", "atomics", "pcie"};

std::string p2p_status_word(int status);      // "OK", "CNS", "GNS" … as nvidia-smi topo -p2p
std::string common_ancestor_word(int level);  // "internal", "single", "multiple", "hostbridge" …
std::string remote_type_word(int type);       // "gpu", "npu", "switch"
std::string fabric_state_word(int state);     // "completed", "not_started" …
std::string compute_mode_word(int mode);      // "default", "exclusive_process" …
std::string addressing_mode_word(unsigned mode);         // "none", "hmm", "ats"
std::string recovery_action_word(std::uint64_t action);  // "none", "reset", "reboot", "drain_p2p" …
std::string throttle_words(unsigned long long reasons);  // "gpu_idle,sw_power_cap"; "" for none

// Bits as a list: "0-47,96-143"; "" when no bit is set.
std::string list_of_bits(std::span<const unsigned long> words);
// And back to numbers, at most `limit`; empty when it is no list.
std::vector<int> numbers_of_list(std::string_view list, std::size_t limit);

}  // namespace railgauge::observe::nvml
