#include "model/fleet/shape.h"

#include <algorithm>
#include <map>
#include <vector>

#include "model/compare/sides.h"
#include "model/field_lists.h"
#include "model/power.h"

namespace railgauge::model {
namespace {

using comparing::value_words;

bool is_stated(SourceRef source) { return source.trust > Trust::inferred; }

class ShapeWriter {
 public:
  ShapeWriter(const Machine& machine, const std::function<void(const Property&)>& visit)
      : machine_(machine),
        visit_(visit),
        is_rank_(comparing::is_rank(machine)),
        linked_(machine.devices.size()) {
    for (const Link& link : machine.links)
      if (link.kind == LinkKind::pcie) linked_[link.a.value] = linked_[link.b.value] = true;
  }

  void all() {
    for (const DeviceId id : machine_.all()) device(id);
    for (const Link& link : machine_.links) this->link(link);
    host();
  }

 private:
  void at(std::string subject, std::string label) {
    subject_ = std::move(subject);
    label_ = std::move(label);
  }

  void say(Topic topic, std::string_view key, std::string_view value) {
    if (belongs_to_shape(topic, key)) visit_({topic, subject_, label_, key, value});
  }

  template <class T>
  void fact(Topic topic, std::string_view key, const Fact<T>& fact) {
    if (!fact.known() || !is_stated(fact.source())) return;
    if (!belongs_to_shape(topic, key) || comparing::is_passed_over(key)) return;
    if (is_rank_ && comparing::is_rank_share(key)) return;
    say(topic, key, value_words(key, *fact));
  }

  template <class Owner>
  void facts(const Owner& owner) {
    each_field<Owner>(
        [&](const auto& field) { fact(field.topic, field.key, owner.*field.member); });
  }

  void place(DeviceId id) {
    const Device& device = machine_[id];
    at(device.address ? device.address->text() : device.id, device.id);
  }

  void device(DeviceId id) {
    const Device& device = machine_[id];
    if (!is_stated(device.seen_in)) return;
    place(id);
    say(Topic::inventory, "device", text(device.kind));
    facts(device);
    if (device.cpu) facts(*device.cpu);
    if (device.pci) facts(*device.pci);
    if (device.pci && !linked_[id.value] && !device.parent) facts(device.pci->link);
    if (device.gpu) gpu(device);
    if (device.nic) nic(device);
  }

  void gpu(const Device& device) {
    facts(*device.gpu);
    if (!device.gpu->mig_devices.empty())
      say(Topic::settings, "mig_devices", std::to_string(device.gpu->mig_devices.size()));
    const bool idle = saves_power(device);
    for (const NvLinkPort& port : device.gpu->nvlinks) {
      const std::string number = "nvlink" + std::to_string(port.number) + ".";
      each_field<NvLinkPort>([&](const auto& field) {
        if (idle && std::string_view(field.key) == "rate_bytes_per_second") return;
        fact(field.topic, number + field.key, port.*field.member);
      });
    }
  }

  void nic(const Device& device) {
    facts(*device.nic);
    const std::string subject = subject_;
    for (const NicPort& port : device.nic->ports) {
      at(subject + " port " + std::to_string(port.number),
         device.id + " port " + std::to_string(port.number));
      facts(port);
      for (const Gid& gid : port.gids) {
        const std::string row = "gid" + std::to_string(gid.index) + ".";
        fact(Topic::network, row + "type", gid.type);
        fact(Topic::network, row + "netdev", gid.netdev);
      }
    }
  }

  void link(const Link& link) {
    if (link.kind != LinkKind::pcie && link.kind != LinkKind::nvlink &&
        link.kind != LinkKind::xgmi && link.kind != LinkKind::c2c)
      return;
    place(link.a);
    if (link.kind != LinkKind::pcie) {
      const Device& far = machine_[link.b];
      const std::string to = far.address ? far.address->text() : far.id;
      fact(Topic::link, "links to " + to, link.width);
      return;
    }
    const bool idle = saves_power(machine_[link.a]) && link.speed_possible;
    fact(Topic::link, "link_width", link.width);
    fact(Topic::link, "link_width_possible", link.width_possible);
    fact(Topic::link, "link_speed", idle ? link.speed_possible : link.speed);
    fact(Topic::link, "link_speed_possible", link.speed_possible);
  }

  void named(Topic topic, const char* list, const NamedFacts& facts) {
    for (const auto& [name, one] : facts) fact(topic, std::string(list) + "." + name, one);
  }

  void host() {
    at("host", "host");
    facts(machine_.host);
    named(Topic::settings, "sysctls", machine_.host.sysctls);
    named(Topic::driver, "libraries", machine_.host.libraries);
    named(Topic::driver, "services", machine_.host.services);
    for (const KernelModule& module : machine_.modules) {
      const std::string name = "modules." + module.name;
      say(Topic::driver, name, module.version.value_or("loaded"));
      for (const auto& [parameter, value] : module.parameters)
        fact(Topic::settings, name + ".parameters." + parameter, value);
    }
    for (const Variable& variable : machine_.variables)
      if (!comparing::is_of_one_rank(variable.name) &&
          !(is_rank_ && comparing::is_rank_share(variable.name)))
        say(Topic::settings, "variables." + variable.name, variable.value);
    for (const std::string& event : serious_events(machine_))
      say(Topic::health, "kernel log." + event, "logged");
  }

  const Machine& machine_;
  const std::function<void(const Property&)>& visit_;
  const bool is_rank_;
  std::vector<bool> linked_;  // ends of a PCIe link, which speaks for them
  std::string subject_;
  std::string label_;
};

}  // namespace

bool belongs_to_shape(Topic topic, std::string_view key) {
  if (topic == Topic::identity || topic == Topic::counters || topic == Topic::activity)
    return false;
  // irqbalance moves interrupts at any time.
  return key != "interrupt_affinity" && key != "interrupts";
}

std::set<std::string> serious_events(const Machine& machine) {
  std::set<std::string> out;
  for (const Event& event : machine.events)
    if (event.severity >= EventSeverity::nonfatal) out.insert(comparing::event_name(event, false));
  return out;
}

void shape_of(const Machine& machine, const std::function<void(const Property&)>& visit) {
  ShapeWriter(machine, visit).all();
}

}  // namespace railgauge::model
