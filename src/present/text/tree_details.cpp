// What is known of GPUs and adapters beside their place: health, firmware, GIDs. GPU health that is
// not well is always said; the rest when asked for, or when there is no tree to draw.
#include <fmt/format.h>

#include <algorithm>

#include "model/compare/value_words.h"
#include "model/field_lists.h"
#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::Topic;
using model::comparing::fact_name;
using model::comparing::value_words;

constexpr std::size_t name_columns = 14;

// The tree's own row says these.
bool in_row(Topic topic) {
  return topic == Topic::inventory || topic == Topic::placement || topic == Topic::link;
}

template <class Owner>
void add_facts(std::vector<Span>& out, const Owner& owner) {
  model::each_field<Owner>([&](const auto& field) {
    const auto& fact = owner.*field.member;
    if (in_row(field.topic) || !fact.known()) return;
    out.push_back({fact_name(field.key) + " " + clean(value_words(field.key, *fact))});
  });
}

void write_phrases(TreeContext& tree, const std::string& name, const std::vector<Span>& phrases) {
  if (!phrases.empty())
    tree.page.flow({{padded(name, name_columns)}}, {{std::string(name_columns, ' ')}}, phrases);
}

void write_gids(TreeContext& tree, const model::NicPort& port) {
  for (const model::Gid& gid : port.gids) {
    std::vector<Span> phrases{{fmt::format("GID {}", gid.index)}};
    if (gid.gid.known()) phrases.push_back({clean(*gid.gid)});
    if (gid.type.known()) phrases.push_back({clean(*gid.type)});
    if (gid.netdev.known()) phrases.push_back({clean(*gid.netdev), Ink::dim});
    write_phrases(tree, "", phrases);
  }
}

// Whether anything but what the tree's row says is known of it.
bool has_details(const Device& device) {
  std::vector<Span> phrases;
  if (device.gpu) add_facts(phrases, *device.gpu);
  if (!device.nic) return !phrases.empty();
  add_facts(phrases, *device.nic);
  for (const model::NicPort& port : device.nic->ports) {
    if (!port.gids.empty()) return true;
    add_facts(phrases, port);
  }
  return !phrases.empty();
}

void write_device(TreeContext& tree, model::DeviceId id) {
  const Device& device = tree.machine[id];
  std::vector<Span> phrases;
  if (device.gpu) add_facts(phrases, *device.gpu);
  if (device.nic) add_facts(phrases, *device.nic);
  write_phrases(tree, id_of(tree.machine, id), phrases);
  if (!device.nic) return;
  for (const model::NicPort& port : device.nic->ports) {
    phrases.clear();
    add_facts(phrases, port);
    write_phrases(tree, fmt::format("  port {}", port.number), phrases);
    write_gids(tree, port);
  }
}

// What of a GPU's health is not as it should be.
std::vector<Span> not_well(const model::GpuFacts& gpu) {
  std::vector<Span> out;
  const auto say = [&](bool bad, std::string words) {
    if (bad) out.push_back({std::move(words), Ink::red});
  };
  say(gpu.reset_required.value_or(false), "needs a reset");
  say(gpu.remapping_failed.value_or(false), "a memory row could not be remapped");
  say(gpu.remapping_pending.value_or(false), "a remapped memory row waits for a reset");
  if (gpu.recovery_action && *gpu.recovery_action != "none")
    say(true, "recovery action: " + clean(*gpu.recovery_action));
  if (gpu.fabric_state && *gpu.fabric_state != "completed" && *gpu.fabric_state != "not_supported")
    say(true, "NVLink fabric " + clean(*gpu.fabric_state));
  if (!gpu.throttle_reasons) return out;
  for (const std::string& reason : *gpu.throttle_reasons)
    say(reason.find("thermal") != std::string::npos || reason.find("hw_") == 0 ||
            reason.find("brake") != std::string::npos,
        "throttled: " + clean(reason));
  return out;
}

}  // namespace

void write_details(TreeContext& tree) {
  const model::Machine& machine = tree.machine;
  bool headed = false;
  const auto head = [&](const char* word) {
    if (!headed) {
      tree.page.blank();
      tree.page.add({{word, Ink::bold}});
    }
    headed = true;
  };
  for (const model::DeviceId id : machine.of_kind(model::DeviceKind::gpu)) {
    if (!machine[id].gpu) continue;
    const auto said = not_well(*machine[id].gpu);
    if (said.empty()) continue;
    head("health");
    write_phrases(tree, id_of(machine, id), said);
  }
  const bool drawn = !machine.of_kind(model::DeviceKind::numa_node).empty() ||
                     !machine.of_kind(model::DeviceKind::package).empty();
  if (!tree.page.style().verbose && drawn) return;
  headed = false;
  for (const model::DeviceId id : machine.all()) {
    const Device& device = machine[id];
    if (!has_details(device)) continue;
    head("details");
    write_device(tree, id);
  }
}

}  // namespace railgauge::present
