#include <gtest/gtest.h>

#include "base/strings.h"
#include "judge/rules/pcie_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

// A switch with a GPU, an adapter and a drive, each below a port of its own.
struct SwitchCase : Case {
  DeviceId gpu_port, nic_port, drive_port, gpu, nic;
  SwitchCase() {
    const DeviceId top = t.pcie_switch(t.root_port(t.host_bridge(t.numa(0))));
    gpu_port = t.below(top);
    nic_port = t.below(top);
    drive_port = t.below(top);
    gpu = t.gpu(gpu_port);
    nic = t.nic(nic_port);
    t.endpoint(DeviceKind::nvme, drive_port);
    at(gpu_port, "0000:16:00.0");
    at(gpu, "0000:17:00.0");
    at(nic, "0000:18:00.0");
    for (const DeviceId port : {gpu_port, nic_port, drive_port}) acs(port, {});
  }
  void acs(DeviceId port, AcsControl control) { set(machine()[port].pci->acs, control); }
};

AcsControl redirecting() {
  AcsControl out;
  out.source_validation = true;
  out.request_redirect = true;
  out.completion_redirect = true;
  return out;
}

TEST(AcsRedirect, APortBetweenGpuAndAdapterIsAWarning) {
  SwitchCase c;
  c.acs(c.gpu_port, redirecting());
  c.t.settle();
  const auto report = c.check("PCI009");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].severity, Severity::warning);
  EXPECT_TRUE(contains(report.findings[0].text, "ReqRedir+"));
  EXPECT_TRUE(contains(report.findings[0].remedy[0].command, "0000:16:00.0"));
}

TEST(AcsRedirect, StoragePathsAndSourceValidationAreBenign) {
  SwitchCase c;
  c.acs(c.drive_port, redirecting());
  AcsControl validation;
  validation.source_validation = true;
  c.acs(c.gpu_port, validation);
  c.t.settle();
  const auto report = c.check("PCI009");
  EXPECT_TRUE(report.findings.empty());
  EXPECT_TRUE(passed(report, "PCI009"));
}

TEST(AcsRedirect, AHostOfGuestsNeedsItAndAGuestCannotSeeIt) {
  SwitchCase c;
  c.acs(c.gpu_port, redirecting());
  c.machine()[c.nic].pci->driver.claim("vfio-pci", c.t.sysfs());
  c.t.settle();
  EXPECT_EQ(c.check("PCI009").findings.at(0).severity, Severity::note);
  SwitchCase guest;
  guest.acs(guest.gpu_port, redirecting());
  guest.guest();
  guest.t.settle();
  EXPECT_TRUE(unknown(guest.check("PCI009"), "PCI009"));
}

Case iommu(const char* domains, std::vector<std::string> words) {
  Case c;
  c.t.gpu({});
  c.t.gpu({});
  if (domains != nullptr) c.machine().host.iommu.claim(domains, c.t.sysfs());
  if (!words.empty()) c.machine().host.kernel_arguments.claim(words, c.t.sysfs());
  return c;
}

TEST(IommuTranslating, DomainsAndArgumentsTell) {
  EXPECT_TRUE(said(iommu("DMA-FQ", {}).check("PCI010"), "PCI010"));
  EXPECT_TRUE(said(iommu(nullptr, {"intel_iommu=on"}).check("PCI010"), "PCI010"));
  EXPECT_TRUE(passed(iommu("identity", {}).check("PCI010"), "PCI010"));
  EXPECT_TRUE(passed(iommu(nullptr, {"intel_iommu=on", "iommu=pt"}).check("PCI010"), "PCI010"));
  EXPECT_TRUE(passed(iommu("off", {}).check("PCI010"), "PCI010"));
  EXPECT_TRUE(unknown(iommu(nullptr, {"quiet"}).check("PCI010"), "PCI010"));
}

