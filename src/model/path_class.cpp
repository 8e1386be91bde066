#include "model/path_class.h"

#include <algorithm>
#include <array>
#include <utility>
#include <vector>

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

struct NcclType {
  NcclPath path;
  std::string_view word;
  int since_minor;  // of NCCL 2
};

// In the order of NCCL 2.30; a version has those of its time, numbered without gaps. Source: the
// PATH_ constants in src/graph/topo.h of the releases 2.6.4 to 2.30.7.
constexpr std::array<NcclType, 12> nccl_types{{
    {NcclPath::loc, "LOC", 0},
    {NcclPath::nvl, "NVL", 0},
    {NcclPath::nvb, "NVB", 8},
    {NcclPath::c2c, "C2C", 26},
    {NcclPath::pix, "PIX", 0},
    {NcclPath::pxb, "PXB", 0},
    {NcclPath::p2c, "P2C", 27},
    {NcclPath::pxn, "PXN", 12},
    {NcclPath::phb, "PHB", 0},
    {NcclPath::sys, "SYS", 0},
    {NcclPath::net, "NET", 0},
    {NcclPath::dis, "DIS", 12},
}};

bool in_series(NcclVersion version, int first_minor, int last_minor) {
  return version.major == 2 && first_minor <= version.minor && version.minor <= last_minor;
}

bool exists(const NcclType& type, NcclVersion version) {
  // 2.8 gave up NET; 2.18 has it again.
  if (type.path == NcclPath::net && in_series(version, 8, 17)) return false;
  return version.major > 2 || (version.major == 2 && version.minor >= type.since_minor);
}

// The types of a version in the order of their numbers.
std::vector<NcclPath> types_of(NcclVersion version) {
  std::vector<NcclPath> out;
  for (const NcclType& type : nccl_types)
    if (exists(type, version)) out.push_back(type.path);
  // 2.27.3 had PXN before P2C; from 2.27.5 on it is the other way round. A bare "2.27" is the
  // later one.
  if (in_series(version, 27, 27) && version.patch > 0 && version.patch < 5)
    std::swap(*std::find(out.begin(), out.end(), NcclPath::p2c),
              *std::find(out.begin(), out.end(), NcclPath::pxn));
  return out;
}

}  // namespace

std::optional<NcclVersion> NcclVersion::parse(std::string_view text) {
  text = trim(text);
  if (text.size() > 32) return std::nullopt;
  // A suffix such as "+cuda12.4" or "-1" is the build's, not the version's.
  text = text.substr(0, text.find_first_of("+-"));
  const auto fields = split(text, '.');
  if (fields.size() < 2 || fields.size() > 3) return std::nullopt;
  std::array<int, 3> numbers{0, 0, 0};
  for (std::size_t i = 0; i < fields.size(); ++i) {
    const auto number = parse_int(fields[i]);
    if (!number || *number < 0 || *number > 999) return std::nullopt;
    numbers[i] = static_cast<int>(*number);
  }
  return NcclVersion{numbers[0], numbers[1], numbers[2]};
}

std::string_view text(NcclPath path) {
  for (const NcclType& type : nccl_types)
    if (type.path == path) return type.word;
  return "DIS";
}

std::optional<NcclPath> parse_nccl_path(std::string_view word) {
  for (const NcclType& type : nccl_types)
    if (type.word == word) return type.path;
  return std::nullopt;
}

std::optional<int> nccl_path_number(NcclPath path, NcclVersion version) {
  // From 2.12 to 2.17 DIS and SYS were the same number.
  if (path == NcclPath::dis && in_series(version, 12, 17)) path = NcclPath::sys;
  const auto types = types_of(version);
  const auto found = std::find(types.begin(), types.end(), path);
  if (found == types.end()) return std::nullopt;
  return static_cast<int>(found - types.begin());
}

std::optional<NcclPath> nccl_path_of_number(int number, NcclVersion version) {
  const auto types = types_of(version);
  if (number < 0 || static_cast<std::size_t>(number) >= types.size()) return std::nullopt;
  const NcclPath path = types[static_cast<std::size_t>(number)];
  if (path == NcclPath::dis && in_series(version, 12, 17)) return std::nullopt;
  return path;
}

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
