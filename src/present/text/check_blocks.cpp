#include "present/text/check_blocks.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "present/check.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

using model::Finding;
using model::Severity;

constexpr std::size_t indent = 8;
constexpr std::size_t name_column = 32;       // id and name; the subject follows
constexpr std::size_t subjects_listed = 4;    // of one block
constexpr std::size_t blocks_per_rule = 3;    // the rest is counted; -v shows them
constexpr std::size_t evidence_lines = 2;     // likewise
constexpr std::size_t consequences_most = 6;  // likewise

Line labelled(std::string_view label) {
  return {{std::string(indent, ' ')}, {padded(std::string(label), 7), Ink::dim}};
}
Line under() { return {{std::string(indent + 7, ' ')}}; }

std::string subject_words(const Finding& finding) {
  const std::string subject = clean(finding.subject);
  if (finding.node.empty()) return subject;
  return subject.empty() || subject == "host" ? clean(finding.node)
                                              : clean(finding.node) + " " + subject;
}

// A long path by its ends: "sys/devices/…/0000:3c:00.0/current_link_width". -v has it whole.
std::string short_source(const Page& page, const std::string& source) {
  constexpr std::size_t long_source = 60;
  const std::string whole = clean(source);
  if (whole.size() <= long_source || page.style().verbose) return whole;
  const auto name = whole.rfind('/');
  if (name == std::string::npos || name == 0) return whole;
  const auto folder = whole.rfind('/', name - 1);
  const auto head = whole.find('/', whole.find('/') + 1);
  if (folder == std::string::npos || head >= folder) return whole;
  return whole.substr(0, head) + "/…" + whole.substr(folder);
}

// Findings that differ in their subject only.
struct Block {
  const Finding* first = nullptr;
  std::vector<std::string> subjects;
};

bool same_words(const Finding& a, const Finding& b) {
  return a.id == b.id && a.severity == b.severity && a.text == b.text && a.consequences.empty() &&
         b.consequences.empty();
}

std::vector<Block> blocks_of(const std::vector<Finding>& findings) {
  std::vector<Block> out;
  for (const Finding& finding : findings) {
    const auto same = std::find_if(out.begin(), out.end(), [&](const Block& block) {
      return same_words(*block.first, finding);
    });
    Block& block = same == out.end() ? out.emplace_back() : *same;
    if (block.first == nullptr) block.first = &finding;
    block.subjects.push_back(subject_words(finding));
  }
  return out;
}

std::string listed(const std::vector<std::string>& subjects, bool all) {
  std::string out;
  for (std::size_t i = 0; i < subjects.size(); ++i) {
    if (!all && i == subjects_listed && subjects.size() > subjects_listed + 1)
      return out + fmt::format(" and {} more", subjects.size() - i);
    out += (out.empty() ? "" : ", ") + subjects[i];
  }
  return out;
}

void header(Page& page, const Block& block) {
  const Finding& finding = *block.first;
  const std::string name = padded(clean(finding.id) + " " + clean(finding.name), name_column) + " ";
  const Line first{{padded(std::string(text(finding.severity)), indent), ink_of(finding.severity)},
                   {name, Ink::bold}};
  page.prose(first, {{std::string(indent, ' ')}}, listed(block.subjects, page.style().verbose),
             Ink::plain);
}

void evidence(Page& page, const Finding& finding) {
  std::size_t told = 0;
  for (const model::Evidence& one : finding.evidence) {
    const Line first = told == 0 ? labelled("seen") : under();
    if (told++ == evidence_lines && !page.style().verbose) {
      const std::size_t more = finding.evidence.size() - evidence_lines;
      return page.add({under()[0], {fmt::format("and {} more (-v)", more), Ink::dim}});
    }
    std::string words = evidence_words(one);
    if (!one.source.empty()) words += "  [" + short_source(page, one.source) + "]";
    page.prose(first, under(), words, Ink::plain);
  }
}

void remedy(Page& page, const Finding& finding, bool brief) {
  bool first = true;
  for (const model::RemedyStep& step : finding.remedy) {
    const std::string caution = caution_words(step);
    std::string words = clean(step.text);
    if (words.empty() && step.command.empty()) continue;
    if (!caution.empty()) words += (words.empty() ? "(" : " (") + caution + ")";
    if (!words.empty()) page.prose(first ? labelled("do") : under(), under(), words, Ink::plain);
    if (!step.command.empty())
      page.prose(first && words.empty() ? labelled("do") : under(), under(),
                 "$ " + clean(step.command), Ink::cyan);
    first = false;
    if (brief) break;
  }
}

void consequences(Page& page, const Finding& finding, std::size_t depth) {
  std::size_t told = 0;
  for (const Finding& one : finding.consequences) {
    if (told++ == consequences_most && !page.style().verbose) {
      const std::size_t more = finding.consequences.size() - consequences_most;
      page.add({under()[0], {fmt::format("and {} more", more), Ink::dim}});
      break;
    }
    const Line first = told == 1 && depth == 0 ? labelled("hence") : under();
    const std::string words = fmt::format("{} {} {}: {}", clean(one.id), clean(one.name),
                                          subject_words(one), clean(one.text));
    page.prose(first, under(), std::string(depth * 2, ' ') + words, Ink::plain);
    if (depth < 3) consequences(page, one, depth + 1);
  }
}

void details(Page& page, const Finding& finding, bool again) {
  const bool brief = finding.severity == Severity::note && !page.style().verbose;
  if (!brief) evidence(page, finding);
  if (const std::string costs = impact_words(finding); !brief && !again && !costs.empty())
    page.prose(labelled("costs"), under(), costs, Ink::plain);
  if (!again) remedy(page, finding, brief);
  if (!brief && !again && !finding.benign_if.empty())
    page.prose(labelled("benign"), under(), clean(finding.benign_if), Ink::dim);
  if (page.style().verbose && !again)
    for (const std::string& reference : finding.references)
      page.prose(labelled("see"), under(), clean(reference), Ink::dim);
  consequences(page, finding, 0);
}

}  // namespace

Ink ink_of(Severity severity) {
  switch (severity) {
    case Severity::error: return Ink::red;
    case Severity::warning: return Ink::yellow;
    case Severity::note: return Ink::cyan;
  }
  return Ink::plain;
}

void finding_blocks(Page& page, const std::vector<Finding>& findings) {
  std::map<std::string, std::size_t> told;      // blocks of a rule so far
  std::map<std::string, std::size_t> left_out;  // findings
  for (const Block& block : blocks_of(findings)) {
    const Finding& finding = *block.first;
    const std::size_t before = told[finding.id]++;
    if (before >= blocks_per_rule && !page.style().verbose && finding.consequences.empty()) {
      left_out[finding.id] += block.subjects.size();
      continue;
    }
    header(page, block);
    page.prose({{std::string(indent, ' ')}}, {{std::string(indent, ' ')}}, clean(finding.text),
               Ink::plain);
    details(page, finding, before > 0);
    page.blank();
  }
  for (const auto& [id, count] : left_out)
    page.add({{fmt::format("and {} more of {} (-v shows them)", count, clean(id)), Ink::dim}});
  if (!left_out.empty()) page.blank();
}

}  // namespace railgauge::present
