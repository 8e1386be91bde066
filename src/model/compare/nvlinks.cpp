// NVLinks: which of a GPU's links are up, and the bonds between GPUs where only a matrix speaks.
#include <algorithm>
#include <map>

#include "model/compare/sides.h"
#include "model/power.h"

namespace railgauge::model::comparing {
namespace {

struct Ports {
  std::map<int, const NvLinkPort*> up;
  std::size_t known = 0;
  SourceRef source;
};

Ports ports_of(const GpuFacts& gpu) {
  Ports out;
  for (const NvLinkPort& port : gpu.nvlinks) {
    if (!port.active) continue;
    ++out.known;
    if (out.source.index == 0) out.source = port.active.source();
    if (*port.active) out.up.emplace(port.number, &port);
  }
  return out;
}

std::string numbers_words(const std::vector<int>& numbers) {
  std::vector<std::string> words;
  for (const int number : numbers) words.push_back(std::to_string(number));
  return (numbers.size() == 1 ? "link " : "links ") + list_words(words, 8);
}

std::vector<int> missing_in(const Ports& all, const Ports& other) {
  std::vector<int> out;
  for (const auto& [number, port] : all.up)
    if (!other.up.contains(number)) out.push_back(number);
  return out;
}

void compare_active(Sides& sides, DeviceId id, const Ports& was, const Ports& is) {
  const auto down = missing_in(was, is);
  const auto up = missing_in(is, was);
  if (down.empty() && up.empty()) return;
  Difference out;
  out.topic = Topic::link;
  out.subject = sides.label(id);
  out.key = "nvlinks";
  out.before = std::to_string(was.up.size());
  out.after = std::to_string(is.up.size());
  out.before_source = was.source;
  out.after_source = is.source;
  out.weight = is.up.size() < was.up.size() ? weight_lost : weight_setting;
  out.text = "NVLinks of " + out.subject + " that are up: " + out.before + " before, " + out.after +
             " now";
  if (!down.empty())
    out.text += "; " + numbers_words(down) + (down.size() == 1 ? " is" : " are") + " down";
  if (!up.empty()) out.text += "; " + numbers_words(up) + " came up";
  sides.say(std::move(out));
}

// The same device at the far end, wherever bus numbers went.
bool same_far_end(const Sides& sides, const PciAddress& was, const PciAddress& is) {
  if (was == is) return true;
  const auto before = sides.before.at(was);
  const auto after = sides.after.at(is);
  if (!before || !after) return false;
  const auto same = sides.match.after(*before);
  return same && *same == *after;
}

// Version, rate and far end of the ports that are up on both sides; each told once per GPU.
void compare_port_facts(Sides& sides, DeviceId id, const Ports& was, const Ports& is, bool idle) {
  std::optional<Difference> version, rate, remote;
  std::vector<int> version_of, rate_of, remote_of;
  const std::string label = sides.label(id);
  for (const auto& [number, port] : was.up) {
    const auto now = is.up.find(number);
    if (now == is.up.end()) continue;
    const NvLinkPort& then = *port;
    const auto keep = [&, at = number](std::optional<Difference>& into, std::vector<int>& numbers,
                                       const char* key, Topic topic, const auto& verdict) {
      if (!verdict.differs()) return;
      numbers.push_back(at);
      if (!into) into = fact_difference("the NVLinks of " + label, key, topic, verdict);
    };
    keep(version, version_of, "version", Topic::link,
         sides.evidence.judge(then.version, now->second->version));
    keep(rate, rate_of, "rate_bytes_per_second", idle ? Topic::activity : Topic::link,
         sides.evidence.judge(then.rate, now->second->rate));
    const auto far = sides.evidence.judge(then.remote, now->second->remote);
    if (far.before && far.after && same_far_end(sides, far.before->value, far.after->value))
      continue;
    keep(remote, remote_of, "remote", Topic::link, far);
  }
  const auto tell = [&](std::optional<Difference>& one, const std::vector<int>& numbers) {
    if (!one) return;
    one->subject = label;
    one->text += " (" + numbers_words(numbers) + ")";
    sides.say(std::move(*one));
  };
  tell(version, version_of);
  tell(rate, rate_of);
  tell(remote, remote_of);
}

bool is_bond(const Link& link) {
  return link.kind == LinkKind::nvlink || link.kind == LinkKind::xgmi || link.kind == LinkKind::c2c;
}

bool has_ports(const Machine& machine, DeviceId id) {
  return machine[id].gpu && !machine[id].gpu->nvlinks.empty();
}

const Link* bond(const Machine& machine, DeviceId a, DeviceId b) {
  for (const Link& link : machine.links)
    if (is_bond(link) && ((link.a == a && link.b == b) || (link.a == b && link.b == a)))
      return &link;
  return nullptr;
}

void say_bond(Sides& sides, DeviceId a, DeviceId b, const Link* was, const Link* is) {
  if (was != nullptr && is != nullptr && !sides.evidence.judge(was->width, is->width).differs())
    return;
  // A bond that the other side does not have counts only where its source was read.
  if (was == nullptr && (sides.before.nvlink_hidden || !sides.evidence.lacking(true, is->source)))
    return;
  if (is == nullptr && (sides.after.nvlink_hidden || !sides.evidence.lacking(false, was->source)))
    return;
  Difference out;
  out.topic = Topic::link;
  out.subject = sides.before[a].id + " and " + sides.before[b].id;
  out.key = "nvlinks";
  const auto count = [](const Link* link) { return link ? link->width.value_or(0) : 0; };
  out.before = std::to_string(count(was));
  out.after = std::to_string(count(is));
  if (was) out.before_source = was->source;
  if (is) out.after_source = is->source;
  out.weight = count(is) < count(was) ? weight_lost : weight_setting;
  const std::string kind = (was ? was : is)->kind == LinkKind::nvlink ? "NVLinks" : "links";
  out.text =
      kind + " between " + out.subject + ": " + out.before + " before, " + out.after + " now";
  sides.say(std::move(out));
}

// Bonds of GPUs whose ports nobody listed.
void compare_bonds(Sides& sides) {
  for (const Link& was : sides.before.links) {
    if (!is_bond(was) || has_ports(sides.before, was.a) || has_ports(sides.before, was.b)) continue;
    const auto a = sides.match.after(was.a);
    const auto b = sides.match.after(was.b);
    if (!a || !b || has_ports(sides.after, *a) || has_ports(sides.after, *b)) continue;
    say_bond(sides, was.a, was.b, &was, bond(sides.after, *a, *b));
  }
  for (const Link& is : sides.after.links) {
    if (!is_bond(is) || has_ports(sides.after, is.a) || has_ports(sides.after, is.b)) continue;
    const auto a = sides.match.before(is.a);
    const auto b = sides.match.before(is.b);
    if (!a || !b || has_ports(sides.before, *a) || has_ports(sides.before, *b)) continue;
    if (bond(sides.before, *a, *b) == nullptr) say_bond(sides, *a, *b, nullptr, &is);
  }
}

}  // namespace

void compare_nvlinks(Sides& sides) {
  for (const DeviceId id : sides.before.of_kind(DeviceKind::gpu)) {
    const auto same = sides.match.after(id);
    if (!same || !sides.after[*same].gpu || !sides.before[id].gpu) continue;
    const Ports was = ports_of(*sides.before[id].gpu);
    const Ports is = ports_of(*sides.after[*same].gpu);
    const bool before_only = is.known == 0 && was.known > 0;
    const bool after_only = was.known == 0 && is.known > 0;
    if (before_only && !sides.evidence.lacking(false, was.source)) continue;
    if (after_only && !sides.evidence.lacking(true, is.source)) continue;
    compare_active(sides, id, was, is);
    compare_port_facts(sides, id, was, is,
                       saves_power(sides.before[id]) || saves_power(sides.after[*same]));
  }
  compare_bonds(sides);
}

}  // namespace railgauge::model::comparing
