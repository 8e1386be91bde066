// The module that lets an adapter read GPU memory: nvidia_peermem, and nv_peer_mem before it.
//   nvidia_peermem: disagrees about version of symbol ib_register_peer_memory_client
//   nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context, skipping …
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/phrases.h"

namespace railgauge::observe {
namespace {

using model::EventSeverity;

constexpr std::array<std::string_view, 3> words{"nvidia_peermem", "nvidia-peermem", "nv_peer_mem"};

constexpr std::array<Phrase, 5> phrases{{
    {"disagrees about version of symbol", EventSeverity::nonfatal},
    {"Unknown symbol", EventSeverity::nonfatal},
    {"invalid context", EventSeverity::information},  // a process ended while its memory was in use
    {"ERROR", EventSeverity::warning},
    {"rror", EventSeverity::warning},
}};

bool take(const LogLine& line, EventLog& log) {
  const Phrase* phrase = phrase_in(line.text, phrases);
  if (phrase == nullptr) return false;
  log.add(line, model::EventKind::peer_memory, phrase->severity, line.text);
  return true;
}

}  // namespace

Form peer_memory_form() { return {words, take}; }

}  // namespace railgauge::observe
