// What the kernel log says, the worst first.
#include <fmt/format.h>

#include "present/event_words.h"
#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::EventSeverity;

// More groups than this are counted, unless verbose.
constexpr std::size_t listed_groups = 12;
constexpr std::size_t word_columns = 11;  // "corrected" and two blanks

Span severity_span(EventSeverity severity) {
  const Ink ink = severity == EventSeverity::fatal || severity == EventSeverity::nonfatal ? Ink::red
                  : severity == EventSeverity::information                                ? Ink::dim
                                                           : Ink::yellow;
  const std::string_view word = severity == EventSeverity::information ? "said" : text(severity);
  return {padded(std::string(word), word_columns), ink};
}

void write_group(TreeContext& tree, const model::EventGroup& group) {
  const model::Event& event = group.first;
  std::vector<Span> phrases{{event_words(event), Ink::bold}};
  const auto add = [&](std::string words, Ink ink) {
    if (!words.empty()) phrases.push_back({std::move(words), ink});
  };
  add(event_device(tree.machine, event), Ink::plain);
  if (event.reporter && event.reporter != event.device)
    add("at " + event.reporter->text(), Ink::plain);
  add(often_words(group), Ink::plain);
  const std::string when = when_words(event);
  if (!when.empty()) add(group.members.size() > 1 ? "first " + when : when, Ink::dim);
  const Line indent{{std::string(word_columns, ' ')}};
  tree.page.flow({severity_span(event.severity)}, indent, phrases);
  const std::string words = clean(event.text);
  if (!words.empty()) tree.page.prose(indent, indent, words, Ink::dim);
}

}  // namespace

void write_events(TreeContext& tree) {
  const auto groups = ordered_events(tree.machine);
  if (groups.empty()) return;
  tree.page.blank();
  const std::size_t shown =
      tree.page.style().verbose ? groups.size() : std::min(groups.size(), listed_groups);
  tree.page.add(
      {{"kernel log", Ink::bold},
       {fmt::format("  {}", plural(tree.machine.events.size(), "event", "events")), Ink::dim}});
  for (std::size_t i = 0; i < shown; ++i) write_group(tree, groups[i]);
  if (shown < groups.size())
    tree.page.add({{fmt::format("{:{}}{} more kinds; verbose shows them", "", word_columns,
                                groups.size() - shown),
                    Ink::dim}});
}

}  // namespace railgauge::present
