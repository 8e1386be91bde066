// What drivers of network adapters said in the kernel log: links that flap, adapters that fail.
#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/strings.h"
#include "judge/rules/ports_parts.h"
#include "judge/rules/ports_words.h"

namespace railgauge::judge {
namespace {

using namespace model;

bool is_link_down(const Event& event) {
  const std::string said = lower(event.text);
  return contains(said, "link down") || contains(said, "link is down") ||
         contains(said, "cable unplugged");
}

std::string who(const Machine& machine, const Event& event, std::vector<DeviceId>& devices) {
  if (!event.device) return "network adapter";
  const auto id = machine.at(*event.device);
  if (!id) return event.device->text();
  devices = {*id};
  return subject_of(machine, *id);
}

void flapping(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  std::map<std::string, std::vector<const Event*>> downs;
  for (const Event& event : machine.events)
    if (event.kind == EventKind::nic && is_link_down(event))
      downs[event.device ? event.device->text() : ""].push_back(&event);
  if (downs.empty()) out.pass();
  for (const auto& [address, events] : downs) {
    std::uint64_t times = 0;
    for (const Event* event : events) times += event->count;
    std::vector<Event> copies;
    for (const Event* event : events) copies.push_back(*event);
    std::vector<DeviceId> devices;
    const std::string subject = who(machine, *events.front(), devices);
    const auto groups = event_groups(copies);
    const auto& rate = groups.front().per_hour;
    Finding& finding = out.fail(
        subject, rate && times > 2
                     ? fmt::format("the link went down {} times, {:.1f} an hour", times, *rate)
                     : fmt::format("the link went down {}", counted(times, "time")));
    finding.devices = devices;
    // Once or twice is a boot, a cable or a switch that was serviced.
    if (times < 3) {
      finding.severity = Severity::note;
      finding.weight = 10;
    }
    finding.evidence = {
        evidence(machine, "kernel log", events.front()->text, {}, events.front()->source)};
    finding.impact.text =
        "NCCL waits up to 4.3 s times 7 retries for a link to come back; longer, "
        "and the job ends with completion error 12";
    finding.remedy = {root_step("see the module, its light and the reason of the last down",
                                "mlxlink -d DEVICE -m -c --show_eye"),
                      step("clean or swap the cable; if it stays with the port, swap the module")};
  }
}

// Of one adapter: the worst message stands for all.
void report_trouble(const Machine& machine, const std::vector<const Event*>& events,
                    Verdicts& out) {
  const Event& worst =
      **std::max_element(events.begin(), events.end(),
                         [](const Event* a, const Event* b) { return a->severity < b->severity; });
  std::uint64_t times = 0;
  for (const Event* event : events) times += event->count;
  std::vector<DeviceId> devices;
  const std::string subject = who(machine, worst, devices);
  Finding& finding =
      out.fail(subject, worst.text + (times > 1 ? fmt::format(" ({} messages)", times) : ""));
  finding.devices = devices;
  finding.impact.text = "commands to the adapter fail or connections over it stall";
  if (worst.severity == EventSeverity::fatal) {
    finding.severity = Severity::error;
    finding.weight = 90;
    finding.impact.text = "the adapter has stopped: its connections are lost";
  } else if (worst.severity == EventSeverity::warning) {
    finding.severity = Severity::note;
    finding.weight = 15;
  }
  for (const Event* event : events)
    if (finding.evidence.size() < 4)
      finding.evidence.push_back(evidence(machine, "kernel log", event->text, {}, event->source));
  finding.remedy = {
      root_step("read what the driver said around it", "dmesg -T | grep -E 'mlx5|bnxt|irdma'"),
      root_step("compare firmware and driver with the maker's list of known faults",
                "mlxfwmanager --query"),
      root_step("reset the adapter if it does not come back", "mlxfwreset -d DEVICE reset",
                Risk::interrupts, "every connection over the adapter ends")};
}

void trouble(const Patient& patient, Verdicts& out) {
  std::map<std::string, std::vector<const Event*>> adapters;
  for (const Event& event : patient.machine.events)
    if (event.kind == EventKind::nic && event.severity >= EventSeverity::warning &&
        !is_link_down(event))
      adapters[event.device ? event.device->text() : ""].push_back(&event);
  if (adapters.empty()) out.pass();
  for (const auto& [address, events] : adapters) report_trouble(patient.machine, events, out);
}

}  // namespace

std::vector<Rule> port_event_rules() {
  return {
      Rule{.id = "RDM026",
           .name = "nic-event",
           .severity = Severity::warning,
           .weight = 60,
           .needs = {Need::kernel_log},
           .look = trouble,
           .page = {.what = "The driver of a network adapter reported a failure.",
                    .why = "Health messages and command timeouts mean that the adapter's firmware "
                           "or its PCIe link is in trouble; what runs over it stalls or ends.",
                    .by_hand = "dmesg -T | grep -E 'mlx5_core|bnxt_en|irdma|efa'\n"
                               "\"health compromised\", \"wait_func\", \"TX timeout\".",
                    .remedy = "Update firmware and driver together; look for PCIe errors of the "
                              "same address; replace the card if it returns.",
                    .benign_if = "It happened once, while the machine booted or the firmware was "
                                 "updated. Warnings alone are shown as notes.",
                    .references = {"Linux kernel, Documentation/networking/devlink/mlx5.rst "
                                   "(health reporters)"}}},
      Rule{.id = "RDM027",
           .name = "link-flapping",
           .severity = Severity::warning,
           .weight = 75,
           .needs = {Need::kernel_log},
           .explains = {{"RDM016", Relation::same_device}, {"NCC008", Relation::anything}},
           .look = flapping,
           .page = {.what = "A network link went down repeatedly.",
                    .why = "Each time, every connection over it stalls; after the timeout of its "
                           "retries the job ends. Flapping is a dirty connector, a module or a "
                           "cable, seldom software.",
                    .by_hand = "dmesg -T | grep -iE 'link (is )?down'; cat "
                               "/sys/class/infiniband/*/ports/*/counters/link_downed",
                    .remedy = "Clean, reseat, then swap the cable and the module, one at a time, "
                              "and see with which part the fault moves.",
                    .benign_if = "Once or twice: the machine booted, or the switch was serviced.",
                    .references = {"mlxlink user manual", "NCCL User Guide, NCCL_IB_TIMEOUT"}}},
  };
}

}  // namespace railgauge::judge
