#include "present/html/check_findings.h"

#include <fmt/format.h>

#include "present/svg/canvas.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

constexpr int consequence_depth_most = 4;

std::string badge(model::Severity severity) {
  return fmt::format("<span class=\"badge {0}\">{0}</span>", text(severity));
}

std::string term(std::string_view name, const std::string& body) {
  return body.empty() ? "" : fmt::format("<dt>{}</dt><dd>{}</dd>\n", name, body);
}

std::string seen(const model::Finding& finding) {
  std::string out;
  for (const model::Evidence& one : finding.evidence) {
    out += "<li>" + escaped(evidence_words(one));
    if (!one.source.empty()) out += " <small>" + escaped(one.source) + "</small>";
    out += "</li>";
  }
  return out.empty() ? "" : "<ul>" + out + "</ul>";
}

std::string remedy(const model::Finding& finding) {
  std::string out;
  for (const model::RemedyStep& step : finding.remedy) {
    out += "<li>" + escaped(step.text);
    if (const std::string caution = caution_words(step); !caution.empty())
      out += " <small>(" + escaped(caution) + ")</small>";
    if (!step.command.empty())
      out += "<pre tabindex=\"0\"><code>" + escaped(step.command) + "</code></pre>";
    out += "</li>";
  }
  return out.empty() ? "" : "<ol>" + out + "</ol>";
}

std::string consequences(const model::Finding& finding, int depth) {
  if (finding.consequences.empty() || depth == 0) return "";
  std::string out = "<ul>";
  for (const model::Finding& one : finding.consequences)
    out += fmt::format("<li>{} <strong>{}</strong> {} {}: {}{}</li>", badge(one.severity),
                       escaped(one.id), escaped(one.name), escaped(one.subject), escaped(one.text),
                       consequences(one, depth - 1));
  return out + "</ul>";
}

std::string references(const model::Finding& finding) {
  if (finding.references.empty()) return "";
  std::string out = "<details><summary>References</summary><ul>";
  for (const std::string& reference : finding.references)
    out += "<li>" + escaped(reference) + "</li>";
  return out + "</ul></details>\n";
}

}  // namespace

std::string finding_anchor(std::size_t number) { return fmt::format("finding-{}", number); }

std::string finding_html(const model::Finding& finding, std::size_t number, const std::string& mark,
                         const model::Finding* earlier) {
  const std::string there =
      mark.empty() ? "" : fmt::format(" <a href=\"#{}\">in the picture</a>", mark);
  const std::string subject =
      finding.node.empty() ? finding.subject : finding.node + " " + finding.subject;
  std::string out = fmt::format(
      "<article class=\"finding {}\" id=\"{}\">\n<h3>{} <strong>{}</strong> {}</h3>\n<p "
      "class=\"subject\">{}{}</p>\n<p>{}</p>\n<dl>\n",
      text(finding.severity), finding_anchor(number), badge(finding.severity), escaped(finding.id),
      escaped(finding.name), escaped(subject), there, escaped(finding.text));
  out += term("seen", seen(finding));
  const std::string costs = impact_words(finding);
  if (earlier == nullptr || impact_words(*earlier) != costs) out += term("costs", escaped(costs));
  const std::string steps = remedy(finding);
  out += term("do", earlier == nullptr || steps.empty()
                        ? steps
                        : "<details><summary>as above, here</summary>" + steps + "</details>");
  out += term("hence", consequences(finding, consequence_depth_most));
  if (earlier == nullptr || earlier->benign_if != finding.benign_if)
    out += term("benign", escaped(finding.benign_if));
  out += "</dl>\n";
  if (earlier == nullptr) out += references(finding);
  return out + "</article>\n";
}

}  // namespace railgauge::present
