// Devices that are gone or new. What hangs below a device that went, went with it: one difference
// says how many. Places that settle() made are consequences and are not spoken of.
#include <algorithm>
#include <array>
#include <functional>
#include <optional>

#include "model/compare/sides.h"

namespace railgauge::model::comparing {
namespace {

bool is_endpoint(DeviceKind kind) {
  return kind == DeviceKind::gpu || kind == DeviceKind::nic || kind == DeviceKind::nvme ||
         kind == DeviceKind::nvswitch;
}

std::string count_word(DeviceKind kind, std::size_t count) {
  static constexpr std::array<std::pair<DeviceKind, std::pair<const char*, const char*>>, 4> words{
      {{DeviceKind::gpu, {"GPU", "GPUs"}},
       {DeviceKind::nic, {"NIC", "NICs"}},
       {DeviceKind::nvme, {"drive", "drives"}},
       {DeviceKind::nvswitch, {"NVSwitch", "NVSwitches"}}}};
  for (const auto& [known, word] : words)
    if (known == kind) return std::to_string(count) + " " + (count == 1 ? word.first : word.second);
  return std::to_string(count) + (count == 1 ? " other function" : " other functions");
}

// One side's devices that the other side lacks.
class Missing {
 public:
  Missing(Sides& sides, bool on_after)
      : sides_(sides),
        on_after_(on_after),
        machine_(on_after ? sides.after : sides.before),
        missing_(machine_.devices.size()) {
    for (const DeviceId id : machine_.all()) missing_[id.value] = is_missing(id);
    children_.resize(machine_.devices.size());
    for (const DeviceId id : machine_.all())
      if (missing_[id.value] && machine_[id].parent)
        children_[machine_[id].parent->value].push_back(id);
  }

  void say() {
    for (const DeviceId id : machine_.all())
      if (missing_[id.value] && !has_missing_parent(id)) say_top(id);
  }

 private:
  bool is_missing(DeviceId id) {
    const bool matched = on_after_ ? bool(sides_.match.before(id)) : bool(sides_.match.after(id));
    if (matched || !sides_.evidence.stated(on_after_, machine_[id].seen_in)) return false;
    return sides_.evidence.lacking(on_after_, machine_[id].seen_in);
  }

  bool has_missing_parent(DeviceId id) const {
    const auto parent = machine_[id].parent;
    return parent && missing_[parent->value];
  }

  std::vector<DeviceId> below(DeviceId top) const {
    std::vector<DeviceId> out{top};
    for (std::size_t i = 0; i < out.size() && out.size() <= machine_.devices.size(); ++i)
      out.insert(out.end(), children_[out[i].value].begin(), children_[out[i].value].end());
    out.erase(out.begin());
    return out;
  }

  void say_top(DeviceId top) {
    const auto all = below(top);
    std::vector<DeviceId> endpoints;
    for (const DeviceId id : all)
      if (is_endpoint(machine_[id].kind)) endpoints.push_back(id);
    // A port that came or went with the one thing in it: the thing is what matters.
    const bool is_slot = !is_endpoint(machine_[top].kind) && endpoints.size() == 1;
    const DeviceId subject = is_slot ? endpoints.front() : top;
    Difference out;
    out.topic = Topic::inventory;
    out.kind = on_after_ ? Change::added : Change::gone;
    out.subject = Sides::label_of(machine_, subject);
    out.key = "device";
    (on_after_ ? out.after : out.before) = words_of(subject);
    (on_after_ ? out.after_source : out.before_source) = machine_[subject].seen_in;
    out.weight =
        is_endpoint(machine_[subject].kind) || !endpoints.empty() ? weight_lost : weight_detail;
    out.text = out.subject + (on_after_ ? " is new" : " is gone");
    if (!is_slot && !all.empty()) out.text += ", and with it " + with_it(all);
    if (machine_[subject].kind == DeviceKind::gpu && machine_[subject].name)
      out.text += ": " + *machine_[subject].name;
    sides_.say(std::move(out));
  }

  std::string words_of(DeviceId id) const {
    const Device& device = machine_[id];
    return device.name ? *device.name : std::string(model::text(device.kind));
  }

  std::string with_it(const std::vector<DeviceId>& all) const {
    std::vector<std::string> parts;
    std::size_t others = all.size();
    for (const DeviceKind kind :
         {DeviceKind::gpu, DeviceKind::nic, DeviceKind::nvme, DeviceKind::nvswitch}) {
      const auto count = static_cast<std::size_t>(std::count_if(
          all.begin(), all.end(), [&](DeviceId id) { return machine_[id].kind == kind; }));
      others -= count;
      if (count > 0) parts.push_back(count_word(kind, count));
    }
    if (others > 0) parts.push_back(count_word(DeviceKind::other, others));
    return list_words(parts, parts.size());
  }

  Sides& sides_;
  bool on_after_;
  const Machine& machine_;
  std::vector<bool> missing_;
  std::vector<std::vector<DeviceId>> children_;
};

}  // namespace

void compare_presence(Sides& sides) {
  Missing(sides, false).say();
  Missing(sides, true).say();
}

}  // namespace railgauge::model::comparing
