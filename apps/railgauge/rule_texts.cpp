#include "apps/railgauge/rule_texts.h"

#include <algorithm>

#include "apps/railgauge/parse.h"
#include "base/strings.h"

namespace railgauge::app {

present::RuleText rule_text(const judge::Rule& rule) {
  present::RuleText out;
  out.id = rule.id;
  out.name = rule.name;
  out.severity = rule.severity;
  out.what = rule.page.what;
  out.why = rule.page.why;
  out.by_hand = rule.page.by_hand;
  out.remedy = rule.page.remedy;
  out.benign_if = rule.page.benign_if;
  for (const std::string_view reference : rule.page.references)
    out.references.emplace_back(reference);
  for (const judge::Need need : rule.needs) {
    const judge::NeedWords how = judge::words(need);
    out.needs.push_back(std::string(how.what) + " (" + std::string(how.command) + ")");
  }
  return out;
}

std::vector<present::RuleText> rule_texts() {
  std::vector<present::RuleText> out;
  for (const judge::Rule* rule : judge::all_rules()) out.push_back(rule_text(*rule));
  return out;
}

Error unknown_rule(std::string_view word) {
  std::vector<std::string> known;
  for (const judge::Rule* rule : judge::all_rules()) {
    known.emplace_back(rule->id);
    known.emplace_back(lower(rule->id));
    known.emplace_back(rule->name);
  }
  const std::string meant = did_you_mean(word, known);
  std::string said = railgauge::quoted(word) + " is no rule, name or category.";
  if (!meant.empty()) said += " Did you mean " + meant + "?";
  return {ErrorKind::usage, said + " See: railgauge explain --list", {}};
}

}  // namespace railgauge::app
