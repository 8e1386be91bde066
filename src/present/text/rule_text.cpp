// Pages of rules for a terminal and as Markdown, and the list of them.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "present/check.h"
#include "present/text/check_blocks.h"
#include "present/text/page.h"

namespace railgauge::present {
namespace {

// Lines of a page stay lines: commands stand one below the other.
void part(Page& page, std::string_view title, std::string_view body) {
  if (trim(body).empty()) return;
  page.blank();
  page.add({{std::string(title), Ink::bold}});
  for (LineCursor lines(body); lines.next();)
    page.prose({{"  "}}, {{"  "}}, lines.line(), Ink::plain);
}

std::string listed(const std::vector<std::string>& items, std::string_view bullet) {
  std::string out;
  for (const std::string& item : items) out += fmt::format("{}{}\n", bullet, item);
  return out;
}

std::string one_paragraph(std::string_view text) {
  std::string out;
  for (LineCursor lines(text); lines.next();)
    out += (out.empty() ? "" : "\n") + std::string(trim(lines.line()));
  return out;
}

void section(std::string& out, std::string_view title, const std::string& body) {
  if (!trim(body).empty()) out += fmt::format("\n## {}\n{}\n", title, trim(body));
}

}  // namespace

std::string text_rule(const RuleText& rule, const Style& style) {
  Page page(style);
  page.add({{rule.id + " " + rule.name, Ink::bold},
            {"  "},
            {std::string(text(rule.severity)), ink_of(rule.severity)}});
  part(page, "What", rule.what);
  part(page, "Why it matters", rule.why);
  part(page, "See it by hand", rule.by_hand);
  part(page, "What to do", rule.remedy);
  part(page, "Benign if", rule.benign_if);
  part(page, "What railgauge needs to judge it", listed(rule.needs, ""));
  part(page, "References", listed(rule.references, ""));
  return page.text();
}

std::string text_rules(const std::vector<RuleText>& rules, const Style& style) {
  std::size_t width = 0;
  for (const RuleText& rule : rules) width = std::max(width, rule.name.size());
  Page page(style);
  for (const RuleText& rule : rules) {
    const auto what = rule.what.substr(0, rule.what.find('\n'));
    page.add({{rule.id + " ", Ink::bold},
              {padded(std::string(text(rule.severity)), 8), ink_of(rule.severity)},
              {padded(rule.name, width + 2)},
              {what, Ink::dim}});
  }
  return page.text();
}

std::string markdown_rule(const RuleText& rule) {
  std::string out = fmt::format("# {} {}\n\nSeverity: {}\n\n{}\n", rule.id, rule.name,
                                text(rule.severity), one_paragraph(rule.what));
  section(out, "Why it matters", one_paragraph(rule.why));
  if (!trim(rule.by_hand).empty())
    out += fmt::format("\n## See it by hand\n```\n{}\n```\n", trim(rule.by_hand));
  section(out, "What to do", one_paragraph(rule.remedy));
  section(out, "Benign if", one_paragraph(rule.benign_if));
  section(out, "What railgauge needs to judge it", listed(rule.needs, "- "));
  section(out, "References", listed(rule.references, "- "));
  return out;
}

}  // namespace railgauge::present
