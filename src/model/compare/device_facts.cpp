// Every fact of every device that both machines have, except what has a file of its own: links,
// ports, identities, addresses.
#include <algorithm>
#include <array>
#include <set>

#include "model/compare/sides.h"
#include "model/field_lists.h"

namespace railgauge::model::comparing {
namespace {

constexpr std::array<std::string_view, 6> passed_over{
    "index", "pci_address", "iommu_group", "secondary_bus", "subordinate_bus", "physical_function"};

class DeviceFacts {
 public:
  DeviceFacts(Sides& sides, DeviceId id)
      : sides_(sides),
        was_(sides.before[id]),
        is_(sides.after[*sides.match.after(id)]),
        label_(sides.label(id)) {}

  void compare() {
    fields(was_, is_);
    if (was_.pci && is_.pci) fields(*was_.pci, *is_.pci);
    if (was_.cpu && is_.cpu) fields(*was_.cpu, *is_.cpu);
    if (was_.gpu && is_.gpu) fields(*was_.gpu, *is_.gpu);
    if (was_.nic && is_.nic) fields(*was_.nic, *is_.nic);
    fold_silence(false);
    fold_silence(true);
    for (Difference& difference : found_) sides_.say(std::move(difference));
    compare_mig();
  }

 private:
  template <class Owner>
  void fields(const Owner& was, const Owner& is) {
    each_field<Owner>([&](const auto& field) {
      heard(false, was.*field.member);
      heard(true, is.*field.member);
      if (field.topic == Topic::identity || is_passed_over(field.key)) return;
      const auto verdict = sides_.evidence.judge(was.*field.member, is.*field.member, field.key);
      if (verdict.differs())
        found_.push_back(fact_difference(label_, field.key, field.topic, verdict));
    });
  }

  template <class T>
  void heard(bool on_after, const Fact<T>& fact) {
    for (const auto& claim : fact.claims())
      (on_after ? heard_after_ : heard_before_)
          .insert(sides_.evidence.family(on_after, claim.source));
  }

  // A source that says nothing of the device any more, said once instead of once per fact.
  void fold_silence(bool appeared) {
    std::map<int, std::vector<Difference>> silent;
    const auto& other = appeared ? heard_before_ : heard_after_;
    const Change kind = appeared ? Change::added : Change::gone;
    std::erase_if(found_, [&](Difference& difference) {
      if (difference.kind != kind) return false;
      const SourceRef source = appeared ? difference.after_source : difference.before_source;
      const int family = sides_.evidence.family(appeared, source);
      if (other.contains(family)) return false;
      silent[family].push_back(std::move(difference));
      return true;
    });
    for (auto& [family, facts] : silent) {
      Difference out = facts.front();
      if (facts.size() > 1) {
        const std::string& name = sides_.evidence.name(family);
        out.topic = Topic::health;
        out.key = "source";
        out.before = appeared ? "" : std::to_string(facts.size()) + " facts";
        out.after = appeared ? std::to_string(facts.size()) + " facts" : "";
        out.weight = weight_lost;
        out.text = name +
                   (appeared ? " speaks of " + label_ + " now: "
                             : " says nothing of " + label_ + " any more: ") +
                   std::to_string(facts.size()) + " facts";
      }
      found_.push_back(std::move(out));
    }
  }

  void compare_mig() {
    if (!was_.gpu || !is_.gpu || was_.gpu->mig_devices.size() == is_.gpu->mig_devices.size())
      return;
    Difference out;
    out.topic = Topic::settings;
    out.subject = label_;
    out.key = "mig_devices";
    out.before = std::to_string(was_.gpu->mig_devices.size());
    out.after = std::to_string(is_.gpu->mig_devices.size());
    out.before_source = was_.gpu->mig_enabled.source();
    out.after_source = is_.gpu->mig_enabled.source();
    out.weight = weight_setting;
    out.text = "MIG devices of " + label_ + " changed from " + out.before + " to " + out.after;
    sides_.say(std::move(out));
  }

  Sides& sides_;
  const Device& was_;
  const Device& is_;
  std::string label_;
  std::vector<Difference> found_;
  std::set<int> heard_before_;
  std::set<int> heard_after_;
};

}  // namespace

bool is_passed_over(std::string_view key) {
  return std::find(passed_over.begin(), passed_over.end(), key) != passed_over.end();
}

void compare_device_facts(Sides& sides) {
  for (const DeviceId id : sides.before.all())
    if (sides.match.after(id)) DeviceFacts(sides, id).compare();
}

}  // namespace railgauge::model::comparing
