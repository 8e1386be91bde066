#include <set>

#include "model/finding.h"
#include "observe/advice/advice_yaml.h"
#include "observe/catalogue/yaml_row.h"

namespace railgauge::observe {
namespace {

model::BadPair pair_of(YamlRow& row) {
  row.only({"id", "first", "first_from", "first_to", "second", "second_from", "second_to",
            "severity", "says", "remedy", "source"});
  model::BadPair out;
  out.id = row.text("id");
  out.first = row.text("first");
  out.first_from = row.text_or("first_from", "");
  out.first_to = row.text_or("first_to", "");
  out.second = row.text_or("second", "");
  out.second_from = row.text_or("second_from", "");
  out.second_to = row.text_or("second_to", "");
  out.severity = row.text("severity");
  out.says = row.text("says");
  out.remedy = row.text("remedy");
  out.source = row.text("source");
  return out;
}

void complain_of(const model::BadPair& pair, YamlRow& row) {
  if (!model::parse_severity(pair.severity))
    row.complain("severity is error, warning or note, not \"" + pair.severity + "\"");
  if (pair.first_from.empty() && pair.first_to.empty())
    row.complain("a row without bounds of its first version would always hold");
  if (pair.second.empty() && !(pair.second_from.empty() && pair.second_to.empty()))
    row.complain("bounds of a second version, and no second");
}

}  // namespace

Result<void> add_bad_pairs(const std::string& text, const std::string& file, model::Advice& out) {
  auto root = parse_yaml(text, file);
  if (!root) return tl::unexpected(std::move(root.error()));
  std::optional<Error> problem;
  YamlRow all(*root, file, problem);
  all.only({"pairs"});
  std::set<std::string> ids;
  for (YamlRow& row : all.rows("pairs")) {
    model::BadPair pair = pair_of(row);
    complain_of(pair, row);
    if (!ids.insert(pair.id).second) row.complain("a second row with the id " + pair.id);
    if (problem) return tl::unexpected(*problem);
    out.bad_pairs.push_back(std::move(pair));
  }
  if (problem) return tl::unexpected(*problem);
  return {};
}

}  // namespace railgauge::observe
