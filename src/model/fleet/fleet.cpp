#include "model/fleet/fleet.h"

#include <algorithm>
#include <iterator>

#include "model/compare/sides.h"
#include "model/fleet/fleet_words.h"
#include "model/fleet/odd.h"

namespace railgauge::model {
namespace {

// Without what all machines have, shapes are short and their distance is quick to count.
std::vector<std::uint32_t> uncommon(const std::vector<std::uint32_t>& shape,
                                    const std::vector<std::size_t>& counts, std::size_t machines) {
  std::vector<std::uint32_t> out;
  for (const std::uint32_t property : shape)
    if (counts[property] < machines) out.push_back(property);
  return out;
}

std::size_t distance(const std::vector<std::uint32_t>& a, const std::vector<std::uint32_t>& b) {
  std::size_t count = 0;
  for (auto x = a.begin(), y = b.begin(); x != a.end() || y != b.end();) {
    if (y == b.end() || (x != a.end() && *x < *y)) {
      ++count, ++x;
    } else if (x == a.end() || *y < *x) {
      ++count, ++y;
    } else {
      ++x, ++y;
    }
  }
  return count;
}

// Machines of the groups that are compared; the last few are kept, since most compare with the
// largest group.
class Examples {
 public:
  Examples(const std::vector<FleetGroup>& groups, const Fleet::Again& again)
      : groups_(groups), again_(again) {}

  const Result<Machine>& of(std::size_t group) {
    if (group == 0) return load(first_, first_group_, 0);
    return load(other_, other_group_, group);
  }
  const Result<Machine>& once(std::size_t group) { return load(single_, single_group_, group); }

 private:
  using Slot = std::optional<Result<Machine>>;
  const Result<Machine>& load(Slot& slot, std::size_t& which, std::size_t group) {
    if (!slot || which != group) slot = again_(groups_[group].example);
    which = group;
    return *slot;
  }

