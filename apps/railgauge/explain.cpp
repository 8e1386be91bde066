// railgauge explain: the page of a rule, or the list of rules.
#include <fmt/format.h>

#include <algorithm>

#include "apps/railgauge/envelope.h"
#include "apps/railgauge/failure.h"
#include "apps/railgauge/output.h"
#include "apps/railgauge/rule_texts.h"
#include "base/strings.h"

namespace railgauge::app {
namespace {

constexpr const char* schema = "railgauge.explain/1";

using present::RuleText;

Exit report(const Arguments& arguments, const Error& error) {
  return report_error(schema, arguments, error);
}

bool contains_nocase(const std::string& text, const std::string& lowered) {
  return contains(lower(text), lowered);
}

// The rules that a word names: one by its id or name, several by category or any word of a page.
std::vector<RuleText> found(const std::string& word) {
  std::vector<RuleText> all = rule_texts();
  const std::string lowered = lower(word);
  std::vector<RuleText> out;
  for (const RuleText& rule : all)
    if (lower(rule.id) == lowered || rule.name == lowered) return {rule};
  const auto take = [&](auto says) {
    if (!out.empty()) return;
    std::copy_if(all.begin(), all.end(), std::back_inserter(out), says);
  };
  take([&](const RuleText& rule) { return lower(rule.id.substr(0, 3)) == lowered; });
  take([&](const RuleText& rule) { return contains_nocase(rule.name, lowered); });
  take([&](const RuleText& rule) {
    return contains_nocase(rule.what, lowered) || contains_nocase(rule.by_hand, lowered);
  });
  return out;
}

std::string render_list(const Arguments& arguments, const std::vector<RuleText>& rules) {
  if (wants_json(arguments)) return envelope(schema, arguments, {}, present::rules_json(rules));
  if (arguments.value("format") != "markdown")
    return present::text_rules(rules, style_for(arguments));
  std::string out;
  for (const RuleText& rule : rules)
    out += fmt::format("- [{0} {1}]({0}.md), {2}\n", rule.id, rule.name, text(rule.severity));
  return out;
}

std::string render_page(const Arguments& arguments, const RuleText& rule) {
  if (wants_json(arguments)) return envelope(schema, arguments, {}, present::rule_json(rule));
  if (arguments.value("format") == "markdown") return present::markdown_rule(rule);
  return present::text_rule(rule, style_for(arguments));
}

Exit run(const Arguments& arguments) {
  const auto& words = arguments.values("RULE");
  if (arguments.has("list") || words.empty()) {
    if (!arguments.has("list"))
      return report(arguments, {ErrorKind::usage,
                                "explain takes a rule, such as PCI012, or a word such as nvlink; "
                                "railgauge explain --list shows all",
                                {}});
    return write_result(arguments, render_list(arguments, rule_texts()));
  }
  const auto rules = found(words.front());
  if (rules.empty()) return report(arguments, unknown_rule(words.front()));
  if (rules.size() == 1) return write_result(arguments, render_page(arguments, rules.front()));
  const Exit exit = write_result(arguments, render_list(arguments, rules));
  if (exit == Exit::done && !wants_json(arguments))
    hint(arguments, "next: railgauge explain " + rules.front().id);
  return exit;
}

}  // namespace

VerbSpec explain_verb() {
  VerbSpec verb;
  verb.name = "explain";
  verb.summary =
      "Say what a rule of check is about: why it matters, how to see it by hand, what to do";
  verb.description =
      "RULE is the id of a finding, its name, a category such as PCI, or a word: several rules "
      "that "
      "match are listed. The pages are those of docs/rules.";
  verb.positional = {"RULE", "", "An id (PCI012), a name, a category or a word",
                     {},     1,  Completes::nothing};
  verb.options = {
      {"--list", "", "All rules", {}},
      {"--format", "FORMAT", "How to show it", {"text", "json", "markdown"}, 1, Completes::choices},
      {"--json", "", "One JSON document, also on failure", {}},
  };
  verb.examples = {
      {"railgauge explain PCI012", "one rule"},
      {"railgauge explain nvlink", "the rules about NVLink"},
      {"railgauge explain --list", "all of them"},
  };
  verb.run = run;
  return verb;
}

}  // namespace railgauge::app
