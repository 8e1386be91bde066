// "NCCL_IB_GID_INDEX set by environment to 3.", "Setting NCCL_TOPO_FILE environment variable to …".
// Only variables whose names begin with NCCL_, RCCL_ or OFI_NCCL_ are kept.
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 3> words{" set by environment", " environment variable to ",
                                                " set to "};

bool is_name(std::string_view name) {
  return (name.substr(0, 5) == "NCCL_" || name.substr(0, 5) == "RCCL_" ||
          name.substr(0, 9) == "OFI_NCCL_") &&
         name.size() < 64 &&
         name.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") == std::string_view::npos;
}

std::string_view last_word(std::string_view text) {
  const auto blank = text.rfind(' ');
  return blank == std::string_view::npos ? text : text.substr(blank + 1);
}

bool take(const NcclLine& line, RunBuilder& run) {
  for (const std::string_view key :
       {" set by environment to ", " environment variable to ", " set to "}) {
    const auto at = line.text.find(key);
    if (at == std::string_view::npos) continue;
    const std::string_view name = last_word(line.text.substr(0, at));
    if (!is_name(name)) continue;
    std::string_view value = trim(line.text.substr(at + key.size()));
    if (!value.empty() && value.back() == '.') value.remove_suffix(1);
    run.variable(line, name, value);
    return true;
  }
  return false;
}

}  // namespace

Statement variable_statement() { return {words, take}; }

}  // namespace railgauge::observe
