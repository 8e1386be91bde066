#include "apps/railgauge/check_config.h"

#include <array>

#include "apps/railgauge/rule_texts.h"
#include "base/strings.h"
#include "observe/catalogue/yaml_row.h"

namespace railgauge::app {
namespace {

// "2027-01-31": a day that the calendar has.
bool is_day(std::string_view text) {
  if (text.size() != 10 || text[4] != '-' || text[7] != '-') return false;
  const auto year = parse_int(text.substr(0, 4));
  const auto month = parse_int(text.substr(5, 2));
  const auto day = parse_int(text.substr(8, 2));
  if (!year || !month || !day || *year < 2000 || *month < 1 || *month > 12) return false;
  constexpr std::array<int, 12> days{31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31};
  const bool leap = (*year % 4 == 0 && *year % 100 != 0) || *year % 400 == 0;
  const int most = days[static_cast<std::size_t>(*month - 1)] + (*month == 2 && leap ? 1 : 0);
  return *day >= 1 && *day <= most;
}

judge::Suppression suppression(observe::YamlRow& row) {
  row.only({"id", "subject", "reason", "until"});
  judge::Suppression out;
  out.id = row.text("id");
  out.subject = row.text_or("subject", "");
  out.reason = row.text("reason");
  out.until = row.text("until");
  judge::Selection named;
  named.only = {out.id};
  if (!out.id.empty() && !judge::unknown_rules(named).empty())
    row.complain(unknown_rule(out.id).message);
  else if (trim(out.reason).empty())
    row.complain("a suppression needs a reason");
  else if (!is_day(out.until))
    row.complain("until takes a day such as 2027-01-31, not " + railgauge::quoted(out.until));
  return out;
}

}  // namespace

Result<std::vector<judge::Suppression>> parse_config(const std::string& text,
                                                     const std::string& file) {
  const auto node = observe::parse_yaml(text, file);
  if (!node) return tl::unexpected(node.error());
  std::vector<judge::Suppression> out;
  if (node->IsNull()) return out;
  if (!node->IsMap())
    return fail(ErrorKind::input, file + ":1: this file starts with the key suppressions:");
  std::optional<Error> problem;
  observe::YamlRow top(*node, file, problem);
  top.only({"suppressions"});
  for (observe::YamlRow& row : top.rows("suppressions")) out.push_back(suppression(row));
  if (problem) return tl::unexpected(std::move(*problem));
  return out;
}

}  // namespace railgauge::app