TEST(IommuTranslating, AHostOfGuestsNeedsIt) {
  Case c = iommu("DMA", {});
  PciFacts pci;
  pci.driver.claim("vfio-pci", c.t.sysfs());
  c.machine()[DeviceId{0}].pci = pci;
  EXPECT_EQ(c.check("PCI010").findings.at(0).severity, Severity::note);
}

TEST(IommuTranslating, OneGpuAloneAndGuestsAreNotJudged) {
  Case one;
  one.t.gpu({});
  one.machine().host.iommu.claim("DMA", one.t.sysfs());
  EXPECT_TRUE(one.check("PCI010").findings.empty());
  Case guest = iommu("DMA", {});
  guest.guest();
  EXPECT_TRUE(guest.check("PCI010").findings.empty());
}

TEST(IommuFault, OfAGpuIsAnErrorAndOfADriveAWarning) {
  Case c;
  const DeviceId gpu = c.t.gpu({});
  c.at(gpu, "0000:5e:00.0");
  c.event(EventKind::iommu, EventSeverity::nonfatal, "DMAR: fault").device =
      PciAddress::parse("0000:5e:00.0");
  EXPECT_EQ(c.check("PCI024").findings.at(0).severity, Severity::error);
  Case other;
  other.event(EventKind::iommu, EventSeverity::nonfatal, "DMAR: fault").device =
      PciAddress::parse("0000:5e:00.0");
  EXPECT_EQ(other.check("PCI024").findings.at(0).severity, Severity::warning);
  Case quiet;
  quiet.quiet_log();
  EXPECT_TRUE(passed(quiet.check("PCI024"), "PCI024"));
}

TEST(DeviceOnForeignDriver, UioIsAnErrorAndVfioANote) {
  for (const auto& [driver, severity] :
       {std::pair{"uio_pci_generic", Severity::error}, std::pair{"vfio-pci", Severity::note}}) {
    SwitchCase c;
    c.machine()[c.nic].pci->driver.claim(driver, c.t.sysfs());
    const auto report = c.check("PCI023");
    ASSERT_EQ(report.findings.size(), 1U) << driver;
    EXPECT_EQ(report.findings[0].severity, severity) << driver;
  }
  SwitchCase fine;
  fine.machine()[fine.nic].pci->driver.claim("mlx5_core", fine.t.sysfs());
  EXPECT_TRUE(passed(fine.check("PCI023"), "PCI023"));
}

TEST(AspmEnabled, EnabledOnAGpusPathIsAWarningAndDisabledPasses) {
  SwitchCase c;
  c.machine()[c.gpu].pci->aspm.claim(Aspm::l1, c.t.sysfs());
  EXPECT_EQ(c.check("PCI008").findings.at(0).severity, Severity::warning);
  SwitchCase fine;
  fine.machine()[fine.gpu].pci->aspm.claim(Aspm::disabled, fine.t.sysfs());
  EXPECT_TRUE(passed(fine.check("PCI008"), "PCI008"));
}

TEST(AspmEnabled, AGraphicsCardIsANoteAndAHiddenFieldUnknown) {
  Case c;
  const DeviceId gpu = c.t.gpu({}, "NVIDIA GeForce RTX 4090");
  c.machine()[gpu].pci->aspm.claim(Aspm::l1, c.t.sysfs());
  EXPECT_EQ(c.check("PCI008").findings.at(0).severity, Severity::note);
  SwitchCase hidden;
  hidden.machine()[hidden.gpu].pci->aspm.refuse("needs root", hidden.t.sysfs());
  EXPECT_TRUE(unknown(hidden.check("PCI008"), "PCI008"));
}

Case bar(std::uint64_t bar1, std::uint64_t memory, const char* name) {
  Case c;
  const DeviceId gpu = c.t.gpu({}, name);
  if (bar1 > 0) c.machine()[gpu].gpu->bar1_bytes.claim(bar1, c.t.sysfs());
  c.machine()[gpu].gpu->memory_bytes.claim(memory, c.t.sysfs());
  return c;
}

