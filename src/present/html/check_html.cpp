// The page of a check: findings beside the picture that points at them, or many machines in one
// table; what was not judged; the JSON. No script runs, nothing is asked of the network.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "model/fleet/hostlist.h"
#include "present/check.h"
#include "present/html/check_findings.h"
#include "present/html/parts.h"
#include "present/svg/canvas.h"
#include "present/svg/marks.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

using model::Finding;

constexpr std::size_t marks_most = 200;      // beyond, a picture is all marks
constexpr std::size_t findings_most = 2000;  // on one page; the JSON has all

// One mark a device: of its findings the first, which is the most important one.
struct Marks {
  std::vector<Mark> list;
  std::map<std::size_t, std::string> of_finding;  // by number: the id of its mark
};

// PCI rules are about the link that a device hangs on.
bool about_link(const Finding& finding) { return finding.id.starts_with("PCI"); }

Marks marks_of(const CheckView& view) {
  Marks out;
  std::map<std::uint32_t, std::size_t> marked;  // device to position in list
  std::map<std::uint32_t, std::size_t> more;
  for (std::size_t i = 0; i < view.report.findings.size(); ++i) {
    const Finding& finding = view.report.findings[i];
    for (const model::DeviceId id : finding.devices) {
      if (out.list.size() >= marks_most) return out;
      const std::size_t next = out.list.size();
      const auto [place, fresh] = marked.emplace(id.value, next);
      out.of_finding.emplace(i, fmt::format("mark-{}", place->second));
      if (!fresh) {
        ++more[id.value];
        continue;
      }
      out.list.push_back({.device = id,
                          .label = finding.id,
                          .css_class = std::string(text(finding.severity)),
                          .tooltip = finding.id + " " + finding.name + ": " + finding.subject,
                          .href = "#" + finding_anchor(i),
                          .id = fmt::format("mark-{}", next),
                          .link = about_link(finding)});
    }
  }
  for (const auto& [device, count] : more)
    out.list[marked[device]].label += fmt::format(" +{}", count);
  return out;
}

std::string figures(const CheckView& view) {
  const CheckCounts count = counts_of(view.report);
  std::string out = "<ul class=\"summary\">";
  const auto item = [&](const char* css_class, const std::string& words) {
    out += fmt::format("<li class=\"{}\">{}</li>", css_class, escaped(words));
  };
  item(count.errors > 0 ? "some-error" : "", plural(count.errors, "error", "errors"));
  item(count.warnings > 0 ? "some-warning" : "", plural(count.warnings, "warning", "warnings"));
  item("", plural(count.notes, "note", "notes"));
  item("", fmt::format("{} rules passed", view.report.passed.size()));
  item("", fmt::format("{} not applicable", view.report.not_applicable.size()));
  item("", fmt::format("{} not checked", count.not_checked));
  if (!view.report.suppressed.empty())
    item("", fmt::format("{} suppressed", view.report.suppressed.size()));
  if (view.machine != nullptr)
    for (const std::string& words : count_words(*view.machine)) item("", words);
  return out + "</ul>\n";
}

std::string findings(const CheckView& view, const Marks& marks) {
  std::string out = "<section aria-labelledby=\"findings\">\n<h2 id=\"findings\">Findings</h2>\n";
  if (view.report.findings.empty())
    out += "<p>Nothing was found by the rules that could be judged.</p>\n";
  const std::size_t shown = std::min(view.report.findings.size(), findings_most);
  std::map<std::string, const Finding*> earlier;  // the first of each rule
  for (std::size_t i = 0; i < shown; ++i) {
    const Finding& finding = view.report.findings[i];
    const auto [first, fresh] = earlier.emplace(finding.id, &finding);
    out += finding_html(finding, i,
                        marks.of_finding.contains(i) ? marks.of_finding.at(i) : std::string(),
                        fresh ? nullptr : first->second);
  }
  if (shown < view.report.findings.size())
    out += fmt::format("<p>{} more stand in this page's JSON.</p>\n",
                       view.report.findings.size() - shown);
  return out + "</section>\n";
}

