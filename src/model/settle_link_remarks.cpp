// Links below what they could be. Devices in the same situation share one remark.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <set>

#include "model/power.h"
#include "model/settle_gpu.h"
#include "model/settle_steps.h"

namespace railgauge::model {
namespace {

std::string name_of(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  return device.address ? device.id + " (" + device.address->text() + ")" : device.id;
}

// "gpu0 (0000:1b:00.0)", "gpu0 and gpu1 (2 devices)", "gpu0 … gpu4, gpu6 and gpu7 (7 devices)":
// neighbours among the devices of the kind are drawn together.
std::string name_all(const Machine& machine, const std::vector<DeviceId>& ids) {
  if (ids.size() == 1) return name_of(machine, ids.front());
  constexpr std::size_t most_named = 6;
  std::vector<std::string> parts;
  const auto kin = machine.of_kind(machine[ids.front()].kind);
  std::size_t place = 0;
  for (std::size_t i = 0; i < ids.size();) {
    while (place < kin.size() && kin[place] != ids[i]) ++place;
    std::size_t run = 1;
    while (i + run < ids.size() && place + run < kin.size() && kin[place + run] == ids[i + run])
      ++run;
    if (run > 2) {
      parts.push_back(machine[ids[i]].id + " … " + machine[ids[i + run - 1]].id);
    } else {
      run = 1;
      parts.push_back(machine[ids[i]].id);
    }
    i += run;
  }
  const std::string count = fmt::format(" ({} devices)", ids.size());
  if (parts.size() > most_named) return parts.front() + ", …, " + parts.back() + count;
  if (parts.size() == 1) return parts.front() + count;
  const std::string last = std::move(parts.back());
  parts.pop_back();
  return fmt::format("{} and {}{}", fmt::join(parts, ", "), last, count);
}

// What is said of one device, and of all devices of its kind of which the same is true.
struct Finding {
  RemarkLevel level = RemarkLevel::note;
  DeviceKind kind = DeviceKind::other;
  std::string one;   // "{name}" + one
  std::string many;  // the same in the plural
  SourceRef source;  // of the first device
  std::vector<DeviceId> devices;
};

class Findings {
 public:
  explicit Findings(Machine& machine) : machine_(machine) {}

  void add(RemarkLevel level, DeviceId id, const std::string& one, const std::string& many,
           SourceRef source) {
    const DeviceKind kind = machine_[id].kind;
    for (Finding& f : all_) {
      if (f.level != level || f.kind != kind || f.one != one) continue;
      f.devices.push_back(id);
      return;
    }
    all_.push_back({level, kind, one, many, source, {id}});
  }
  void add(RemarkLevel level, DeviceId id, const std::string& text, SourceRef source) {
    add(level, id, text, text, source);
  }

  void remark() {
    for (const Finding& f : all_)
      remark_once(machine_, f.level,
                  name_all(machine_, f.devices) + (f.devices.size() == 1 ? f.one : f.many),
                  f.source);
  }

