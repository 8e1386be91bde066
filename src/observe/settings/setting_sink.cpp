#include "observe/settings/setting_sink.h"

#include <algorithm>
#include <array>

#include "base/characters.h"
#include "base/strings.h"
#include "observe/system/environment.h"

namespace railgauge::observe {
namespace {

// More settings than a person writes into one file, and more remarks than anybody reads.
constexpr std::size_t most_settings = 2000;
constexpr std::size_t most_notes = 100;

// Slips of the finger for "NCCL_". CCL_ alone is Intel's library and is not touched, but for the
// one name that circulates.
constexpr std::array<std::string_view, 7> near_prefixes{"NCLL_", "NCCLL_", "NNCCL_", "NCCCL_",
                                                        "NCC_",  "NCL_",   "NLCC_"};

bool is_near_name(std::string_view name) {
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return name.size() < 64 && (name == "CCL_NET_GDR_LEVEL" ||
                              std::any_of(near_prefixes.begin(), near_prefixes.end(), starts));
}

}  // namespace

bool is_variable_name(std::string_view name) {
  return !name.empty() && name.size() <= 128 && !is_digit(name.front()) &&
         std::all_of(name.begin(), name.end(),
                     [](char c) { return is_letter(c) || is_digit(c) || c == '_'; });
}

bool is_wanted_name(std::string_view name) {
  return is_variable_name(name) &&
         (is_near_name(name) || admit(name, "").admission != Admission::passed_over);
}

bool SettingSink::take(std::string_view name, std::string_view value, std::uint32_t line) {
  if (!is_variable_name(name)) return false;
  const Admitted admitted = admit(name, value);
  const bool near = admitted.admission == Admission::passed_over && is_near_name(name) &&
                    value.size() < 256 && value.find('\n') == std::string_view::npos;
  if (admitted.admission == Admission::passed_over && !near) return false;
  if (admitted.admission == Admission::refused) {
    refused_ = true;
    note(std::string(name) + " is set, but not kept: " + admitted.why, line);
    return true;
  }
  if (taken_.size() >= most_settings) {
    if (!full_) note("more settings than we read; the rest is passed over", line);
    full_ = true;
    return true;
  }
  taken_.push_back({{std::string(name), valid_utf8(value), source_.at_line(line)}, launches_});
  return true;
}

void SettingSink::unset(std::string_view name) {
  if (!is_wanted_name(name)) return;
  std::erase_if(taken_, [&](const Taken& one) {
    return one.launches == launches_ && one.variable.name == name;
  });
}

void SettingSink::note(std::string text, std::uint32_t line) {
  if (machine_.remarks.size() < most_notes)
    machine_.remark(model::RemarkLevel::note, std::move(text), source_.at_line(line));
}

void SettingSink::finish() {
  for (Taken& one : taken_) machine_.variables.push_back(std::move(one.variable));
  taken_.clear();
}

}  // namespace railgauge::observe
