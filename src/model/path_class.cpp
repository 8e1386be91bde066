#include "model/path_class.h"

#include <array>
#include <utility>

#include "base/strings.h"

namespace railgauge::model {
namespace {

constexpr std::array<std::pair<SmiClass, std::string_view>, 6> smi_words{{
    {SmiClass::self, "X"},
    {SmiClass::pix, "PIX"},
    {SmiClass::pxb, "PXB"},
    {SmiClass::phb, "PHB"},
    {SmiClass::node, "NODE"},
    {SmiClass::sys, "SYS"},
}};

constexpr std::array<std::pair<P2pStatus, std::string_view>, 7> p2p_words{{
    {P2pStatus::ok, "OK"},
    {P2pStatus::chipset_not_supported, "CNS"},
    {P2pStatus::gpu_not_supported, "GNS"},
    {P2pStatus::topology_not_supported, "TNS"},
    {P2pStatus::disabled_by_regkey, "DR"},
    {P2pStatus::not_supported, "NS"},
    {P2pStatus::unknown, "U"},
}};

}  // namespace

std::optional<PathClass> PathClass::parse(std::string_view cell) {
  for (const auto& [kind, word] : smi_words)
    if (cell == word) return PathClass{kind, 0};
  if (cell.size() < 3 || cell.substr(0, 2) != "NV") return std::nullopt;
  const auto count = parse_int(cell.substr(2));
  if (!count || *count < 1 || *count > 999) return std::nullopt;
  return PathClass{SmiClass::nv, static_cast<int>(*count)};
}

std::string PathClass::text() const {
  if (kind == SmiClass::nv) return "NV" + std::to_string(nvlinks);
  for (const auto& [value, word] : smi_words)
    if (value == kind) return std::string(word);
  return "SYS";
}

std::string_view text(P2pStatus status) {
  for (const auto& [value, word] : p2p_words)
    if (value == status) return word;
  return "U";
}

std::optional<P2pStatus> parse_p2p_status(std::string_view word) {
  for (const auto& [value, name] : p2p_words)
    if (name == word) return value;
  return std::nullopt;
}

}  // namespace railgauge::model
