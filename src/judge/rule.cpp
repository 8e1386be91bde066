#include "judge/rule.h"

#include <fmt/format.h>

#include <algorithm>

namespace railgauge::judge {

using namespace model;

Finding& Verdicts::fail(std::string subject, std::string text) {
  Finding& finding = failures.emplace_back();
  finding.subject = std::move(subject);
  finding.text = std::move(text);
  finding.severity = severity_;
  return finding;
}

Finding& Verdicts::fail(const Machine& machine, DeviceId device, std::string text) {
  Finding& finding = fail(subject_of(machine, device), std::move(text));
  finding.devices = {device};
  return finding;
}

void Verdicts::unknown(std::string subject, Need need) {
  const NeedWords how = words(need);
  unknown(std::move(subject), std::string(how.what), std::string(how.command));
}

void Verdicts::unknown(std::string subject, std::string needs, std::string command) {
  unknowns.push_back({{}, {}, std::move(subject), std::move(needs), std::move(command)});
}

std::vector<const Rule*> all_rules() {
  std::vector<const Rule*> out;
  for (const Family& family : families())
    for (const Rule& rule : family) out.push_back(&rule);
  std::sort(out.begin(), out.end(), [](const Rule* a, const Rule* b) { return a->id < b->id; });
  return out;
}

const Rule* find_rule(std::string_view id_or_name) {
  for (const Family& family : families())
    for (const Rule& rule : family)
      if (rule.id == id_or_name || rule.name == id_or_name) return &rule;
  return nullptr;
}

std::string subject_of(const Machine& machine, DeviceId id) {
  const Device& device = machine[id];
  return device.address ? fmt::format("{} ({})", device.id, device.address->text()) : device.id;
}

std::string subject_of(const Machine& machine, DeviceId device, int port) {
  return fmt::format("{} port {}", machine[device].id, port);
}

Evidence evidence(const Machine& machine, std::string what, std::string observed,
                  std::string expected, SourceRef source) {
  return {std::move(what), std::move(observed), std::move(expected), machine.sources.text(source)};
}

bool in_virtual_machine(const Patient& patient) {
  const auto& hypervisor = patient.machine.host.hypervisor;
  return hypervisor && *hypervisor != "none";
}

}  // namespace railgauge::judge
