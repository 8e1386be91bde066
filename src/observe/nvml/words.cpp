#include "observe/nvml/words.h"

#include <fmt/format.h>

#include <climits>
#include <utility>

#include "base/strings.h"

namespace railgauge::observe::nvml {
namespace {

using Word = std::pair<int, const char*>;

std::string word_of(std::span<const Word> words, int number) {
  for (const auto& [value, word] : words)
    if (value == number) return word;
  return fmt::format("unknown {}", number);
}

constexpr Word p2p_words[] = {{0, "OK"}, {1, "CNS"}, {2, "GNS"}, {3, "TNS"},
                              {4, "DR"}, {5, "NS"},  {6, "U"}};
constexpr Word ancestor_words[] = {{0, "internal"},    {10, "single"}, {20, "multiple"},
                                   {30, "hostbridge"}, {40, "node"},   {50, "system"}};
constexpr Word remote_words[] = {{0, "gpu"}, {1, "npu"}, {2, "switch"}, {255, "unknown"}};
constexpr Word fabric_words[] = {
    {0, "not_supported"}, {1, "not_started"}, {2, "in_progress"}, {3, "completed"}};
constexpr Word compute_words[] = {
    {0, "default"}, {1, "exclusive_thread"}, {2, "prohibited"}, {3, "exclusive_process"}};
constexpr Word addressing_words[] = {{0, "none"}, {1, "hmm"}, {2, "ats"}};
// nvmlDeviceGpuRecoveryAction_t
constexpr Word recovery_words[] = {
    {0, "none"},      {1, "reset"},           {2, "reboot"},
    {3, "drain_p2p"}, {4, "drain_and_reset"}, {5, "recover_imex_domain"},
    {6, "bus_reset"}, {7, "system_reboot"}};
// nvmlClocksEventReason…, by bit.
constexpr const char* throttle_bits[] = {"gpu_idle",
                                         "applications_clocks_setting",
                                         "sw_power_cap",
                                         "hw_slowdown",
                                         "sync_boost",
                                         "sw_thermal_slowdown",
                                         "hw_thermal_slowdown",
                                         "hw_power_brake_slowdown",
                                         "display_clock_setting",
                                         "board_limit",
                                         "reliability"};

}  // namespace

std::string p2p_status_word(int status) { return word_of(p2p_words, status); }
std::string common_ancestor_word(int level) { return word_of(ancestor_words, level); }
std::string remote_type_word(int type) { return word_of(remote_words, type); }
std::string fabric_state_word(int state) { return word_of(fabric_words, state); }

std::string compute_mode_word(int mode) { return word_of(compute_words, mode); }
std::string addressing_mode_word(unsigned mode) {
  return word_of(addressing_words, static_cast<int>(mode));
}
std::string recovery_action_word(std::uint64_t action) {
  return word_of(recovery_words, action > INT_MAX ? -1 : static_cast<int>(action));
}

std::string throttle_words(unsigned long long reasons) {
  std::string out;
  for (std::size_t bit = 0; bit < 64; ++bit) {
    if (((reasons >> bit) & 1u) == 0) continue;
    if (!out.empty()) out += ',';
    out += bit < std::size(throttle_bits) ? throttle_bits[bit] : fmt::format("bit_{}", bit);
  }
  return out;
}

std::string list_of_bits(std::span<const unsigned long> words) {
  constexpr std::size_t bits = sizeof(unsigned long) * CHAR_BIT;
  const std::size_t count = words.size() * bits;
  const auto is_set = [&](std::size_t i) {
    return i < count && ((words[i / bits] >> (i % bits)) & 1u) != 0;
  };
  std::string out;
  for (std::size_t i = 0; i < count; ++i) {
    if (!is_set(i)) continue;
    const std::size_t first = i;
    while (is_set(i + 1)) ++i;
    if (!out.empty()) out += ',';
    out += first == i ? fmt::format("{}", i) : fmt::format("{}-{}", first, i);
  }
  return out;
}

std::vector<int> numbers_of_list(std::string_view list, std::size_t limit) {
  std::vector<int> out;
  for (const std::string_view range : split(list, ',')) {
    const auto ends = split(range, '-');
    const auto first = parse_int(ends.front());
    const auto last = parse_int(ends.back());
    if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first || *last > INT_MAX)
      return {};
    for (std::int64_t i = *first; i <= *last; ++i) {
      if (out.size() >= limit) return out;
      out.push_back(static_cast<int>(i));
    }
  }
  return out;
}

}  // namespace railgauge::observe::nvml
