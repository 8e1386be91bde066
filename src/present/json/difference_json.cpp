#include "present/json/difference_json.h"

namespace railgauge::present {
namespace {

Json words(const std::string& text) { return text.empty() ? Json(nullptr) : Json(clean(text)); }

Json source(const model::Sources* sources, model::SourceRef ref) {
  return ref.index == 0 ? Json(nullptr) : Json(clean(sources->text(ref)));
}

}  // namespace

Json difference_json(const model::Difference& difference, const model::Sources* before,
                     const model::Sources* after) {
  Json out{{"topic", text(difference.topic)},      {"kind", text(difference.kind)},
           {"subject", clean(difference.subject)}, {"key", clean(difference.key)},
           {"before", words(difference.before)},   {"after", words(difference.after)},
           {"text", clean(difference.text)}};
  if (before != nullptr) out["before_source"] = source(before, difference.before_source);
  if (after != nullptr) out["after_source"] = source(after, difference.after_source);
  return out;
}

}  // namespace railgauge::present
