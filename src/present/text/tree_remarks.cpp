#include <algorithm>
#include <array>

#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::Remark;
using model::RemarkLevel;

struct Level {
  RemarkLevel level;
  const char* word;
  Ink ink;
};
constexpr std::array<Level, 3> levels{{{RemarkLevel::error, "error    ", Ink::red},
                                       {RemarkLevel::warning, "warning  ", Ink::yellow},
                                       {RemarkLevel::note, "note     ", Ink::dim}}};
// More remarks of one level than this are counted, unless verbose.
constexpr std::size_t listed_remarks = 8;

}  // namespace

void write_remarks(TreeContext& tree) {
  if (tree.machine.remarks.empty()) return;
  tree.page.blank();
  const bool verbose = tree.page.style().verbose;
  for (const Level& level : levels) {
    std::size_t seen = 0;
    for (const Remark& remark : tree.machine.remarks) {
      if (remark.level != level.level) continue;
      if (++seen > listed_remarks && !verbose) continue;
      std::string words = clean(remark.text);
      // Many remarks already begin with the place they come from.
      const std::string place = clean(tree.machine.sources.text(remark.source));
      if (remark.source.index != 0 && words.find(place) == std::string::npos)
        words += " (" + place + ")";
      tree.page.prose({{level.word, level.ink}}, {{"         "}}, words,
                      level.ink == Ink::dim ? Ink::dim : Ink::plain);
    }
    if (seen > listed_remarks && !verbose)
      tree.page.add(
          {{level.word, level.ink},
           {plural(seen - listed_remarks, "more; verbose shows it", "more; verbose shows them"),
            Ink::dim}});
  }
}

}  // namespace railgauge::present
