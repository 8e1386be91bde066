// What `check` prints: findings, then what nobody could judge, then one line that sums up.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "model/fleet/hostlist.h"
#include "present/check.h"
#include "present/text/check_blocks.h"
#include "present/text/page.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

constexpr std::size_t commands_listed = 4;  // of what was not checked; -v lists all

std::string joined(const std::vector<std::string>& words, std::size_t most) {
  std::string out;
  for (std::size_t i = 0; i < words.size(); ++i) {
    if (i == most) return out + fmt::format(" and {} more", words.size() - i);
    out += (out.empty() ? "" : ", ") + clean(words[i]);
  }
  return out;
}

void title(Page& page, const CheckView& view) {
  std::string words = clean(view.name);
  if (view.machine != nullptr)
    words += (words.empty() ? "" : ": ") + joined(count_words(*view.machine), 9);
  if (words.empty()) return;
  page.add({{words, Ink::bold}});
  page.blank();
}

void not_checked(Page& page, const CheckView& view) {
  const auto missing = missing_facts(view.report);
  if (missing.empty()) return;
  const bool all = page.style().verbose;
  page.add({{"not checked, for want of facts; give also the output of", Ink::bold}});
  std::size_t told = 0;
  for (const MissingFacts& facts : missing) {
    if (told++ == commands_listed && !all) {
      page.add(
          {{fmt::format("  and {} more sources (-v lists them)", missing.size() - commands_listed),
            Ink::dim}});
      break;
    }
    const std::string rules = plural(facts.ids.size(), "rule", "rules");
    const std::string command = facts.command.empty() ? "(nothing gives it)" : clean(facts.command);
    page.prose({{"  "}, {padded(command, 40) + " ", Ink::cyan}}, {{std::string(6, ' ')}},
               all ? joined(facts.needs, 20) + ": " + joined(facts.ids, 200)
                   : rules + ": " + joined(facts.needs, 2),
               Ink::plain);
  }
  page.blank();
}

void suppressed(Page& page, const CheckView& view) {
  for (const model::Suppressed& one : view.report.suppressed)
    page.prose({{"suppressed ", Ink::dim}}, {{"           "}},
               fmt::format("{} {} {} until {}: {}", clean(one.finding.id), clean(one.finding.name),
                           clean(one.finding.subject), clean(one.until), clean(one.reason)),
               Ink::dim);
  if (!view.report.suppressed.empty()) page.blank();
}

// Which nodes are odd, and which rules failed on how many.
void fleet_lines(Page& page, const CheckView& view) {
  for (const RuleCount& rule : view.rule_counts) {
    const Line first{{padded(std::string(text(rule.severity)), 8), ink_of(rule.severity)},
                     {padded(rule.id + " " + rule.name, 32) + " ", Ink::bold}};
    page.prose(
        first, {{std::string(8, ' ')}},
        fmt::format("{} of {}: {}", rule.nodes.size(), view.nodes.size(),
                    rule.nodes.size() == view.nodes.size() ? "every machine"
                                                           : clean(model::hostlist(rule.nodes))),
        Ink::plain);
  }
  if (!view.rule_counts.empty()) page.blank();
  std::vector<std::string> odd;
  std::vector<std::string> clear;
  for (const NodeCheck& node : view.nodes) {
    if (node.odd) odd.push_back(node.node);
    if (node.errors + node.warnings == 0) clear.push_back(node.node);
  }
  if (!odd.empty())
    page.prose({{"odd     ", Ink::yellow}}, {{"        "}},
               clean(model::hostlist(odd)) + ": not as most of them", Ink::plain);
  if (!clear.empty())
    page.prose({{"clear   ", Ink::dim}}, {{"        "}},
               clean(model::hostlist(clear)) + ": no error and no warning", Ink::plain);
  page.blank();
}

// Of many machines only what is serious is shown at length.
std::vector<model::Finding> shown(const CheckView& view, const Style& style) {
  std::vector<model::Finding> out;
  for (const model::Finding& finding : view.report.findings)
    if (!view.several() || style.verbose || finding.severity == model::Severity::error)
      out.push_back(finding);
  return out;
}

}  // namespace

std::string text_check(const CheckView& view, const Style& style) {
  Page page(style);
  title(page, view);
  if (view.several()) fleet_lines(page, view);
  finding_blocks(page, shown(view, style));
  suppressed(page, view);
  not_checked(page, view);
  page.prose({}, {}, summary_line(view.report), Ink::bold);
  return page.text();
}

}  // namespace railgauge::present
