// Known machines by name, from data/machines as embedded in the binary.
#include <fmt/format.h>

#include <algorithm>
#include <span>

#include "base/embedded.h"
#include "base/strings.h"
#include "model/settle.h"
#include "observe/observe.h"
#include "observe/synthetic/description.h"

namespace railgauge::machine_data {
std::span<const EmbeddedFile> embedded_files();
}

namespace railgauge::observe {
namespace {

// Other names that people use for the same board.
constexpr std::pair<std::string_view, std::string_view> aliases[] = {
    {"dgx-1v", "v100-hybrid-cube-mesh"},
    {"hgx-b200", "dgx-b200"},
    {"mi300x-8x", "mi300x"},
    {"nvl72-tray", "gb200"},
};

// "data/machines/dgx-a100.yaml" is dgx-a100.
std::string name_of(const EmbeddedFile& file) {
  const auto slash = file.path.rfind('/') + 1;
  return std::string(file.path.substr(slash, file.path.rfind('.') - slash));
}

Error unknown_name(const std::string& name) {
  const auto names = synthetic_names();
  const auto closest =
      std::min_element(names.begin(), names.end(), [&](const auto& a, const auto& b) {
        return edit_distance(name, a) < edit_distance(name, b);
      });
  std::string text = fmt::format("no known machine is called {}", railgauge::quoted(name));
  if (closest != names.end() && edit_distance(name, *closest) * 2 <= closest->size())
    text += fmt::format("; did you mean {}?", *closest);
  std::string list;
  for (const auto& n : names) list += (list.empty() ? "" : ", ") + n;
  if (!text.ends_with('?')) text += '.';
  return {ErrorKind::not_found, text + " Known: " + list, {}};
}

}  // namespace

std::vector<std::string> synthetic_names() {
  std::vector<std::string> out;
  for (const EmbeddedFile& file : machine_data::embedded_files()) out.push_back(name_of(file));
  std::sort(out.begin(), out.end());
  return out;
}

Result<model::Machine> synthetic(const std::string& name, const model::Catalogue& catalogue) {
  std::string wanted = lower(name);
  for (const auto& [other, same] : aliases)
    if (wanted == other) wanted = same;
  for (const EmbeddedFile& file : machine_data::embedded_files()) {
    if (name_of(file) != wanted) continue;
    auto machine = described_machine(std::string(file.bytes), std::string(file.path), catalogue);
    if (!machine) return machine;
    machine->name = name;
    model::settle(*machine, catalogue);
    return machine;
  }
  return tl::unexpected(unknown_name(name));
}

}  // namespace railgauge::observe
