#include "model/fleet/error_counters.h"

#include <algorithm>

#include "model/compare/sides.h"
#include "model/field_lists.h"

namespace railgauge::model {
namespace {

// A handful of errors is what a year brings; ten times the others' is a fault.
constexpr std::uint64_t fewest = 10;
constexpr std::uint64_t times = 10;
// More than a tenth of the machines is a spread and no exception.
constexpr std::size_t one_in = 10;

bool counts_errors(std::string_view name) {
  for (const std::string_view harmless : {"pause", "wait", "cnp", "ecn", "lifespan", "TOTAL_ERR"})
    if (name.find(harmless) != std::string_view::npos) return false;
  return !comparing::is_traffic(name);
}

struct Far {
  std::vector<std::pair<std::uint64_t, std::size_t>> odd;  // value, machine number
  std::uint64_t usual = 0;                                 // the most that the others have
};

Far far_from_others(std::vector<std::pair<std::uint64_t, std::size_t>> grown, std::size_t all) {
  std::sort(grown.begin(), grown.end());
  Far out;
  const std::size_t most = std::max<std::size_t>(1, all / one_in);
  // From the largest down to the first gap that is wide enough.
  for (std::size_t taken = 1; taken <= std::min(most, grown.size()); ++taken) {
    const std::size_t at = grown.size() - taken;
    const std::uint64_t below = at == 0 || grown.empty() ? 0 : grown[at - 1].first;
    if (taken >= all || grown[at].first < fewest) break;
    if (grown[at].first / times < below) continue;
    out.usual = below;
    out.odd.assign(grown.begin() + static_cast<std::ptrdiff_t>(at), grown.end());
  }
  return out;
}

}  // namespace

void ErrorCounters::add(std::size_t number, const Machine& machine) {
  // Nearly all counters stand at 0: a place is put into words only for those that do not.
  const auto all = [&](const Device& device, const char* part, int part_number, const auto& owner) {
    using Owner = std::remove_cvref_t<decltype(owner)>;
    each_counter_field<Owner>([&](const auto& field) {
      for (const auto& [name, counter] : owner.*field.member) {
        if (!counter.value || *counter.value == 0 || !counts_errors(name)) continue;
        const std::string place = *part == 0 ? "" : part + std::to_string(part_number);
        const std::string subject = device.address ? device.address->text() : device.id;
        grown_[{subject + place, device.id + place, name}][number] = *counter.value;
      }
    });
  };
  for (const Device& device : machine.devices) {
    if (device.pci) all(device, "", 0, *device.pci);
    if (device.gpu) {
      all(device, "", 0, *device.gpu);
      for (const NvLinkPort& port : device.gpu->nvlinks) all(device, " NVLink ", port.number, port);
    }
    if (!device.nic) continue;
    for (const NicPort& port : device.nic->ports) all(device, " port ", port.number, port);
  }
}

std::vector<OddProperty> ErrorCounters::far_ones(const std::vector<std::size_t>& members,
                                                 const std::vector<std::string>& names) const {
  std::vector<std::pair<std::uint64_t, OddProperty>> found;
  if (members.size() < 2) return {};
  for (const auto& [place, by_machine] : grown_) {
    std::vector<std::pair<std::uint64_t, std::size_t>> grown;
    for (const auto& [number, value] : by_machine)
      if (std::binary_search(members.begin(), members.end(), number))
        grown.emplace_back(value, number);
    const Far far = far_from_others(grown, members.size());
    if (far.odd.empty()) continue;
    OddProperty one;
    one.topic = Topic::counters;
    one.subject = place.label;
    one.key = place.name;
    one.usual = far.usual == 0 ? "0" : "at most " + std::to_string(far.usual);
    one.usual_count = members.size() - far.odd.size();
    for (auto at = far.odd.rbegin(); at != far.odd.rend(); ++at)
      one.odd.push_back({std::to_string(at->first), {names[at->second]}});
    found.emplace_back(far.odd.back().first, std::move(one));
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.first > b.first; });
  std::vector<OddProperty> out;
  for (auto& [value, one] : found)
    if (out.size() < listed) out.push_back(std::move(one));
  return out;
}

}  // namespace railgauge::model
