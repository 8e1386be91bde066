#include "model/finding.h"

namespace railgauge::model {

std::string_view text(Severity severity) {
  switch (severity) {
    case Severity::note: return "note";
    case Severity::warning: return "warning";
    case Severity::error: return "error";
  }
  return "note";
}

std::optional<Severity> parse_severity(std::string_view word) {
  for (const Severity one : {Severity::note, Severity::warning, Severity::error})
    if (text(one) == word) return one;
  return std::nullopt;
}

std::string_view text(Risk risk) {
  switch (risk) {
    case Risk::none: return "none";
    case Risk::disturbs: return "disturbs";
    case Risk::interrupts: return "interrupts";
  }
  return "none";
}

}  // namespace railgauge::model
