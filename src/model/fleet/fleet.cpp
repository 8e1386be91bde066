#include "model/fleet/fleet.h"

#include <algorithm>
#include <iterator>

#include "model/compare/value_words.h"
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

std::string short_subject(const std::string& subject) {
  return subject.substr(0, subject.find(" ("));
}

// "gpu3 gone", "mlx5_4 firmware 28.36 (others 28.39)".
std::string short_words(const Difference& one) {
  const std::string subject = one.subject == "host" ? "" : short_subject(one.subject) + " ";
  if (one.key == "device")
    return subject + (one.kind == Change::gone ? "gone" : "more than others have");
  if (one.key == "nvlinks") return subject + one.after + " NVLinks (others " + one.before + ")";
  if (one.before.empty() || one.after.empty()) return one.text;
  if (one.key == "kernel_arguments") return one.after + " (others " + one.before + ")";
  return subject + comparing::fact_name(one.key) + " " + one.after + " (others " + one.before + ")";
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

void explain_group(FleetGroup& group, const Result<Machine>& larger, const Result<Machine>& own) {
  if (!larger || !own) {
    group.words = {"could not be read again: " + (larger ? own : larger).error().text()};
    return;
  }
  Comparison comparison = compare(*larger, *own, {.identities = false, .growth = false});
  std::erase_if(comparison.differences,
                [](const Difference& one) { return !belongs_to_shape(one.topic, one.key); });
  group.differences = folded(comparison.differences);
  for (const Difference& one : group.differences) group.words.push_back(short_words(one));
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

Fleet::Added Fleet::add(const Machine& machine) {
  Shape shape;
  shape_of(machine,
           [&](const Property& property) { shape.push_back(properties_.number(property)); });
  std::sort(shape.begin(), shape.end());
  shape.erase(std::unique(shape.begin(), shape.end()), shape.end());
  auto& members = shapes_[std::move(shape)];
  members.push_back(names_.size());
  names_.push_back(machine.name);
  return {names_.size() - 1, members.size() == 1};
}

FleetReport Fleet::report(const Again& again) const {
  std::vector<ShapeMembers> shapes;
  for (const auto& [shape, members] : shapes_) shapes.push_back({&shape, &members});
  std::sort(shapes.begin(), shapes.end(), [](const ShapeMembers& a, const ShapeMembers& b) {
    if (a.members->size() != b.members->size()) return a.members->size() > b.members->size();
    return a.members->front() < b.members->front();
  });
  FleetReport out;
  out.machines = names_.size();
  for (const ShapeMembers& one : shapes) {
    FleetGroup& group = out.groups.emplace_back();
    group.example = one.members->front();
    for (const std::size_t number : *one.members) group.machines.push_back(names_[number]);
  }
  const auto counts = property_counts(properties_, shapes);
  std::vector<std::vector<std::uint32_t>> short_shapes;
  Examples examples(out.groups, again);
  for (std::size_t i = 0; i < shapes.size() && i < explained_groups; ++i) {
    short_shapes.push_back(uncommon(*shapes[i].shape, counts, names_.size()));
    if (i == 0) continue;
    std::size_t nearest = 0;
    std::size_t least = distance(short_shapes[0], short_shapes[i]);
    for (std::size_t j = 1; j < i; ++j)
      if (const std::size_t far = distance(short_shapes[j], short_shapes[i]); far < least) {
        nearest = j;
        least = far;
      }
    out.groups[i].differs_from = nearest;
    explain_group(out.groups[i], examples.of(nearest), examples.once(i));
  }
  if (shapes.size() > 1) out.odd = odd_properties(properties_, names_, shapes);
  if (out.odd.size() > listed_properties) {
    out.odd_not_listed = out.odd.size() - listed_properties;
    out.odd.resize(listed_properties);
  }
  return out;
}

}  // namespace railgauge::model
