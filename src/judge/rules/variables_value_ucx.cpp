// Values as UCX's parser takes them (src/ucs/config/parser.c of UCX): in any case, with units.
#include <fmt/format.h>

#include <algorithm>

#include "base/characters.h"
#include "base/strings.h"
#include "judge/rules/variables_value.h"

namespace railgauge::judge {
namespace {

constexpr std::string_view transports =
    "all|sm|shm|mm|posix|sysv|xpmem|knem|cma|ib|rc|rc_v|rc_x|rc_verbs|rc_mlx5|ud|ud_v|ud_x|"
    "ud_verbs|ud_mlx5|dc|dc_x|dc_mlx5|srd|gga|gga_mlx5|rc_gda|tcp|self|cuda|cuda_copy|cuda_ipc|"
    "gdr_copy|rocm|rocm_copy|rocm_ipc|rocm_gdr|ze|ze_copy|ze_ipc|ze_gdr|gaudi|gaudi_gdr|ugni|"
    "ugni_rdma|ugni_smsg|ugni_udt|rdmacm|sockcm";

bool among(std::string_view word, std::string_view words) {
  const auto all = split(words, '|');
  return std::any_of(all.begin(), all.end(),
                     [&](std::string_view one) { return equal_nocase(one, word); });
}

// A number with one of the units, or without.
bool is_measure(std::string_view value, std::string_view units) {
  std::size_t n = 0;
  while (n < value.size() && (is_digit(value[n]) || value[n] == '.' || (n == 0 && value[n] == '-')))
    ++n;
  return n > 0 && (n == value.size() || among(value.substr(n), units));
}

std::optional<ValueFault> transport_fault(std::string_view value) {
  if (value.starts_with('^')) value.remove_prefix(1);
  for (const std::string_view part : split(value, ',')) {
    std::string_view word = trim(part);
    if (word.starts_with('\\')) word.remove_prefix(1);
    word = word.substr(0, word.find(':'));  // "ud:aux"
    if (word.empty() || among(word, transports)) continue;
    std::string instead = nearest_word(word, transports);
    if (equal_nocase(word, "cuda_copy_ipc") || equal_nocase(word, "gpu")) instead = "cuda";
    return ValueFault{
        fmt::format("{} is no transport of UCX: it warns and goes on without", quoted(word)),
        std::move(instead)};
  }
  return std::nullopt;
}

}  // namespace

std::optional<ValueFault> ucx_fault(std::string_view form, std::string_view value) {
  constexpr std::string_view sizes = "b|k|kb|m|mb|g|gb|t|tb";
  value = trim(value);
  if (value.empty()) return std::nullopt;
  const bool open = among(value, "auto|inf");
  bool good = true;
  if (form == "ucx_bool") good = among(value, "y|yes|1|on|true|n|no|0|off|false|auto");
  if (form == "ucx_try") good = among(value, "y|yes|1|on|true|n|no|0|off|false|try|auto|maybe");
  if (form == "ucx_int") good = open || is_measure(value, "");
  if (form == "ucx_size") good = open || is_measure(value, sizes);
  if (form == "ucx_time") good = open || is_measure(value, "ns|us|ms|s|m|h");
  if (form == "ucx_thresh") good = open || contains(value, ":") || is_measure(value, sizes);
  if (form == "ucx_tls") return transport_fault(value);
  if (good) return std::nullopt;
  return ValueFault{fmt::format("{} is no value of this kind: UCX refuses to start", quoted(value)),
                    {}};
}

}  // namespace railgauge::judge
