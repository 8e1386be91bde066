#include "observe/nccl_xml/nccl_vocabulary.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using Words = std::string_view;  // blank-separated

struct Tag {
  std::string_view name;
  Words parents;
  Words attributes;
};

// Source: graph/xml.cc and graph/topo.cc of NCCL 2.6 to 2.30; gcn, arch and xgmi from RCCL.
constexpr std::array<Tag, 10> tags{{
    {"system", "", "version"},
    {"cpu", "system", "numaid affinity arch vendor familyid modelid host_hash"},
    {"pci", "cpu pci",
     "busid class vendor device subsystem_vendor subsystem_device link_speed link_width"},
    {"gpu", "pci", "dev sm rank gdr mlopart gcn arch"},
    {"nic", "pci cpu", ""},
    {"net", "nic", "name dev speed port latency guid maxconn gdr coll keep net gin rma rail plane"},
    {"nvlink", "gpu", "target count tclass"},
    {"xgmi", "gpu", "target count tclass"},
    {"c2c", "gpu", "bw count"},
    {"pcilink", "pci", "target"},
}};

bool among(Words words, std::string_view word) {
  const auto list = split_blank(words);
  return std::find(list.begin(), list.end(), word) != list.end();
}

// "; did you mean \"familyid\"?" where one of the words is two edits away at most.
std::string suggestion(const std::vector<std::string_view>& words, std::string_view word) {
  if (word.size() > 40) return {};
  std::string_view best;
  std::size_t least = 3;
  for (const std::string_view candidate : words) {
    const std::size_t distance = edit_distance(candidate, word);
    if (distance < least && distance < candidate.size()) {
      least = distance;
      best = candidate;
    }
  }
  return best.empty() ? std::string{} : fmt::format("; did you mean \"{}\"?", best);
}

void unknown_tag(NcclContext& context, pugi::xml_node node) {
  std::vector<std::string_view> names;
  for (const Tag& tag : tags) names.push_back(tag.name);
  context.fault(node, "unknown-tag",
                fmt::format("<{}> is not a tag of NCCL topology files; passed over with all "
                            "inside it{}",
                            valid_utf8(node.name()), suggestion(names, node.name())));
}

}  // namespace

bool check_vocabulary(NcclContext& context, pugi::xml_node node) {
  const std::string_view name = node.name();
  const auto* tag =
      std::find_if(tags.begin(), tags.end(), [&](const Tag& t) { return t.name == name; });
  if (tag == tags.end()) {
    unknown_tag(context, node);
    return false;
  }
  const std::string_view parent = node.parent().name();
  if (name != "system" && !among(tag->parents, parent))
    context.fault(node, "unknown-tag",
                  fmt::format("<{}> stands inside <{}>; NCCL expects it inside <{}>", name, parent,
                              fmt::join(split_blank(tag->parents), "> or <")));
  for (const pugi::xml_attribute a : node.attributes()) {
    if (among(tag->attributes, a.name())) continue;
    context.fault(
        node, "unknown-attribute",
        fmt::format("<{}> has no attribute \"{}\" (here {}){}", name, valid_utf8(a.name()),
                    quoted(a.value()), suggestion(split_blank(tag->attributes), a.name())));
  }
  return true;
}

}  // namespace railgauge::observe
