// A recording's paths and refusals, folded into lines that people can read.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/strings.h"
#include "model/pci.h"
#include "observe/record/capture.h"

namespace railgauge::observe {
namespace {

// More leaf names of one directory are counted, not listed.
constexpr std::size_t most_leaves = 12;

// "mlx5_0" is "mlx5_N", "0000:18:00.0" is "ADDRESS".
std::string without_numbers(std::string_view part) {
  if (model::PciAddress::parse(part)) return "ADDRESS";
  std::string out;
  for (const char c : part) {
    const bool digit = c >= '0' && c <= '9';
    if (!digit)
      out += c;
    else if (out.empty() || out.back() != 'N')
      out += 'N';
  }
  return out;
}

// A chain of bridges of any depth is one "…".
std::string directory_pattern(std::string_view path) {
  std::string out;
  std::string last;
  for (const auto part : split(path, '/')) {
    std::string word = without_numbers(part);
    if (word.starts_with("pci") && part.size() > 3 && contains(part, ":")) word = "…";
    if (word == "ADDRESS" && (last == "ADDRESS" || last == "…")) {
      if (last == "…") out += "/ADDRESS";
      last = "ADDRESS";
      continue;
    }
    if (!out.empty()) out += '/';
    out += word;
    last = std::move(word);
  }
  return out;
}

struct Folding {
  std::set<std::string> leaves;
  PathGroup group;
};

std::string leaves_text(const std::set<std::string>& leaves) {
  if (leaves.size() == 1) return *leaves.begin();
  std::string out = "{";
  std::size_t count = 0;
  for (const std::string& leaf : leaves) {
    if (count == most_leaves) {
      out += fmt::format(", and {} more", leaves.size() - count);
      break;
    }
    out += (count++ == 0 ? "" : ", ") + leaf;
  }
  return out + "}";
}

bool for_want_of_rights(std::string_view why) {
  return contains(why, "Permission denied") || contains(why, "Operation not permitted") ||
         contains(why, "only root");
}

// Without root the kernel gives the first 64 bytes of configuration space: no capability.
constexpr std::size_t header_bytes = 64;

}  // namespace

std::vector<PathGroup> folded_paths(const Recording& recording) {
  std::map<std::string, Folding> folded;
  for (const auto& [path, entry] : recording.entries) {
    const auto slash = path.rfind('/');
    const bool top = slash == std::string::npos;
    Folding& folding = folded[top ? std::string() : directory_pattern(path.substr(0, slash))];
    folding.leaves.insert(without_numbers(top ? path : path.substr(slash + 1)));
    ++folding.group.entries;
    folding.group.bytes += entry.bytes.size();
    if (entry.kind == Entry::Kind::refused) ++folding.group.refused;
  }
  std::vector<PathGroup> groups;
  for (auto& [directory, folding] : folded) {
    folding.group.pattern =
        (directory.empty() ? "" : directory + "/") + leaves_text(folding.leaves);
    groups.push_back(std::move(folding.group));
  }
  return groups;
}

std::vector<std::string> what_root_would_add(const Recording& recording) {
  std::vector<std::string> lines;
  if (recording.manifest.as_root) return lines;
  std::size_t headers = 0;
  std::map<std::string, std::size_t> refused;
  for (const auto& [path, entry] : recording.entries) {
    if (path.ends_with("/config") && entry.bytes.size() == header_bytes) ++headers;
    if (entry.kind == Entry::Kind::refused && for_want_of_rights(entry.bytes))
      ++refused[directory_pattern(path)];
  }
  if (headers > 0)
    lines.push_back(fmt::format(
        "PCI capabilities of {} functions: ACS, ASPM, AER status, read request size", headers));
  for (const auto& [pattern, count] : refused)
    lines.push_back(count == 1 ? pattern : fmt::format("{} ({} of them)", pattern, count));
  return lines;
}

}  // namespace railgauge::observe
