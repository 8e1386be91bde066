#include "observe/catalogue/pci_ids.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/files.h"
#include "base/strings.h"

namespace railgauge::observe {
namespace {

constexpr std::uint64_t largest_file_bytes = 16ull << 20;
constexpr std::size_t longest_name = 200;

struct Numbered {
  std::uint16_t number;
  std::string_view name;
};

// "15b3  Mellanox Technologies": four hexadecimal digits, blanks, a name.
std::optional<Numbered> numbered(std::string_view line) {
  if (line.size() < 6 || line[4] != ' ') return std::nullopt;
  const auto number = parse_hex(line.substr(0, 4));
  if (!number) return std::nullopt;
  return Numbered{static_cast<std::uint16_t>(*number),
                  trim(line.substr(5)).substr(0, longest_name)};
}

}  // namespace

std::map<model::PciId, std::string> pci_names_in(const std::set<model::PciId>& wanted,
                                                 std::string_view text) {
  std::map<model::PciId, std::string> out;
  std::optional<Numbered> vendor;
  for (LineCursor lines(text); out.size() < wanted.size() && lines.next();) {
    std::string_view line = lines.line();
    if (line.empty() || line[0] == '#') continue;
    if (line[0] == 'C') break;  // device classes follow; they reuse the indentation
    if (line[0] != '\t') {
      vendor = numbered(line);
      continue;
    }
    line.remove_prefix(1);
    if (!vendor || line.empty() || line[0] == '\t') continue;  // a subsystem
    const auto device = numbered(line);
    if (!device) continue;
    const model::PciId id{vendor->number, device->number};
    if (wanted.count(id) != 0)
      out.emplace(id, valid_utf8(fmt::format("{} {}", vendor->name, device->name)));
  }
  return out;
}

std::map<model::PciId, std::string> pci_names(const std::set<model::PciId>& wanted,
                                              const std::filesystem::path& file) {
  if (wanted.empty()) return {};
  const auto text = read_file(file, largest_file_bytes);
  return text ? pci_names_in(wanted, *text) : std::map<model::PciId, std::string>{};
}

std::filesystem::path system_pci_ids(const std::filesystem::path& root) {
  const std::filesystem::path first = root / "usr/share/misc/pci.ids";
  const std::filesystem::path second = root / "usr/share/hwdata/pci.ids";
  std::error_code ignored;
  if (!std::filesystem::exists(first, ignored) && std::filesystem::exists(second, ignored))
    return second;
  return first;
}

Reading<std::string> pci_name(model::PciId id, const model::Catalogue& catalogue,
                              const std::filesystem::path& file) {
  const auto known = std::find_if(catalogue.pci_names.begin(), catalogue.pci_names.end(),
                                  [&](const model::PciName& n) { return n.id == id; });
  if (known != catalogue.pci_names.end()) return known->name;
  const auto found = pci_names({id}, file);
  if (!found.empty()) return found.begin()->second;
  return Reading<std::string>::not_reported(fmt::format(
      "neither the catalogue nor {} knows {:04x}:{:04x}", file.string(), id.vendor, id.device));
}

}  // namespace railgauge::observe
