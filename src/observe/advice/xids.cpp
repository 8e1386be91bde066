// Reads data/xids.yaml: what NVIDIA's catalogue says of Xids and SXids.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <string_view>

#include "base/strings.h"
#include "observe/advice/advice_yaml.h"
#include "observe/catalogue/yaml_row.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 5> causes{"hardware", "application", "driver", "link",
                                                 "system memory"};
constexpr int greatest_code = 99'999;

bool flag(YamlRow& row, const char* key) {
  const std::string word = row.text_or(key, "false");
  if (word != "true" && word != "false")
    row.complain(fmt::format("\"{}\" must be true or false", key));
  return word == "true";
}

model::XidRow xid(YamlRow row) {
  row.only({"code", "name", "action", "cause", "application", "note", "source"});
  model::XidRow out;
  out.code = row.integer("code", {1, greatest_code});
  out.name = row.text("name");
  out.action = row.text("action");
  out.cause = row.text("cause");
  if (std::find(causes.begin(), causes.end(), out.cause) == causes.end())
    row.complain(fmt::format("{} is no cause that we know", railgauge::quoted(out.cause)));
  out.application = flag(row, "application");
  out.note = row.text_or("note", "");
  out.source = row.text("source");
  return out;
}

void take(YamlRow& top, const char* key, std::vector<model::XidRow>& rows) {
  for (YamlRow& row : top.rows(key)) {
    rows.push_back(xid(row));
    const int code = rows.back().code;
    if (std::any_of(rows.begin(), rows.end() - 1,
                    [code](const model::XidRow& other) { return other.code == code; }))
      row.complain(fmt::format("code {} stands twice", code));
  }
}

}  // namespace

Result<void> add_xids(const std::string& text, const std::string& file, model::Advice& out) {
  auto root = parse_yaml(text, file);
  if (!root) return tl::unexpected(std::move(root.error()));
  std::optional<Error> problem;
  YamlRow top(*root, file, problem);
  top.only({"xids", "sxids"});
  take(top, "xids", out.xids);
  take(top, "sxids", out.sxids);
  if (problem) return tl::unexpected(std::move(*problem));
  return {};
}

}  // namespace railgauge::observe
