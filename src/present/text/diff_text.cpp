// What changed, grouped by topic, one line for each change.
#include <cmath>
#include <map>

#include "base/duration.h"
#include "model/compare/value_words.h"
#include "present/diff.h"
#include "present/text/page.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

using model::Change;
using model::Difference;

struct Mark {
  const char* sign;
  Ink ink;
};

Mark mark_of(Change change) {
  switch (change) {
    case Change::gone: return {"- ", Ink::red};
    case Change::added: return {"+ ", Ink::cyan};
    case Change::grew: return {"↑ ", Ink::yellow};
    case Change::moved:
    case Change::changed: break;
  }
  return {"~ ", Ink::yellow};
}

void header_line(Page& page, const char* side, const model::Machine& machine) {
  std::string words;
  if (machine.taken && !machine.taken->made_at.empty()) {
    words = "  " + clean(machine.taken->made_at);
    if (machine.taken->as_root) words += "  as root";
  }
  page.add({{side, Ink::dim}, {clean(machine.name), Ink::bold}, {words, Ink::dim}});
}

void header(Page& page, const DiffView& view) {
  header_line(page, "before  ", view.before);
  header_line(page, "after   ", view.after);
  const auto& between = view.comparison.seconds_between;
  std::string words;
  if (between && *between != 0) {
    const auto apart = std::chrono::milliseconds(std::llround(std::abs(*between)) * 1000);
    words = text_of_duration(apart);
    words += *between < 0 ? " between them, and after was made first" : " between them";
  }
  if (view.comparison.rebooted)
    words += std::string(words.empty() ? "" : "; ") + "the machine was started in between";
  if (!words.empty()) page.add({{"        " + words, Ink::dim}});
  if (!view.comparison.different_machines.empty())
    page.prose({{view.comparison.different_models ? "these are different models: "
                                                  : "these look like two machines: ",
                 Ink::yellow}},
               {{"  "}}, clean(view.comparison.different_machines), Ink::plain);
  page.blank();
}

// Where both sides have it from; one line each.
void sources(Page& page, const DiffView& view, const Difference& one) {
  if (one.before_source.index != 0)
    page.add({{"      before: " + clean(view.before.sources.text(one.before_source)), Ink::dim}});
  if (one.after_source.index != 0)
    page.add({{"      after:  " + clean(view.after.sources.text(one.after_source)), Ink::dim}});
}

void list(Page& page, const DiffView& view, const std::vector<Difference>& differences,
          bool counted, bool verbose) {
  const auto lines = model::folded(differences);
  for (const model::Topic topic : model::all_topics) {
    bool headed = false;
    for (const Difference& one : lines) {
      if (one.topic != topic) continue;
      if (!headed)
        page.add({{std::string(text(topic)) + (counted ? "" : " (does not count)"),
                   counted ? Ink::bold : Ink::dim}});
      headed = true;
      const Mark mark = mark_of(one.kind);
      page.prose({{"  "}, {mark.sign, counted ? mark.ink : Ink::dim}}, {{"    "}}, clean(one.text),
                 counted ? Ink::plain : Ink::dim);
      if (verbose) sources(page, view, one);
    }
    if (headed) page.blank();
  }
}

void left_out(Page& page, const DiffView& view, const Style& style) {
  if (view.left_out.empty()) return;
  if (style.verbose) return list(page, view, view.left_out, false, true);
  std::map<model::Topic, std::size_t> counts;
  for (const Difference& one : view.left_out) ++counts[one.topic];
  std::string words;
  for (const auto& [topic, count] : counts)
    words +=
        (words.empty() ? "" : ", ") + std::to_string(count) + " of " + std::string(text(topic));
  page.add({{"ignored: " + words + " (-v shows them)", Ink::dim}});
}

void not_compared(Page& page, const model::Comparison& comparison) {
  if (comparison.not_compared.empty()) return;
  page.add({{"not compared", Ink::dim}});
  for (const model::NotCompared& one : comparison.not_compared)
    page.prose({{"  "}}, {{"    "}}, clean(one.what + ": " + one.why), Ink::dim);
}

// Two looks of different kinds: what was compared is said before what came of it.
void compared(Page& page, const model::Comparison& comparison) {
  if (!comparison.different_sources) return;
  page.prose(
      {{"no source was read on both sides: ", Ink::yellow}}, {{"  "}},
      clean("before is " + comparison.sources_before + ", after is " + comparison.sources_after +
            ". Compared was what both state: " + comparison.compared),
      Ink::plain);
  page.blank();
}

}  // namespace

std::string text_diff(const DiffView& view, const Style& style) {
  Page page(style);
  header(page, view);
  compared(page, view.comparison);
  if (view.comparison.differences.empty()) {
    page.add({{view.comparison.different_sources ? "no difference in these" : "no difference",
               Ink::bold}});
    page.blank();
  }
  list(page, view, view.comparison.differences, true, style.verbose);
  left_out(page, view, style);
  not_compared(page, view.comparison);
  return page.text();
}

}  // namespace railgauge::present