std::string picture(const CheckView& view, const std::vector<Mark>& marks) {
  if (view.machine == nullptr) return "";
  return "<section class=\"beside\" aria-labelledby=\"picture\">\n<h2 "
         "id=\"picture\">Picture</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
         "aria-labelledby=\"picture\">\n" +
         html_picture(svg(*view.machine, marks)) + "</div>\n</section>\n";
}

std::string table(std::string_view id, std::string_view title, const std::vector<std::string>& head,
                  const std::string& rows) {
  std::string out = fmt::format(
      "<h2 id=\"{0}\">{1}</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-labelledby=\"{0}\">\n<table><thead><tr>",
      id, title);
  for (const std::string& cell : head) out += "<th scope=\"col\">" + escaped(cell) + "</th>";
  return out + "</tr></thead>\n<tbody>\n" + rows + "</tbody></table>\n</div>\n";
}

std::string fleet(const CheckView& view) {
  if (!view.several()) return "";
  std::string rules;
  for (const RuleCount& rule : view.rule_counts)
    rules += fmt::format(
        "<tr><td><span class=\"badge {0}\">{0}</span></td><th scope=\"row\">{1}</th><td>{2}</td>"
        "<td>{3} of {4}</td><td class=\"wrap\">{5}</td></tr>\n",
        text(rule.severity), escaped(rule.id), escaped(rule.name), rule.nodes.size(),
        view.nodes.size(), escaped(model::hostlist(rule.nodes)));
  std::string nodes;
  for (const NodeCheck& node : view.nodes)
    nodes += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
        escaped(node.node), node.errors, node.warnings, node.notes, node.odd ? "odd" : "");
  return table("rules", "Which rules failed where",
               {"severity", "rule", "name", "count", "machines"}, rules) +
         table("machines", "Machines", {"machine", "errors", "warnings", "notes", ""}, nodes);
}

std::string not_checked(const CheckView& view) {
  std::string rows;
  for (const MissingFacts& facts : missing_facts(view.report))
    rows += fmt::format(
        "<tr><td><code>{}</code></td><td class=\"wrap\">{}</td><td>{}</td><td "
        "class=\"wrap\">{}</td></tr>\n",
        escaped(facts.command), escaped(fmt::format("{}", fmt::join(facts.needs, "; "))),
        facts.ids.size(), escaped(fmt::format("{}", fmt::join(facts.ids, " "))));
  if (rows.empty()) return "";
  return table("not-checked", "Not checked, for want of facts",
               {"what would give them", "facts", "rules", "which"}, rows);
}

std::string suppressed(const CheckView& view) {
  if (view.report.suppressed.empty()) return "";
  std::string out = "<h2>Suppressed</h2>\n<ul>\n";
  for (const model::Suppressed& one : view.report.suppressed)
    out += fmt::format("<li><strong>{}</strong> {} {} until {}: {}</li>\n", escaped(one.finding.id),
                       escaped(one.finding.name), escaped(one.finding.subject), escaped(one.until),
                       escaped(one.reason));
  return out + "</ul>\n";
}

std::string passed(const CheckView& view) {
  if (view.report.passed.empty()) return "";
  std::map<std::string, std::string> names;
  for (const RuleText& rule : view.rules) names[rule.id] = rule.name;
  std::string out = fmt::format("<details><summary>{} rules passed</summary>\n<ul class=\"ids\">",
                                view.report.passed.size());
  for (const std::string& id : view.report.passed)
    out += "<li>" + escaped(id + " " + names[id]) + "</li>";
  return out + "</ul></details>\n";
}

}  // namespace

std::string check_html(const CheckView& view) {
  const std::string title = "Check of " + (view.name.empty() ? "a machine" : view.name);
  const Marks marks = view.machine != nullptr ? marks_of(view) : Marks{};
  std::string out = html_head(title, {"page.css", "check.css"});
  out += "<header><h1>" + escaped(title) + "</h1>\n" + figures(view) + "</header>\n<main>\n";
  out += fleet(view);
  out += view.machine != nullptr ? "<div class=\"halves\">\n" : "<div>\n";
  out += findings(view, marks) + picture(view, marks.list) + "</div>\n";
  out += suppressed(view) + not_checked(view) + passed(view);
  return out + "</main>\n<script type=\"application/json\" id=\"check\">\n" +
         json_for_script(check_json(view)) + "\n</script>\n</body>\n</html>\n";
}

}  // namespace railgauge::present