  const std::vector<FleetGroup>& groups_;
  const Fleet::Again& again_;
  Slot first_, other_, single_;
  std::size_t first_group_ = 0, other_group_ = 0, single_group_ = 0;
};

// Serious kernel messages that one has and the other has not.
void add_events(Comparison& comparison, const Machine& larger, const Machine& own) {
  const auto theirs = serious_events(larger);
  const auto ours = serious_events(own);
  const auto say = [&](const std::string& event, bool here) {
    Difference out;
    out.topic = Topic::health;
    out.kind = here ? Change::added : Change::gone;
    out.subject = "host";
    out.key = "kernel log." + event;
    (here ? out.after : out.before) = "logged";
    out.text = event + (here ? " in the kernel log" : " not in the kernel log");
    comparison.differences.insert(comparison.differences.begin(), std::move(out));
  };
  for (const std::string& event : theirs)
    if (!ours.contains(event)) say(event, false);
  for (const std::string& event : ours)
    if (!theirs.contains(event)) say(event, true);
}

void explain_group(FleetGroup& group, const std::string& whose, const Result<Machine>& larger,
                   const Result<Machine>& own) {
  if (!larger || !own) {
    group.words = {"could not be read again: " + (larger ? own : larger).error().text()};
    return;
  }
  Comparison comparison = compare(*larger, *own, {.identities = false, .growth = false});
  const bool ranks = comparing::is_rank(*larger) || comparing::is_rank(*own);
  std::erase_if(comparison.differences, [&](const Difference& one) {
    std::string_view key = one.key;
    if (key.starts_with("variables.")) key.remove_prefix(std::string_view("variables.").size());
    return !belongs_to_shape(one.topic, one.key) || (ranks && comparing::is_rank_share(key));
  });
  add_events(comparison, *larger, *own);
  group.differences = folded(comparison.differences);
  for (const Difference& one : group.differences) group.words.push_back(fleet_words(one, whose));
  if (!group.words.empty()) return;
  for (const NotCompared& one : comparison.not_compared)
    group.words.push_back(one.what + " " + one.why);
}

}  // namespace

std::size_t Fleet::ShapeHash::operator()(const Shape& shape) const {
  std::uint64_t hash = 0xcbf29ce484222325u;  // FNV-1a over whole numbers
  for (const std::uint32_t number : shape) hash = (hash ^ number) * 0x100000001b3u;
  return static_cast<std::size_t>(hash);
}

Fleet::OneModel& Fleet::model_for(const Machine& machine) {
  MachineModel model = model_of(machine);
  for (OneModel& one : models_)
    if (!one.model.differs_from(model)) {
      // One that has its GPUs says more than one that lost them.
      if (one.model.gpus.empty() || one.model.product.empty()) one.model = std::move(model);
      return one;
    }
  models_.push_back({std::move(model), {}, {}});
  return models_.back();
}

Fleet::Added Fleet::add(const Machine& machine) {
  Shape shape;
  shape_of(machine,
           [&](const Property& property) { shape.push_back(properties_.number(property)); });
  std::sort(shape.begin(), shape.end());
  shape.erase(std::unique(shape.begin(), shape.end()), shape.end());
  const std::size_t number = names_.size();
  OneModel& model = model_for(machine);
  model.members.push_back(number);
  auto& members = model.shapes[std::move(shape)];
  members.push_back(number);
  names_.push_back(machine.name);
  counters_.add(number, machine);
  return {number, members.size() == 1};
}

void Fleet::add_groups(FleetReport& report, std::size_t model, const OneModel& one,
                       const Again& again) const {
  std::vector<ShapeMembers> shapes;
  for (const auto& [shape, members] : one.shapes) shapes.push_back({&shape, &members});
  std::sort(shapes.begin(), shapes.end(), [](const ShapeMembers& a, const ShapeMembers& b) {
    if (a.members->size() != b.members->size()) return a.members->size() > b.members->size();
    return a.members->front() < b.members->front();
  });
  const std::size_t base = report.groups.size();
  for (const ShapeMembers& shape : shapes) {
    FleetGroup& group = report.groups.emplace_back();
    group.model = model;
    group.example = shape.members->front();
    group.numbers = *shape.members;
    for (const std::size_t number : *shape.members) group.machines.push_back(names_[number]);
  }
  const auto counts = property_counts(properties_, shapes);
  std::vector<std::vector<std::uint32_t>> short_shapes;
  Examples examples(report.groups, again);
  for (std::size_t i = 0; i < shapes.size() && base + i < explained_groups; ++i) {
    short_shapes.push_back(uncommon(*shapes[i].shape, counts, one.members.size()));
    if (i == 0) continue;
    std::size_t nearest = 0;
    std::size_t least = distance(short_shapes[0], short_shapes[i]);
    for (std::size_t j = 1; j < i; ++j)
      if (const std::size_t far = distance(short_shapes[j], short_shapes[i]); far < least) {
        nearest = j;
        least = far;
      }
    const bool most = nearest == 0 && shapes[0].members->size() > 1;
    const std::string whose = most ? "others" : "group " + std::to_string(base + nearest + 1);
    report.groups[base + i].differs_from = base + nearest;
    explain_group(report.groups[base + i], whose, examples.of(base + nearest),
                  examples.once(base + i));
  }
  auto odd = counters_.far_ones(one.members, names_);
  if (shapes.size() > 1)
    for (OddProperty& property : odd_properties(properties_, names_, one.members, shapes))
      odd.push_back(std::move(property));
  for (OddProperty& property : odd) {
    property.model = model;
    report.odd.push_back(std::move(property));
  }
}

FleetReport Fleet::report(const Again& again) const {
  FleetReport out;
  out.machines = names_.size();
  std::vector<const OneModel*> models;
  for (const OneModel& one : models_) models.push_back(&one);
  std::stable_sort(models.begin(), models.end(), [](const OneModel* a, const OneModel* b) {
    return a->members.size() > b->members.size();
  });
  for (const OneModel* one : models) {
    out.models.push_back(one->model.words());
    add_groups(out, out.models.size() - 1, *one, again);
  }
  if (out.odd.size() > listed_properties) {
    out.odd_not_listed = out.odd.size() - listed_properties;
    out.odd.resize(listed_properties);
  }
  return out;
}

}  // namespace railgauge::model
