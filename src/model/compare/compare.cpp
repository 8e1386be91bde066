#include "model/compare/compare.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <map>
#include <set>
#include <tuple>

#include "base/strings.h"
#include "model/compare/machine_model.h"
#include "model/compare/sides.h"

namespace railgauge::model {
namespace comparing {
namespace {

// Seconds since 1970 of "2026-11-29T13:00:00Z"; nothing for any other form.
std::optional<double> seconds_of(const std::string& time) {
  if (time.size() != 20 || time[10] != 'T' || time[19] != 'Z') return std::nullopt;
  const auto number = [&](std::size_t at, std::size_t size) {
    const auto value = parse_int(std::string_view(time).substr(at, size));
    return value && *value >= 0 ? static_cast<int>(*value) : -1;
  };
  const int year = number(0, 4);
  const int month = number(5, 2);
  const int day = number(8, 2);
  const int hour = number(11, 2);
  const int minute = number(14, 2);
  const int second = number(17, 2);
  if (year < 1970 || month < 1 || day < 1 || hour < 0 || minute < 0 || second < 0)
    return std::nullopt;
  const std::chrono::year_month_day date{std::chrono::year(year),
                                         std::chrono::month(static_cast<unsigned>(month)),
                                         std::chrono::day(static_cast<unsigned>(day))};
  if (!date.ok()) return std::nullopt;
  const auto days = std::chrono::sys_days(date).time_since_epoch().count();
  return static_cast<double>(days) * 86400.0 + hour * 3600 + minute * 60 + second;
}

Reading<double> seconds_between(const Machine& before, const Machine& after) {
  if (!before.taken || !after.taken)
    return Reading<double>::not_reported("a side that is no recording has no time");
  const auto from = seconds_of(before.taken->made_at);
  const auto to = seconds_of(after.taken->made_at);
  if (!from || !to)
    return Reading<double>::not_reported("a recording does not say when it was made");
  return *to - *from;
}

// Up for a shorter time than passed between the two: it was started in between. A minute is left
// for clocks that were set.
bool was_rebooted(const Machine& before, const Machine& after, const Reading<double>& between) {
  const auto& up = after.host.uptime_seconds;
  if (!up) return false;
  if (between && *between > 0) return *up + 60 < *between;
  const auto& was_up = before.host.uptime_seconds;
  return !between && was_up && *up < *was_up;
}

std::set<std::string> identities(const Machine& machine) {
  std::set<std::string> out;
  for (const Device& device : machine.devices)
    for (std::string& key : identities_of(device)) out.insert(std::move(key));
  return out;
}

// Whether a replaced value means the same on both sides.
bool comparable_identities(const Machine& before, const Machine& after) {
  const auto key = [](const Machine& machine) {
    return machine.taken && machine.taken->identities_replaced
               ? "replaced " + machine.taken->identity_key
               : std::string();
  };
  const std::string a = key(before);
  return a == key(after) && a != "replaced ";
}

bool have_common_identity(const Machine& before, const Machine& after) {
  const auto was = identities(before);
  const auto is = identities(after);
  return std::any_of(was.begin(), was.end(),
                     [&](const std::string& key) { return is.contains(key); });
}

bool have_common_address(const Machine& before, const Machine& after) {
  std::set<PciAddress> there;
  for (const Device& device : after.devices)
    if (device.address) there.insert(*device.address);
  bool any = false;
  for (const Device& device : before.devices) {
    if (!device.address) continue;
    any = true;
    if (there.contains(*device.address)) return true;
  }
  return !any || there.empty();
}

std::string why_different(const Machine& before, const Machine& after, bool identities_count) {
  if (identities_count) {
    const auto was = identities(before);
    const auto is = identities(after);
    const bool common = have_common_identity(before, after);
    // One device that was replaced is a repair; no device of several is another machine.
    const auto device_count = [](const Machine& machine) {
      return std::count_if(machine.devices.begin(), machine.devices.end(),
                           [](const Device& device) { return !identities_of(device).empty(); });
    };
    const auto& host = before.host.hostname;
    const bool same_name = host && after.host.hostname && *host == *after.host.hostname;
    if (!was.empty() && !is.empty() && !common && !same_name && device_count(before) > 1 &&
        device_count(after) > 1)
      return "no GPU and no NIC of one has the serial number, UUID, GUID or MAC address of one of "
             "the other";
  }
  if (!have_common_address(before, after))
    return "no device of one has the PCI address of a device of the other";
  return "";
}

// "gpu3 is gone" of several subjects.
void make_plural(std::string& text, std::size_t at) {
  if (text.compare(at, 4, " is ") == 0) text.replace(at, 4, " are ");
  if (text.compare(at, 5, " was ") == 0) text.replace(at, 5, " were ");
}

void run(Sides& sides) {
  compare_presence(sides);
  compare_places(sides);
  compare_identities(sides);
  compare_links(sides);
  compare_nvlinks(sides);
  compare_device_facts(sides);
  compare_ports(sides);
  compare_host(sides);
  compare_software(sides);
  compare_interrupts(sides);
  if (!sides.options.growth) return;
  compare_counters(sides);
  compare_events(sides);
}

}  // namespace
}  // namespace comparing

std::string_view text(Change change) {
  switch (change) {
    case Change::gone: return "gone";
    case Change::added: return "added";
    case Change::moved: return "moved";
    case Change::changed: return "changed";
    case Change::grew: return "grew";
  }
  return "changed";
}

namespace comparing {
namespace {

// What follows from two machines being of different models, or from nothing being known of both.
void not_compared(Sides& sides, bool comparable, bool models) {
  Comparison& out = sides.out;
  const bool wanted = sides.options.identities;
  if (wanted && !comparable)
    out.not_compared.push_back(
        {"serial numbers, UUIDs, GUIDs, MAC addresses, host names and variables that hold such",
         "identities were replaced under different keys, or on one side only"});
  if (models)
    out.not_compared.push_back(
        {"everything but the devices there are", "these are different models"});
  else if (!out.different_machines.empty())
    out.not_compared.push_back(
        {"identities, counters and the kernel log", "these look like two machines"});
  else if (sides.out.seconds_between && *sides.out.seconds_between < 0)
    out.not_compared.push_back({"counters and the kernel log", "after was made before before"});
  for (NotCompared& one : sides.evidence.not_compared()) out.not_compared.push_back(std::move(one));
}

bool is_end(DeviceKind kind) {
  return kind == DeviceKind::gpu || kind == DeviceKind::nic || kind == DeviceKind::nvme ||
         kind == DeviceKind::nvswitch;
}

// A GPU, NIC or drive that both know is something in common where one source speaks of both: what
// is not there then is gone. Places that any look makes are nothing in common.
bool nothing_in_common(const Sides& sides) {
  if (sides.evidence.compared_facts() > 0) return false;
  if (sides.evidence.share_a_source())
    for (const DeviceId id : sides.before.all())
      if (is_end(sides.before[id].kind) && sides.match.after(id) &&
          sides.evidence.stated(false, sides.before[id].seen_in) &&
          sides.evidence.stated(true, sides.after[*sides.match.after(id)].seen_in))
        return false;
  return !sides.before.devices.empty() || !sides.after.devices.empty();
}

}  // namespace
}  // namespace comparing

Comparison compare(const Machine& before, const Machine& after, const CompareOptions& options) {
  using namespace comparing;
  const bool comparable = options.identities && comparable_identities(before, after);
  const MachineModel was = model_of(before);
  const MachineModel is = model_of(after);
  const bool models = options.identities && was.differs_from(is) &&
                      !(comparable && have_common_identity(before, after));
  const std::string different = models               ? was.words() + " and " + is.words()
                                : options.identities ? why_different(before, after, comparable)
                                                     : std::string();
  const bool by_identity = comparable && different.empty();
  Sides sides{before,
              after,
              options,
              by_identity,
              Match(before, after, by_identity),
              Evidence(before, after, options),
              Comparison{}};
  sides.out.different_machines = different;
  sides.out.different_models = models;
  sides.out.seconds_between = seconds_between(before, after);
  sides.out.rebooted = different.empty() && was_rebooted(before, after, sides.out.seconds_between);
  const auto& between = sides.out.seconds_between;
  if (!different.empty() || (between && *between < 0)) sides.options.growth = false;
  sides.variables = !options.identities || comparable;
  run(sides);
  if (models)
    std::erase_if(sides.out.differences,
                  [](const Difference& one) { return one.topic != Topic::inventory; });
  not_compared(sides, comparable, models);
  sides.out.nothing_common = nothing_in_common(sides);
  sides.out.different_sources = !sides.evidence.share_a_source();
  if (sides.out.different_sources) {
    sides.out.compared = sides.evidence.compared_words();
    sides.out.sources_before = sides.evidence.holds(false);
    sides.out.sources_after = sides.evidence.holds(true);
  }
  if (sides.out.nothing_common)
    sides.out.why_nothing = before.name + " holds " + sides.evidence.holds(false) + ", " +
                            after.name + " holds " + sides.evidence.holds(true);
  std::stable_sort(sides.out.differences.begin(), sides.out.differences.end(),
                   [](const Difference& a, const Difference& b) {
                     return std::pair(a.topic, -a.weight) < std::pair(b.topic, -b.weight);
                   });
  return std::move(sides.out);
}

std::vector<Difference> folded(const std::vector<Difference>& differences) {
  using Key = std::tuple<Topic, Change, std::string, std::string, std::string>;
  std::vector<Difference> out;
  std::vector<std::vector<std::string>> subjects;
  std::map<Key, std::size_t> places;
  for (const Difference& one : differences) {
    const auto at = one.text.find(one.subject);
    if (one.subject.empty() || at == std::string::npos) {
      out.push_back(one);
      subjects.emplace_back();
      continue;
    }
    const Key key{one.topic, one.kind, one.key, one.text.substr(0, at),
                  one.text.substr(at + one.subject.size())};
    const auto [place, fresh] = places.try_emplace(key, out.size());
    if (fresh) {
      out.push_back(one);
      subjects.emplace_back();
    }
    subjects[place->second].push_back(one.subject);
  }
  constexpr std::size_t named_most = 4;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (subjects[i].size() < 2) continue;
    // Addresses would fill the line: several devices go by their ids alone.
    std::vector<std::string> ids;
    for (const std::string& subject : subjects[i])
      ids.push_back(subject.substr(0, subject.find(" (")));
    const std::string all = comparing::list_words(ids, named_most);
    comparing::make_plural(out[i].text, out[i].text.find(out[i].subject) + out[i].subject.size());
    out[i].text.replace(out[i].text.find(out[i].subject), out[i].subject.size(), all);
    out[i].subject = all;
  }
  return out;
}

}  // namespace railgauge::model
