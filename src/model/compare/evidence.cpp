#include "model/compare/evidence.h"

#include <algorithm>

#include "model/compare/value_words.h"

namespace railgauge::model::comparing {
namespace {

constexpr std::string_view config_space = "PCI configuration space";
constexpr std::string_view kernel_log = "the kernel log";

// Names under which our own rules and tables appear as sources.
bool is_ours(std::string_view name) {
  for (const std::string_view start :
       {"inferred", "catalogue: ", "joined by ", "data/boards", "data/pci_names", "unknown source"})
    if (name.starts_with(start)) return true;
  return name.ends_with("pci.ids");
}

std::string_view first_parts(std::string_view path, int parts) {
  std::size_t end = 0;
  for (int i = 0; i < parts && end != std::string_view::npos; ++i) end = path.find('/', end + 1);
  return path.substr(0, end);
}

// Empty for a loose text, which has no family but its own name.
std::string recorded_family(std::string_view name) {
  if (name.starts_with("samples/")) {
    const auto below = name.find('/', std::string_view("samples/").size());
    name = below == std::string_view::npos ? name : name.substr(below + 1);
  }
  if (name.starts_with("nvml")) return "NVML";
  if (name == "kernel.log" || name.find("dmesg") != std::string_view::npos)
    return std::string(kernel_log);
  if (name.starts_with("ethtool/")) return "ethtool";
  // A library's path may hold its version, which is what is compared.
  for (const std::string_view start : {"usr/", "opt/", "lib/", "lib64/"})
    if (name.starts_with(start)) return "library files";
  for (const std::string_view start : {"system/", "etc/", "environment."})
    if (name.starts_with(start)) return std::string(name);
  if (name.starts_with("sys/") || name == "sysfs")
    return std::string(name.ends_with("/config") ? config_space : "sysfs");
  if (name.starts_with("proc/sys/")) return "sysctl";
  if (name.starts_with("proc/")) return std::string(first_parts(name, 2));
  if (name.starts_with("commands/")) {
    name.remove_prefix(std::string_view("commands/").size());
    return std::string(name.substr(0, name.rfind('.')));
  }
  if (name == "hwloc.xml") return "hwloc";
  if (name.starts_with("inputs/")) return std::string(name);
  if (name.starts_with("data/machines")) return "the known machine";
  return {};
}

std::string base_name(std::string_view name) {
  return std::string(
      name.substr(name.rfind('/') == std::string_view::npos ? 0 : name.rfind('/') + 1));
}

SourceRef source_at(std::size_t index) {
  return {static_cast<std::uint32_t>(index), 0, Trust::tool};
}

}  // namespace

Evidence::Evidence(const Machine& before, const Machine& after, const CompareOptions& options) {
  // One text on each side is the same kind of look at the machine, whatever the files are called,
  // unless it is known that different tools wrote them.
  const auto& a = options.before_texts;
  const auto& b = options.after_texts;
  const bool alike = a.empty() || b.empty() || std::any_of(a.begin(), a.end(), [&](auto& kind) {
                       return std::find(b.begin(), b.end(), kind) != b.end();
                     });
  const std::string same = "the text that was given";
  survey(before_, before, alike ? same : list_words(a, 3));
  survey(after_, after, alike ? same : list_words(b, 3));
  // Said whatever else differs: a log that one side could not read hides what matters most.
  if (!before.taken || !after.taken || before.taken->as_root == after.taken->as_root) return;
  for (const std::string_view which : {config_space, kernel_log})
    hidden_.insert(intern(std::string(which)));
}

int Evidence::intern(const std::string& family) {
  const auto at = std::find(names_.begin(), names_.end(), family);
  const auto number = static_cast<int>(at - names_.begin());
  if (at == names_.end()) names_.push_back(family);
  return number;
}

void Evidence::survey(Side& side, const Machine& machine, const std::string& one_text) {
  side.taken = machine.taken;
  std::vector<std::size_t> loose;
  side.family_of.resize(machine.sources.size(), -1);
  for (std::size_t i = 1; i < machine.sources.size(); ++i) {
    const std::string_view name = machine.sources.name(source_at(i));
    if (is_ours(name)) continue;
    const std::string family = recorded_family(name);
    if (family.empty())
      loose.push_back(i);
    else
      side.family_of[i] = intern(family);
  }
  for (const std::size_t i : loose)
    side.family_of[i] =
        intern(loose.size() == 1 ? one_text : base_name(machine.sources.name(source_at(i))));
  for (const int family : side.family_of)
    if (family >= 0) side.read.insert(family);
}

bool Evidence::stated(bool on_after, SourceRef source) const {
  return source.trust > Trust::inferred && family(on_after, source) >= 0;
}

int Evidence::family(bool on_after, SourceRef source) const {
  const auto& families = side(on_after).family_of;
  return source.index < families.size() ? families[source.index] : -1;
}

bool Evidence::read(bool on_after, int family) const {
  return side(on_after).read.contains(family);
}

bool Evidence::share_a_source() const {
  return std::any_of(before_.read.begin(), before_.read.end(),
                     [this](int family) { return after_.read.contains(family); });
}

std::size_t Evidence::compared_facts() const {
  std::size_t sum = 0;
  for (const auto& [name, count] : compared_) sum += count;
  return sum;
}

std::string Evidence::compared_words() const {
  constexpr std::size_t most_named = 6;
  std::vector<std::string> words;
  for (const auto& [name, count] : compared_)
    words.push_back(name + " (" + std::to_string(count) + ")");
  return list_words(words, most_named);
}

std::string Evidence::holds(bool on_after) const {
  std::vector<std::string> names;
  for (const int family : side(on_after).read) names.push_back(name(family));
  return names.empty() ? "nothing" : list_words(names, 4);
}

bool Evidence::needs_root(int family) const {
  return name(family) == config_space || name(family) == kernel_log;
}

bool Evidence::lacking(bool on_after, SourceRef source) {
  const int which = family(on_after, source);
  if (which < 0) return false;
  const auto& here = side(on_after).taken;
  const auto& there = side(!on_after).taken;
  if (here && there && here->as_root != there->as_root && needs_root(which)) {
    hidden_.insert(which);
    return false;
  }
  const bool same_version = !here || !there || here->tool == there->tool;
  if (read(!on_after, which) && same_version) return true;
  ++only_[{on_after, which}];
  return false;
}

bool Evidence::lacking_in_list(bool on_after, SourceRef source) {
  const int which = family(on_after, source);
  const auto& here = side(on_after).taken;
  const auto& there = side(!on_after).taken;
  if (which < 0 || read(!on_after, which) || !here || !there || here->tool != there->tool)
    return lacking(on_after, source);
  if (!needs_root(which) || here->as_root == there->as_root) return true;
  hidden_.insert(which);
  return false;
}

std::vector<NotCompared> Evidence::not_compared() const {
  std::vector<NotCompared> out;
  if (!hidden_.empty()) {
    std::string what;
    for (const int which : hidden_)
      what +=
          (what.empty() ? "" : " and ") +
          (name(which) == config_space ? std::string("PCI capabilities (ACS, ASPM, payload sizes)")
                                       : name(which));
    out.push_back({what, "only one side was made as root"});
  }
  for (const auto& [key, count] : only_) {
    const bool elsewhere = read(!key.first, key.second);
    out.push_back(
        {std::to_string(count) + (count == 1 ? " fact of " : " facts of ") + name(key.second),
         std::string("only in ") + (key.first ? "after" : "before") +
             (elsewhere ? ", and the two were made by different versions" : "")});
  }
  for (const auto& [key, count] : refused_)
    out.push_back(
        {std::to_string(count) + (count == 1 ? " fact" : " facts"),
         std::string("not readable ") + (key.first ? "after: " : "before: ") + key.second});
  for (const auto& [key, count] : other_words_)
    out.push_back(
        {std::to_string(count) + (count == 1 ? " text" : " texts"),
         "worded by " + name(key.first) + " before and by " + name(key.second) + " after"});
  return out;
}

}  // namespace railgauge::model::comparing
