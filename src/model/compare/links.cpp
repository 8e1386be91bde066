// PCIe links: one difference per link, whichever of its ends said so, with the rate before and
// after.
#include "model/compare/sides.h"
#include "model/field_lists.h"
#include "model/power.h"

namespace railgauge::model::comparing {
namespace {

const Link* link_above(const Machine& machine, DeviceId id) {
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::pcie && link.a == id) return &link;
  return nullptr;
}

std::string shape(const Link& link, bool possible) {
  const auto& width = possible ? link.width_possible : link.width;
  const auto& speed = possible ? link.speed_possible : link.speed;
  std::string out;
  if (width) out = "x" + std::to_string(*width);
  if (speed) out += (out.empty() ? "" : " ") + speed->text();
  return out;
}

std::string with_rate(std::string words, const Reading<BytesPerSecond>& rate) {
  return rate ? words + " (" + railgauge::text(*rate) + ")" : words;
}

template <class T>
int direction(const Verdict<T>& verdict) {
  if (verdict.before == nullptr || verdict.after == nullptr) return 0;
  return verdict.after->value < verdict.before->value ? -1 : 1;
}

class LinkComparison {
 public:
  LinkComparison(Sides& sides, DeviceId id, const Link& was, const Link& is)
      : sides_(sides), id_(id), was_(was), is_(is) {}

  void as_found() {
    const auto width = sides_.evidence.judge(was_.width, is_.width, "link_width");
    const auto speed = sides_.evidence.judge(was_.speed, is_.speed, "link_speed");
    if (!width.differs() && !speed.differs()) return;
    Difference out = about(false);
    out.key = width.differs() ? "link_width" : "link_speed";
    if (width.before != nullptr) out.before_source = width.before->source;
    if (width.after != nullptr) out.after_source = width.after->source;
    const Device& device = sides_.before[id_];
    const bool idle = saves_power(device) || saves_power(sides_.after[*sides_.match.after(id_)]);
    if (!width.differs() && idle) out.topic = Topic::activity;
    const int change = direction(width) != 0 ? direction(width) : direction(speed);
    const bool gone = is_.width && *is_.width == 0;
    out.weight = gone ? weight_lost : change < 0 ? weight_slower : weight_setting;
    const char* verb = width.differs() ? (change < 0 ? " narrowed" : " widened")
                                       : (change < 0 ? " slowed down" : " sped up");
    out.text = "link of " + out.subject + (change == 0 ? " changed" : verb) + " from " +
               with_rate(out.before, was_.as_found) + " to " + with_rate(out.after, is_.as_found);
    sides_.say(std::move(out));
  }

  void possible() {
    const auto width =
        sides_.evidence.judge(was_.width_possible, is_.width_possible, "possible_width");
    const auto speed =
        sides_.evidence.judge(was_.speed_possible, is_.speed_possible, "possible_speed");
    if (!width.differs() && !speed.differs()) return;
    Difference out = about(true);
    out.key = "link_possible";
    out.text = "link of " + out.subject + " can do " + with_rate(out.after, is_.nominal) +
               "; it could do " + with_rate(out.before, was_.nominal);
    sides_.say(std::move(out));
  }

 private:
  Difference about(bool possible) const {
    Difference out;
    out.topic = Topic::link;
    out.subject = sides_.label(id_);
    out.before = shape(was_, possible);
    out.after = shape(is_, possible);
    out.before_source = possible ? was_.speed_possible.source() : was_.speed.source();
    out.after_source = possible ? is_.speed_possible.source() : is_.speed.source();
    out.weight = weight_setting;
    return out;
  }

  Sides& sides_;
  DeviceId id_;
  const Link& was_;
  const Link& is_;
};

}  // namespace

void compare_links(Sides& sides) {
  std::vector<const Link*> after(sides.after.devices.size());
  for (const Link& link : sides.after.links)
    if (link.kind == LinkKind::pcie && after[link.a.value] == nullptr) after[link.a.value] = &link;
  for (const Link& was : sides.before.links) {
    if (was.kind != LinkKind::pcie) continue;
    const auto same = sides.match.after(was.a);
    if (!same || after[same->value] == nullptr) continue;
    LinkComparison comparison(sides, was.a, was, *after[same->value]);
    comparison.as_found();
    comparison.possible();
  }
  // An end without a link in the tree has only its own words.
  for (const DeviceId id : sides.before.all()) {
    const auto same = sides.match.after(id);
    const auto& was = sides.before[id].pci;
    if (!same || !was || !sides.after[*same].pci) continue;
    if (sides.before[id].parent || sides.after[*same].parent) continue;
    if (link_above(sides.before, id) || link_above(sides.after, *same)) continue;
    each_field<LinkEnd>([&](const auto& field) {
      const auto verdict =
          sides.evidence.judge(was->link.*field.member, sides.after[*same].pci->link.*field.member);
      if (verdict.differs())
        sides.say(fact_difference(sides.label(id), field.key, field.topic, verdict));
    });
  }
}

}  // namespace railgauge::model::comparing
