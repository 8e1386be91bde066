// Groups of machines, largest first, then who is odd in what.
#include <algorithm>

#include "model/compare/value_words.h"
#include "model/fleet/hostlist.h"
#include "present/fleet.h"
#include "present/text/page.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

using model::FleetGroup;
using model::FleetReport;
using model::OddProperty;

constexpr std::size_t lines_per_group = 8;
constexpr std::size_t values_per_property = 6;

// What fits into the rest of a line; --json has all of them.
std::string machines_words(const Page& page, const std::vector<std::string>& machines) {
  constexpr std::size_t before = 22;
  const std::size_t most = static_cast<std::size_t>(page.style().columns) - before;
  const std::string list = clean(model::hostlist(machines));
  if (list.size() <= most) return list;
  const std::size_t comma = list.rfind(',', most - 2);
  return comma == std::string::npos ? list : list.substr(0, comma) + ",…";
}

void group_lines(Page& page, const FleetGroup& group, std::size_t position) {
  const std::string head = padded("group " + std::to_string(position + 1), 11);
  const std::string count = padded("×" + std::to_string(group.machines.size()), 7);
  page.prose({{head, Ink::bold}, {count}}, {{std::string(18, ' ')}},
             machines_words(page, group.machines), Ink::plain);
  if (!group.differs_from) return;
  const std::string from = *group.differs_from == 0
                               ? ""
                               : " (unlike group " + std::to_string(*group.differs_from + 1) + ")";
  std::size_t told = 0;
  for (const std::string& words : group.words) {
    if (++told > lines_per_group) break;
    page.prose({{std::string(11, ' ')}, {"~ ", Ink::yellow}}, {{std::string(13, ' ')}},
               clean(words) + (told == 1 ? from : ""), Ink::plain);
  }
  if (group.words.size() > lines_per_group)
    page.add({{std::string(13, ' ') + "and " +
                   std::to_string(group.words.size() - lines_per_group) + " more differences",
               Ink::dim}});
}

void more_groups(Page& page, const FleetReport& report) {
  const std::size_t shown = model::Fleet::explained_groups;
  if (report.groups.size() <= shown) return;
  std::size_t machines = 0;
  for (std::size_t i = shown; i < report.groups.size(); ++i)
    machines += report.groups[i].machines.size();
  page.add({{"and " + plural(report.groups.size() - shown, "more group", "more groups") + " with " +
                 plural(machines, "machine", "machines") + "; --json lists them",
             Ink::dim}});
}

void odd_line(Page& page, const OddProperty& property) {
  const std::string name =
      property.topic == model::Topic::counters ? property.key + " of " + property.subject
      : property.key == "device"               ? property.subject
                                 : model::comparing::property_name(property.key, property.subject);
  page.prose({{"  "}}, {{"    "}},
             clean(name + ": " + property.usual) + " ×" + std::to_string(property.usual_count),
             Ink::plain);
  std::size_t told = 0;
  for (const model::OddValue& odd : property.odd) {
    if (++told > values_per_property) break;
    page.prose({{"    "}, {clean(odd.value) + " ", Ink::yellow}}, {{"      "}},
               "×" + std::to_string(odd.machines.size()) + " " + machines_words(page, odd.machines),
               Ink::plain);
  }
  if (property.odd.size() > values_per_property)
    page.add({{"    and " +
                   plural(property.odd.size() - values_per_property, "more value", "more values"),
               Ink::dim}});
}

void odd_lines(Page& page, const FleetReport& report) {
  if (report.odd.empty()) return;
  page.blank();
  page.add({{"not the same everywhere, rarest first", Ink::bold}});
  std::size_t headed = 0;
  for (const OddProperty& property : report.odd) {
    if (report.models.size() > 1 && property.model >= headed) {
      page.add({{" " + clean(report.models[property.model]), Ink::dim}});
      headed = property.model + 1;
    }
    odd_line(page, property);
  }
  if (report.odd_not_listed > 0)
    page.add(
        {{"  and " + plural(report.odd_not_listed, "more property", "more properties"), Ink::dim}});
}

}  // namespace

std::string text_fleet(const FleetReport& report, const Style& style) {
  Page page(style);
  const std::string shapes =
      report.groups.size() == 1 ? "all alike" : plural(report.groups.size(), "shape", "shapes");
  page.add({{plural(report.machines, "machine", "machines") + ", " + shapes, Ink::bold}});
  page.blank();
  std::size_t headed = 0;
  for (std::size_t i = 0; i < std::min(report.groups.size(), model::Fleet::explained_groups); ++i) {
    const std::size_t model = report.groups[i].model;
    if (report.models.size() > 1 && (i == 0 || model >= headed)) {
      if (i > 0) page.blank();
      page.add({{clean(report.models[model]), Ink::bold}});
      headed = model + 1;
    }
    group_lines(page, report.groups[i], i);
  }
  more_groups(page, report);
  odd_lines(page, report);
  page.blank();
  page.prose({{""}}, {{""}},
             "a shape leaves out identities, names, counters, temperatures, clocks, and what a "
             "launcher sets per rank or job",
             Ink::dim);
  return page.text();
}

}  // namespace railgauge::present
