#include "judge/fold.h"

#include <gtest/gtest.h>

namespace railgauge::judge {
namespace {

using namespace model;

Finding of(std::string id, Severity severity, std::vector<DeviceId> devices) {
  Finding out;
  out.id = std::move(id);
  out.severity = severity;
  out.devices = std::move(devices);
  return out;
}

struct Tree {
  Machine machine;
  DeviceId port = machine.add(DeviceKind::root_port, {});
  DeviceId gpu = machine.add(DeviceKind::gpu, {});
  DeviceId other = machine.add(DeviceKind::gpu, {});
  Tree() { machine[gpu].parent = port; }
};

TEST(Fold, ACauseOnThePathTakesInItsConsequenceAndItsSeverity) {
  Tree tree;
  std::vector<Finding> findings{of("PCI012", Severity::warning, {tree.port}),
                                of("PCI003", Severity::error, {tree.gpu})};
  fold(tree.machine, findings);
  ASSERT_EQ(findings.size(), 1U);
  EXPECT_EQ(findings[0].id, "PCI012");
  EXPECT_EQ(findings[0].severity, Severity::error);
  ASSERT_EQ(findings[0].consequences.size(), 1U);
  EXPECT_EQ(findings[0].consequences[0].id, "PCI003");
}

TEST(Fold, AnotherDevicesFindingStaysBesideIt) {
  Tree tree;
  std::vector<Finding> findings{of("PCI012", Severity::warning, {tree.port}),
                                of("PCI003", Severity::error, {tree.other})};
  fold(tree.machine, findings);
  EXPECT_EQ(findings.size(), 2U);
}

}  // namespace
}  // namespace railgauge::judge
