// AMD's GPU driver: RAS errors, resets, hangs.
//   amdgpu 0000:0c:00.0: amdgpu: 3 correctable hardware errors detected in umc block
//   amdgpu 0000:0c:00.0: amdgpu: GPU reset begin!
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/phrases.h"

namespace railgauge::observe {
namespace {

using model::EventSeverity;

constexpr std::array<std::string_view, 1> words{"amdgpu "};

constexpr std::array<Phrase, 13> phrases{{
    {"uncorrectable hardware error", EventSeverity::fatal},
    {"uncorrectable error", EventSeverity::fatal},
    {"correctable hardware error", EventSeverity::corrected},
    {"GPU reset begin", EventSeverity::fatal},
    {"GPU reset end with ret", EventSeverity::fatal},
    {"reset failed", EventSeverity::fatal},
    {"GPU reset(", EventSeverity::warning},  // "GPU reset(2) succeeded!"
    {"poison is consumed", EventSeverity::nonfatal},
    {"retired page", EventSeverity::warning},
    {"bad page", EventSeverity::warning},
    {"timeout, signaled seq", EventSeverity::nonfatal},  // "ring gfx timeout, signaled seq=…"
    {"page fault", EventSeverity::warning},              // mostly the application
    {"xgmi", EventSeverity::warning},
}};

// "0 correctable hardware errors detected in total in umc block": a count, no error.
bool is_zero(std::string_view said, std::string_view words_after) {
  const auto at = said.find(words_after);
  return at >= 2 && at != std::string_view::npos && said.substr(at - 2, 2) == "0 " &&
         (at == 2 || said[at - 3] == ' ');
}

bool take(const LogLine& line, EventLog& log) {
  const auto who = device_words(line.text);
  if (!who || who->driver != "amdgpu") return false;
  const Phrase* phrase = phrase_in(who->rest, phrases);
  if (phrase == nullptr || is_zero(who->rest, phrase->words)) return false;
  if (phrase->words == "xgmi" && !contains(lower(who->rest), "error")) return false;
  model::Event& event = log.add(line, model::EventKind::gpu_driver, phrase->severity, line.text);
  event.device = who->address;
  log.name_device(who->address, model::DeviceKind::gpu, line);
  return true;
}

}  // namespace

Form amd_gpu_form() { return {words, take}; }

}  // namespace railgauge::observe
