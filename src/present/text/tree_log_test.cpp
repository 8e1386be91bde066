// The parts of the text tree that come from kernel logs and counters.
#include <gtest/gtest.h>

#include "base/strings.h"
#include "present/present.h"

namespace railgauge::present {
namespace {

using model::Event;
using model::EventKind;
using model::EventSeverity;
using model::Machine;
using model::SourceRef;
using model::Trust;

const SourceRef here{1, 1, Trust::kernel};

Machine one_gpu() {
  Machine machine;
  machine.sources.add("kernel.log", Trust::kernel);
  const auto gpu = machine.add(model::DeviceKind::gpu, here);
  machine[gpu].id = "gpu0";
  machine[gpu].address.claim(*model::PciAddress::parse("0000:9b:00.0"), here);
  machine[gpu].pci.emplace();
  return machine;
}

Event xid(int code, double seconds) {
  Event event;
  event.kind = EventKind::xid;
  event.severity = code == 79 ? EventSeverity::fatal : EventSeverity::warning;
  event.device = model::PciAddress::parse("0000:9b:00.0");
  event.uptime_seconds = seconds;
  event.code = code;
  event.text = code == 79 ? "GPU has fallen off the bus." : "MMU Fault";
  event.source = here;
  return event;
}

TEST(TreeEvents, WorstComesFirstWithDeviceAndRate) {
  Machine machine = one_gpu();
  machine.events = {xid(31, 0), xid(31, 1800), xid(31, 3600), xid(79, 3601)};
  const std::string text = text_tree(machine, {});
  const auto fatal = text.find(
      "fatal      Xid 79  gpu0 (0000:9b:00.0)  3601.0 s after boot\n"
      "           GPU has fallen off the bus.\n");
  const auto warning = text.find(
      "warning    Xid 31  gpu0 (0000:9b:00.0)  ×3, 2/h  first 0.0 s after boot\n"
      "           MMU Fault\n");
  EXPECT_NE(fatal, std::string::npos) << text;
  EXPECT_NE(warning, std::string::npos) << text;
  EXPECT_LT(fatal, warning);
  EXPECT_TRUE(contains(text, "kernel log  4 events"));
}

TEST(TreeEvents, AreSaidWithoutAnyDeviceToo) {
  Machine machine;
  machine.events = {xid(31, 0)};
  EXPECT_TRUE(contains(text_tree(machine, {}), "Xid 31  0000:9b:00.0"));
}

TEST(TreeEvents, ManyKindsAreCountedUnlessVerbose) {
  Machine machine;
  for (int code = 100; code < 120; ++code) machine.events.push_back(xid(code, code));
  EXPECT_TRUE(contains(text_tree(machine, {}), "8 more kinds; verbose shows them"));
  Style verbose;
  verbose.verbose = true;
  EXPECT_TRUE(contains(text_tree(machine, verbose), "Xid 119"));
}

TEST(TreeCounters, ErrorsAreShownAndHealthyOnesAreNot) {
  Machine machine = one_gpu();
  auto& pci = *machine.devices[0].pci;
  pci.aer_correctable["BadTLP"].value.claim(7, here);
  pci.aer_correctable["RxErr"].value.claim(0, here);
  pci.aer_correctable["TOTAL_ERR_COR"].value.claim(7, here);
  const std::string text = text_tree(machine, {});
  EXPECT_TRUE(contains(text, "gpu0          BadTLP 7\n")) << text;
  EXPECT_TRUE(contains(text, "two samples would tell what grows now"));
}

TEST(TreeCounters, TwoSamplesGiveRates) {
  Machine machine = one_gpu();
  machine.taken.emplace();
  machine.taken->sample_seconds = {10};
  auto& device = machine[machine.add(model::DeviceKind::nic, here)];
  device.id = "mlx5_0";
  device.nic.emplace();
  auto& counters = device.nic->ports.emplace_back().counters;
  counters["rx_bytes"].value.claim(0, here);
  counters["rx_bytes"].later = {{10, 230'000'000'000}};
  counters["local_ack_timeouts"].value.claim(100, here);
  counters["local_ack_timeouts"].later = {{10, 105}};
  const std::string text = text_tree(machine, {});
  EXPECT_TRUE(contains(text, "mlx5_0        local_ack_timeouts 100 (+0.5/s)  rx_bytes 23 GB/s"))
      << text;
}

TEST(TreeCounters, MachineWithoutAnyHasNoSection) {
  EXPECT_FALSE(contains(text_tree(one_gpu(), {}), "counters"));
  EXPECT_FALSE(contains(text_tree(one_gpu(), {}), "kernel log"));
}

}  // namespace
}  // namespace railgauge::present