 private:
  Machine& machine_;
  std::vector<Finding> all_;
};

std::string rates(const Link& link) {
  if (!link.as_found || !link.nominal) return {};
  return ": " + text(*link.as_found) + " of " + text(*link.nominal);
}

// Devices above a GPU or NIC: a slow link there costs what this program is about.
std::set<DeviceId> above_gpus_and_nics(const Machine& machine) {
  std::set<DeviceId> out;
  for (const DeviceId id : machine.all()) {
    const DeviceKind kind = machine[id].kind;
    if (kind != DeviceKind::gpu && kind != DeviceKind::nic) continue;
    for (std::optional<DeviceId> up = id; up && out.insert(*up).second; up = machine[*up].parent) {
    }
  }
  return out;
}

// A guest sees what its hypervisor shows, and a file what somebody wrote; that the board is sold
// with more is then no finding about the link.
template <class T>
bool only_by_catalogue(const Machine& machine, const Fact<T>& found, const Fact<T>& possible) {
  if (possible.source().trust != Trust::catalogue) return false;
  const auto& hypervisor = machine.host.hypervisor;
  const bool guest = hypervisor && *hypervisor != "none";
  return guest || found.source().trust <= Trust::file;
}

void find_pcie(const Machine& machine, Findings& findings, const Link& link, bool matters) {
  const bool narrow =
      link.width && link.width_possible && *link.width > 0 && *link.width < *link.width_possible;
  const bool slow = link.speed && link.speed_possible && *link.speed < *link.speed_possible;
  if (!narrow && !slow) return;
  const Device& device = machine[link.a];
  const auto lanes = [](const Fact<int>& width) {
    return width ? fmt::format(" x{}", *width) : std::string();
  };
  const auto speed = [](const Fact<PcieSpeed>& s) { return s ? s->text() : std::string("PCIe"); };
  std::string text =
      fmt::format(" {}{} of {}{}{}", speed(link.speed), lanes(link.width),
                  speed(link.speed_possible), lanes(link.width_possible), rates(link));
  const bool sold_only = (!narrow || only_by_catalogue(machine, link.width, link.width_possible)) &&
                         (!slow || only_by_catalogue(machine, link.speed, link.speed_possible));
  RemarkLevel level = matters && !sold_only ? RemarkLevel::warning : RemarkLevel::note;
  if (!narrow && saves_power(device)) {
    level = RemarkLevel::note;
    text += "; may be idle (" + *device.gpu->p_state + ")";
  } else if (!narrow && device.gpu && !device.gpu->p_state) {
    level = RemarkLevel::note;
    text += "; P-state unknown: an idle GPU may lower its generation";
  }
  if (sold_only) text += "; what is possible is known only from the board's data";
  findings.add(level, link.a, " runs" + text, " run" + text,
               narrow ? link.width.source() : link.speed.source());
}

void remark_nvlink(Machine& machine, const Link& link) {
  if (!link.width || !link.width_possible || *link.width >= *link.width_possible) return;
  remark_once(machine, RemarkLevel::warning,
              fmt::format("{} and {}: {} of {} NVLinks active{}", name_of(machine, link.a),
                          name_of(machine, link.b), *link.width, *link.width_possible, rates(link)),
              link.width.source());
}

bool any_active(const Machine& machine) {
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    for (const NvLinkPort& port : machine[id].gpu->nvlinks)
      if (port.active && *port.active) return true;
  return false;
}

// NVLinks of a GPU over all far ends, where no single link shows the loss.
void find_port_counts(const Machine& machine, Findings& findings) {
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    int down = 0;
    SourceRef source;
    const auto& ports = machine[id].gpu->nvlinks;
    const auto total = ports.size();
    for (const NvLinkPort& port : ports)
      if (port.active && !*port.active) {
        ++down;
        source = port.active.source();
      }
    // None in use on any GPU: boards without a bridge. On one alone: a fault.
    const bool all_down = static_cast<std::size_t>(down) == total;
    if (down == 0 || (all_down && !any_active(machine))) continue;
    findings.add(RemarkLevel::warning, id,
                 fmt::format(": {} of {} NVLinks are not active", down, total), source);
  }
}

// The first refusal among the facts of a link end, when nothing of it is known.
const Refusal* why_unknown(const LinkEnd& end) {
  if (end.current_speed || end.current_width || end.max_speed || end.max_width) return nullptr;
  const auto first = [](const auto& fact) {
    return fact.refusals().empty() ? nullptr : &fact.refusals().front();
  };
  for (const Refusal* refusal : {first(end.current_speed), first(end.current_width),
                                 first(end.max_speed), first(end.max_width)})
    if (refusal) return refusal;
  return nullptr;
}

// Endpoints whose link nobody could read. Those whose link is known have a Link, see
// settle_lone_endpoints().
void find_refused_ends(const Machine& machine, Findings& findings) {
  std::set<DeviceId> linked;
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::pcie) linked.insert(link.a);
  for (const DeviceId id : machine.all()) {
    const Device& device = machine[id];
    const bool endpoint = device.kind == DeviceKind::gpu || device.kind == DeviceKind::nic;
    if (!endpoint || !device.pci || device.pci->physical_function || linked.contains(id)) continue;
    if (const Refusal* refusal = why_unknown(device.pci->link))
      findings.add(RemarkLevel::note, id, ": PCIe link unknown: " + refusal->why, refusal->source);
  }
}

}  // namespace

void remark_links(Machine& machine) {
  const auto matters = above_gpus_and_nics(machine);
  Findings findings(machine);
  for (const Link& link : machine.links)
    if (link.kind == LinkKind::pcie) find_pcie(machine, findings, link, matters.contains(link.a));
  find_refused_ends(machine, findings);
  find_port_counts(machine, findings);
  findings.remark();
  for (const Link& link : machine.links)
    if (is_gpu_link(link.kind)) remark_nvlink(machine, link);
}

}  // namespace railgauge::model