TEST(Bar1Small, AgainstTheMemory) {
  constexpr std::uint64_t mib = 1 << 20;
  constexpr std::uint64_t gib = 1 << 30;
  EXPECT_EQ(
      bar(256 * mib, 80 * gib, "NVIDIA H100 80GB HBM3").check("PCI011").findings.at(0).severity,
      Severity::warning);
  EXPECT_EQ(
      bar(256 * mib, 24 * gib, "NVIDIA GeForce RTX 3090").check("PCI011").findings.at(0).severity,
      Severity::note);
  EXPECT_TRUE(passed(bar(128 * gib, 80 * gib, "NVIDIA H100 80GB HBM3").check("PCI011"), "PCI011"));
  EXPECT_TRUE(unknown(bar(0, 80 * gib, "NVIDIA H100 80GB HBM3").check("PCI011"), "PCI011"));
}

TEST(ReadRequest, SmallOnesOfFastAdaptersOnly) {
  for (const auto& [size, severity] :
       {std::pair{512, Severity::note}, std::pair{128, Severity::warning}}) {
    SwitchCase c;
    c.machine()[c.nic].pci->max_read_request_bytes.claim(size, c.t.sysfs());
    const auto report = c.check("PCI014");
    ASSERT_EQ(report.findings.size(), 1U) << size;
    EXPECT_EQ(report.findings[0].severity, severity) << size;
  }
  SwitchCase fine;
  fine.machine()[fine.nic].pci->max_read_request_bytes.claim(4096, fine.t.sysfs());
  EXPECT_TRUE(passed(fine.check("PCI014"), "PCI014"));
  SwitchCase slow;
  slow.machine()[slow.nic].pci->max_read_request_bytes.claim(512, slow.t.sysfs());
  NicPort port;
  port.rate.claim(gigabits_per_second(25), slow.t.sysfs());
  slow.machine()[slow.nic].nic->ports.push_back(port);
  EXPECT_TRUE(slow.check("PCI014").findings.empty());
}

TEST(RelaxedOrdering, OffIsANoteOnPassesHiddenIsUnknown) {
  SwitchCase c;
  for (const DeviceId id : {c.gpu, c.nic})
    c.machine()[id].pci->aspm.claim(Aspm::disabled, c.t.sysfs());
  c.machine()[c.nic].pci->relaxed_ordering.claim(false, c.t.sysfs());
  EXPECT_EQ(c.check("PCI013").findings.at(0).severity, Severity::note);
  c.set(c.machine()[c.nic].pci->relaxed_ordering, true);
  EXPECT_TRUE(passed(c.check("PCI013"), "PCI013"));
  c.machine()[c.nic].pci->relaxed_ordering = {};
  c.machine()[c.nic].pci->relaxed_ordering.refuse("needs root", c.t.sysfs());
  EXPECT_TRUE(unknown(c.check("PCI013"), "PCI013"));
}

TEST(PayloadMismatch, LargerBelowIsAWarningSmallerANoteEqualPasses) {
  for (const auto& [below, severity] :
       {std::pair{512, std::optional(Severity::warning)},
        std::pair{128, std::optional(Severity::note)}, std::pair{256, std::optional<Severity>()}}) {
    SwitchCase c;
    c.machine()[c.gpu].pci->max_payload_bytes.claim(below, c.t.sysfs());
    c.machine()[c.gpu_port].pci->max_payload_bytes.claim(256, c.t.sysfs());
    c.t.settle();
    const auto report = c.check("PCI015");
    if (!severity) {
      EXPECT_TRUE(passed(report, "PCI015"));
      continue;
    }
    ASSERT_EQ(report.findings.size(), 1U) << below;
    EXPECT_EQ(report.findings[0].severity, *severity) << below;
  }
}

}  // namespace
}  // namespace railgauge::judge
