#include "apps/railgauge/seen.h"

#include <algorithm>

#include "apps/railgauge/each_machine.h"
#include "model/compare/match.h"

namespace railgauge::app {
namespace {

// Examples that no name reads again (inside an archive, loose texts, synthetic) are held; beyond
// this many their groups are counted and not explained.
constexpr std::size_t held_at_most = 64;

// The same for every recording of one machine, and for no other.
std::string self_of(const model::Machine& machine) {
  std::string out = machine.host.hostname.value_or("");
  if (out.empty()) return out;
  if (machine.taken && machine.taken->identities_replaced) out += machine.taken->identity_key;
  for (const model::Device& device : machine.devices)
    for (const std::string& identity : model::comparing::identities_of(device))
      out += "\n" + identity;
  return out;
}

class Collector {
 public:
  explicit Collector(const observe::Knowledge& knowledge) : knowledge_(knowledge) {}

  void take(model::Machine machine, const std::string& input) {
    seen_.inputs.push_back(input);
    if (const std::string self = self_of(machine); !self.empty()) {
      auto& times = selves_[std::hash<std::string>{}(self)];
      if (times.count++ == 0) times.name = machine.name;
    }
    // One machine is not a fleet: its shape is asked for when a second one comes.
    if (++seen_.count == 2) add(seen_.machines.front(), 0);
    if (seen_.count >= 2) add(machine, seen_.count - 1);
    if (seen_.machines.size() < Seen::drawn_at_most) seen_.machines.push_back(std::move(machine));
  }

  Seen finish() {
    if (seen_.count > 1) {
      seen_.grouped = fleet_.report([this](std::size_t number) { return again(number); });
      for (model::FleetGroup& group : seen_.grouped->groups)
        for (const std::size_t number : group.numbers) group.inputs.push_back(seen_.inputs[number]);
    }
    for (const auto& [self, times] : selves_)
      if (times.count > 1)
        seen_.repeated.push_back(times.name + " was recorded " + std::to_string(times.count) +
                                 " times");
    std::sort(seen_.repeated.begin(), seen_.repeated.end());
    return std::move(seen_);
  }

  Seen& seen() { return seen_; }

 private:
  void add(const model::Machine& machine, std::size_t number) {
    const auto added = fleet_.add(machine);
    if (added.new_shape && seen_.inputs[number].empty() && held_.size() < held_at_most)
      held_.emplace(number, machine);
  }

  Result<model::Machine> again(std::size_t number) const {
    patience_.renew();
    if (const auto held = held_.find(number); held != held_.end()) return held->second;
    const std::string& input = seen_.inputs[number];
    if (input.empty())
      return fail(ErrorKind::limit, "too many shapes to hold; unpack the archive to compare all");
    auto read = observe::machines({input}, knowledge_);
    if (!read) return tl::unexpected(std::move(read.error()));
    return std::move(read->machines.front());
  }

  const observe::Knowledge& knowledge_;
  const Patience patience_;
  Seen seen_;
  model::Fleet fleet_;
  std::map<std::size_t, model::Machine> held_;
  struct Times {
    std::string name;
    std::size_t count = 0;
  };
  std::map<std::size_t, Times> selves_;  // by hash
};

}  // namespace

Result<Seen> see_inputs(const std::vector<std::string>& inputs, const observe::Knowledge& knowledge,
                        const Arguments& arguments) {
  Collector collector(knowledge);
  collector.seen().each = arguments.has("each");
  if (inputs.empty()) {
    auto live = look_live(knowledge);
    if (!live) return tl::unexpected(std::move(live.error()));
    collector.take(std::move(live->machines.front()), "");
    collector.seen().times = std::move(live->times);
    return collector.finish();
  }
  auto visited = each_machine(inputs, knowledge, arguments.has("quiet"),
                              [&](model::Machine machine, const std::string& input) {
                                collector.take(std::move(machine), input);
                              });
  if (!visited) return tl::unexpected(std::move(visited.error()));
  collector.seen().passed_over = std::move(visited->passed_over);
  collector.seen().times = std::move(visited->times);
  return collector.finish();
}

}  // namespace railgauge::app
