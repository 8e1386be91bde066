#include <algorithm>
#include <array>
#include <span>
#include <string_view>

#include "base/embedded.h"
#include "observe/advice/advice_yaml.h"
#include "observe/observe.h"

namespace railgauge::advice_data {
std::span<const EmbeddedFile> embedded_files();
}

namespace railgauge::observe {
namespace {

struct Table {
  std::string_view file;
  Result<void> (*add)(const std::string& text, const std::string& file, model::Advice& out);
};
constexpr std::array tables{
    Table{"data/variables_nccl.yaml", add_variables},
    Table{"data/variables_ucx.yaml", add_variables},
    Table{"data/xids.yaml", add_xids},
    Table{"data/bad_pairs.yaml", add_bad_pairs},
};

}  // namespace

Result<model::Advice> advice() {
  model::Advice out;
  for (const EmbeddedFile& file : advice_data::embedded_files())
    for (const Table& table : tables) {
      if (table.file != file.path) continue;
      auto added = table.add(std::string(file.bytes), std::string(file.path), out);
      if (!added) return tl::unexpected(std::move(added.error()).because("loading the advice"));
    }
  std::sort(out.variables.begin(), out.variables.end(),
            [](const auto& a, const auto& b) { return a.name < b.name; });
  return out;
}

}  // namespace railgauge::observe
