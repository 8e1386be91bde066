// Small patients for the tests of the families about PCIe, NVLink and GPUs.
//   Case c;
//   const DeviceId gpu = c.gpu(c.t.root_port(…));
//   EXPECT_EQ(c.check("PCI012").findings.size(), 1U);
// Only tests include this.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

#include "judge/findings.h"
#include "judge/rule.h"
#include "model/testing.h"

namespace railgauge::judge {

struct Case {
  model::TestMachine t;
  model::Catalogue catalogue = model::round_catalogue();
  model::Advice advice;
  const model::Machine* earlier = nullptr;
  const model::Machine* reference = nullptr;
  bool trust_virtual_links = false;

  model::Machine& machine() { return t.machine; }

  Patient patient() const {
    return {.machine = t.machine,
            .catalogue = catalogue,
            .advice = advice,
            .earlier = earlier,
            .reference = reference,
            .trust_virtual_links = trust_virtual_links};
  }
  model::CheckReport check(std::vector<std::string> only) const {
    return findings(patient(), {.only = std::move(only)});
  }
  model::CheckReport check(const char* only) const { return check(std::vector<std::string>{only}); }

  void guest() { t.machine.host.hypervisor.claim("kvm", t.sysfs()); }

  void at(model::DeviceId id, const char* address) {
    t.machine[id].address.claim(*model::PciAddress::parse(address), t.sysfs());
  }

  // One root port with one device of the kind below it, at these two addresses.
  model::DeviceId slot(model::DeviceKind kind, const char* port, const char* device) {
    const model::DeviceId root = t.root_port(t.host_bridge(t.numa(0)));
    at(root, port);
    const model::DeviceId id = kind == model::DeviceKind::gpu ? t.gpu(root) : t.nic(root);
    at(id, device);
    return id;
  }

  // Sets the one claim of a fact anew.
  template <class T>
  void set(model::Fact<T>& fact, T value) {
    fact = {};
    fact.claim(std::move(value), t.sysfs());
  }

  // A line of the kernel log; lines count by themselves.
  model::Event& event(model::EventKind kind, model::EventSeverity severity, std::string text) {
    model::Event one;
    one.kind = kind;
    one.severity = severity;
    one.text = std::move(text);
    one.source = model::from(t.machine, "dmesg.txt", model::Trust::tool)
                     .at_line(static_cast<std::uint32_t>(t.machine.events.size() + 1));
    t.machine.events.push_back(std::move(one));
    return t.machine.events.back();
  }
  model::Event& xid(int code, const char* address, std::string text = "NVRM: Xid") {
    model::Event& one = event(model::EventKind::xid, model::EventSeverity::nonfatal, text);
    one.code = code;
    one.device = model::PciAddress::parse(address);
    if (one.device && !t.machine.at(*one.device)) {
      const model::DeviceId id = t.machine.add(model::DeviceKind::gpu, t.sysfs());
      at(id, address);
    }
    return one;
  }
  // A log that was read and says nothing.
  void quiet_log() { t.machine.host.kernel_log_lines.claim(100, t.sysfs()); }
};

inline bool said(const model::CheckReport& report, std::string_view id) {
  for (const model::Finding& finding : report.findings)
    if (finding.id == id) return true;
  return false;
}
inline bool passed(const model::CheckReport& report, std::string_view id) {
  return std::find(report.passed.begin(), report.passed.end(), id) != report.passed.end();
}
inline bool unknown(const model::CheckReport& report, std::string_view id) {
  for (const model::NotChecked& one : report.not_checked)
    if (one.id == id) return true;
  return false;
}
inline const model::Finding* find(const model::CheckReport& report, std::string_view id) {
  for (const model::Finding& finding : report.findings)
    if (finding.id == id) return &finding;
  return nullptr;
}

}  // namespace railgauge::judge
