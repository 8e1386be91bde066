// Where devices sit: addresses, what is above them, and the order in which CUDA counts GPUs.
#include <algorithm>

#include "model/compare/sides.h"

namespace railgauge::model::comparing {
namespace {

bool is_endpoint(DeviceKind kind) { return kind == DeviceKind::gpu || kind == DeviceKind::nic; }

Difference moved(Sides& sides, DeviceId before, DeviceId after) {
  const Device& was = sides.before[before];
  const Device& is = sides.after[after];
  Difference out;
  out.topic = Topic::placement;
  out.kind = Change::moved;
  out.subject = sides.label(before);
  out.key = "pci_address";
  out.before = was.address->text();
  out.after = is.address->text();
  out.before_source = was.address.source();
  out.after_source = is.address.source();
  out.weight = weight_slower;
  out.text = was.id + " moved from " + out.before + " to " + out.after;
  out.subject = was.id;
  return out;
}

// Bus numbers move together when one bus more is found; one sentence says so.
void say_moves(Sides& sides, std::vector<Difference> moves) {
  constexpr std::size_t told_singly = 4;
  if (moves.size() <= told_singly) {
    for (Difference& move : moves) sides.say(std::move(move));
    return;
  }
  Difference all = moves.front();
  std::vector<std::string> each;
  std::vector<std::string> names;
  for (const Difference& move : moves) {
    each.push_back(move.subject + " " + move.before + " → " + move.after);
    names.push_back(move.subject);
  }
  all.subject = list_words(names, names.size());
  all.before.clear();
  all.after.clear();
  all.text = std::to_string(moves.size()) +
             " devices are at other PCI addresses: " + list_words(each, each.size());
  sides.say(std::move(all));
}

void compare_parents(Sides& sides, DeviceId before, DeviceId after) {
  const Device& was = sides.before[before];
  const Device& is = sides.after[after];
  if (!was.parent || !is.parent || !sides.evidence.stated(false, was.parent_source) ||
      !sides.evidence.stated(true, is.parent_source))
    return;
  const auto same = sides.match.after(*was.parent);
  if (!same || *same == *is.parent || !sides.match.before(*is.parent)) return;
  Difference out;
  out.topic = Topic::placement;
  out.kind = Change::moved;
  out.subject = sides.label(before);
  out.key = "parent";
  out.before = sides.label(*was.parent);
  out.after = Sides::label_of(sides.after, *is.parent);
  out.before_source = was.parent_source;
  out.after_source = is.parent_source;
  out.weight = weight_slower;
  out.text = out.subject + " hangs below " + out.after + "; it hung below " + out.before;
  sides.say(std::move(out));
}

struct Numbered {
  int before;
  int after;
  DeviceId id;
};

// "gpu3 is gone: …, and gpu4 to gpu7 are GPU 3 to 6 now": numbers that moved up or down because a
// GPU went or came are said with it.
void say_new_numbers(Sides& sides, const std::vector<Numbered>& gpus) {
  std::vector<Numbered> shifted;
  for (const Numbered& gpu : gpus)
    if (gpu.before != gpu.after) shifted.push_back(gpu);
  auto& all = sides.out.differences;
  const auto cause = std::find_if(all.rbegin(), all.rend(), [](const Difference& one) {
    return one.topic == Topic::inventory && one.key == "device" && one.weight == weight_lost &&
           one.subject.starts_with("gpu");
  });
  if (shifted.empty() || cause == all.rend()) return;
  const Numbered& first = shifted.front();
  const Numbered& last = shifted.back();
  const bool several = shifted.size() > 1;
  cause->text += "; " + sides.before[first.id].id +
                 (several ? " to " + sides.before[last.id].id + " are GPU " : " is GPU ") +
                 std::to_string(first.after) +
                 (several ? " to " + std::to_string(last.after) : "") + " now";
}

// GPUs that both machines have, in the order of their numbers.
void compare_order(Sides& sides) {
  std::vector<Numbered> gpus;
  for (const DeviceId id : sides.before.of_kind(DeviceKind::gpu)) {
    const auto same = sides.match.after(id);
    if (!same) continue;
    const auto& was = sides.before[id].index;
    const auto& is = sides.after[*same].index;
    if (was && is && !was.inferred() && !is.inferred()) gpus.push_back({*was, *is, id});
  }
  const auto by_before = [](const Numbered& a, const Numbered& b) { return a.before < b.before; };
  const auto by_after = [](const Numbered& a, const Numbered& b) { return a.after < b.after; };
  std::sort(gpus.begin(), gpus.end(), by_before);
  if (std::is_sorted(gpus.begin(), gpus.end(), by_after)) return say_new_numbers(sides, gpus);
  std::vector<std::string> each;
  for (const Numbered& gpu : gpus)
    if (gpu.before != gpu.after)
      each.push_back(sides.label(gpu.id) + " is GPU " + std::to_string(gpu.after));
  Difference out;
  out.topic = Topic::placement;
  out.kind = Change::moved;
  out.subject = "GPUs";
  out.key = "index";
  out.before_source = sides.before[gpus.front().id].index.source();
  out.after_source = sides.after[*sides.match.after(gpus.front().id)].index.source();
  out.weight = weight_slower;
  out.text = "the order of GPUs changed: " + list_words(each, 8) + " now";
  sides.say(std::move(out));
}

}  // namespace

void compare_places(Sides& sides) {
  std::vector<Difference> moves;
  for (const DeviceId id : sides.before.all()) {
    const auto same = sides.match.after(id);
    if (!same || !is_endpoint(sides.before[id].kind)) continue;
    const auto& was = sides.before[id].address;
    const auto& is = sides.after[*same].address;
    if (was && is && *was != *is)
      moves.push_back(moved(sides, id, *same));
    else
      compare_parents(sides, id, *same);
  }
  say_moves(sides, std::move(moves));
  compare_order(sides);
}

}  // namespace railgauge::model::comparing
