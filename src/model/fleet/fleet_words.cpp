#include "model/fleet/fleet_words.h"

#include "model/compare/value_words.h"

namespace railgauge::model {
namespace {

using comparing::property_name;

std::string short_subject(const std::string& subject) {
  return subject.substr(0, subject.find(" ("));
}

// "NVML says nothing of gpu3 any more" → "NVML says nothing of gpu3".
std::string timeless(std::string text) {
  for (const std::string_view word : {" any more", " now"})
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at)) {
      const std::size_t end = at + word.size();
      if (end < text.size() && std::string_view(" ;:,").find(text[end]) == std::string_view::npos)
        at = end;
      else
        text.erase(at, word.size());
    }
  return text;
}

// Something that one side lacks.
std::string one_sided(const Difference& one, const std::string& theirs) {
  const bool here = !one.after.empty();
  const std::string name = property_name(one.key, short_subject(one.subject));
  if (one.key == "kernel_arguments")
    return "kernel argument " + (here ? one.after : one.before) +
           (here ? " (" + theirs + " not set)" : " not set");
  if (one.key.starts_with("variables."))
    return here ? name + " set to " + one.after + " (" + theirs + " not set)"
                : name + " not set (" + theirs + " " + one.before + ")";
  if (one.key.starts_with("modules.") && one.key.find('.', 8) == std::string::npos)
    return here ? name + " loaded (" + theirs + " not)" : name + " not loaded";
  if (one.key == "source" || one.key.starts_with("kernel log.")) return timeless(one.text);
  return here ? name + " " + one.after + " (" + theirs + " nothing)"
              : name + " not reported (" + theirs + " " + one.before + ")";
}

}  // namespace

std::string fleet_words(const Difference& one, const std::string& whose) {
  const std::string theirs = whose == "others" ? whose : whose + ":";
  if (one.key == "device")
    return short_subject(one.subject) +
           (one.kind == Change::gone ? " gone" : ": " + whose + " without");
  if (one.key == "nvlinks")
    return short_subject(one.subject) + " " + one.after + " NVLinks (" + theirs + " " + one.before +
           ")";
  if (one.before.empty() && one.after.empty()) return timeless(one.text);
  if (one.before.empty() || one.after.empty()) return one_sided(one, theirs);
  const std::string in_brackets = " (" + theirs + " " + one.before + ")";
  if (one.key == "kernel_arguments") return one.after + in_brackets;
  if (one.subject == "host") return property_name(one.key, "host") + " " + one.after + in_brackets;
  return short_subject(one.subject) + " " + comparing::fact_name(one.key) + " " + one.after +
         in_brackets;
}

}  // namespace railgauge::model
