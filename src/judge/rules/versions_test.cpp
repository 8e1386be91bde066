#include "judge/rules/ports_testing.h"
#include "judge/rules/versions_compare.h"

namespace railgauge::judge {
namespace {

using namespace model;

TEST(Versions, NumbersAreComparedAndWordsAreNot) {
  EXPECT_TRUE(version_less("535.104.05", "535.216"));
  EXPECT_FALSE(version_less("5.15.0-100-generic", "5.15.0-99-generic"));
  EXPECT_TRUE(version_less("MLNX_OFED_LINUX-23.10-0.5.5.0", "24.01"));
  EXPECT_FALSE(version_less("2.18", "2.18.0"));
  EXPECT_EQ(version_numbers("2.28.9+cuda12.4"), (std::vector<std::uint64_t>{2, 28, 9}));
  EXPECT_TRUE(version_numbers("unknown").empty());
  EXPECT_TRUE(version_in("2.18.1", "2.18.1", "2.18.3"));
  EXPECT_FALSE(version_in("2.18.3", "2.18.1", "2.18.3"));
  EXPECT_FALSE(version_in("unknown", "2", ""));
}

TEST(DriverLibrary, AnotherVersionThanTheModuleIs) {
  Bench b;
  b.machine.host.driver.claim("535.104.05", b.here);
  b.machine.host.libraries["libnvidia-ml"].claim("550.54.15", b.here);
  EXPECT_EQ(b.only("OSL014").severity, Severity::error);
  // A second copy that fits is enough.
  b.machine.host.libraries["libnvidia-ml"].claim("535.104.05", b.here);
  EXPECT_TRUE(b.passes("OSL014"));
}

TEST(DriverLibrary, TheKernelSaysMismatch) {
  Bench b;
  b.machine.host.driver.claim("535.104.05", b.here);
  b.event(EventKind::gpu_driver, EventSeverity::warning,
          "NVRM: API mismatch: the client has the version 550.54.15");
  EXPECT_TRUE(says(b.only("OSL014"), "API mismatch"));
}

TEST(Cuda, ANewerMajorVersionDoesNotStart) {
  Bench b;
  b.machine.host.driver.claim("535.104.05", b.here);
  b.machine.host.cuda.claim("12.2", b.here);
  b.machine.host.libraries["libcudart"].claim("13.0.48", b.here);
  EXPECT_EQ(b.only("OSL015").severity, Severity::error);
}

TEST(Cuda, ANewerMinorVersionIsANoteAndAnOlderOnePasses) {
  Bench b;
  b.machine.host.driver.claim("535.104.05", b.here);
  b.machine.host.cuda.claim("12.2", b.here);
  b.machine.host.libraries["libcudart"].claim("12.4.127", b.here);
  EXPECT_EQ(b.only("OSL015").severity, Severity::note);
  Bench old;
  old.machine.host.driver.claim("535.104.05", old.here);
  old.machine.host.cuda.claim("12.2", old.here);
  old.machine.host.libraries["libcudart"].claim("11.8.89", old.here);
  EXPECT_TRUE(old.passes("OSL015"));
}

TEST(Cuda, TheTableKnowsTheDriverWhereTheDriverDoesNotSay) {
  Bench b;
  b.machine.host.driver.claim("535.104.05", b.here);
  b.advice.bad_pairs.push_back({.id = "cuda-13",
                                .first = "cuda",
                                .first_from = "13.0",
                                .first_to = "14.0",
                                .second = "driver",
                                .second_from = "",
                                .second_to = "580",
                                .severity = "error",
                                .says = "CUDA 13 needs driver 580",
                                .remedy = "update",
                                .source = "CUDA Compatibility"});
  b.machine.host.libraries["libcudart"].claim("13.0.48", b.here);
  const Finding finding = b.only("OSL015");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.evidence[1].expected, "580 or later");
}

TEST(Cuda, AForwardCompatibilityPackageIsANote) {
  Bench b;
  b.machine.host.driver.claim("535.104.05", b.here);
  b.machine.host.cuda.claim("12.2", b.here);
  b.machine.host.libraries["libcudart"].claim("13.0.48", b.here);
  b.machine.host.libraries["libcuda"].claim("580.65.06", b.here);
  EXPECT_EQ(b.only("OSL015").severity, Severity::note);
}

TEST(OpenModules, BlackwellNeedsThemAndVoltaCannotUseThem) {
  for (const auto& [capability, open, wrong] :
       {std::tuple(100, false, true), std::tuple(100, true, false), std::tuple(90, false, false),
        std::tuple(90, true, false), std::tuple(70, true, true), std::tuple(70, false, false)}) {
    Bench b;
    const auto gpu = b.machine.add(DeviceKind::gpu, b.here);
    b.machine[gpu].gpu->compute_capability.claim(capability, b.here);
    b.machine.host.open_driver.claim(open, b.here);
    EXPECT_EQ(b.check("OSL016").findings.size(), wrong ? 1U : 0U) << capability << open;
  }
}

TEST(OpenModules, AnUnknownFlavourIsNotJudged) {
  Bench b;
  const auto gpu = b.machine.add(DeviceKind::gpu, b.here);
  b.machine[gpu].gpu->compute_capability.claim(120, b.here);
  EXPECT_TRUE(b.unknown("OSL016"));
}

BadPair tree_corruption() {
  return {.id = "nccl-2.18.1",
          .first = "nccl",
          .first_from = "2.18.1",
          .first_to = "2.18.3",
          .second = "compute",
          .second_from = "9.0",
          .second_to = "9.1",
          .severity = "error",
          .says = "wrong results with Tree and LL128",
          .remedy = "NCCL 2.18.3",
          .source = "NCCL 2.18.1 release notes"};
}

TEST(KnownBad, APairNeedsBothOfItsParts) {
  Bench b;
  b.advice.bad_pairs = {tree_corruption()};
  const auto gpu = b.machine.add(DeviceKind::gpu, b.here);
  b.machine[gpu].gpu->compute_capability.claim(90, b.here);
  b.machine.host.libraries["libnccl"].claim("2.18.1", b.here);
  const Finding finding = b.only("OSL018");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_EQ(finding.subject, "NCCL 2.18.1 with compute capability 9.0");
  EXPECT_EQ(finding.references.front(), "NCCL 2.18.1 release notes");
  b.machine[gpu].gpu->compute_capability = {};
  b.machine[gpu].gpu->compute_capability.claim(80, b.here);
  EXPECT_TRUE(b.passes("OSL018"));
}

TEST(KnownBad, WhatAJobSaidOutranksALibraryThatLiesSomewhere) {
  Bench b;
  b.advice.bad_pairs = {tree_corruption()};
  const auto gpu = b.machine.add(DeviceKind::gpu, b.here);
  b.machine[gpu].gpu->compute_capability.claim(90, b.here);
  b.machine.host.libraries["libnccl"].claim("2.18.1", b.here);
  NcclRun run;
  run.version.claim("2.28.9", b.here);
  b.machine.nccl_runs.push_back(run);
  EXPECT_TRUE(b.passes("OSL018"));
}

TEST(KnownBad, WithoutAVersionOfNcclItIsNotChecked) {
  Bench b;
  b.advice.bad_pairs = {tree_corruption()};
  b.machine.add(DeviceKind::gpu, b.here);
  EXPECT_TRUE(b.unknown("OSL018"));
}

TEST(KnownBad, NotesOfOneVersionAreOneFinding) {
  Bench b;
  BadPair pair = tree_corruption();
  pair.second = pair.second_from = pair.second_to = "";
  pair.severity = "note";
  b.advice.bad_pairs = {pair, pair};
  b.advice.bad_pairs[1].first_to = "2.22.3";
  b.machine.host.libraries["libnccl"].claim("2.18.1", b.here);
  const Finding finding = b.only("OSL018");
  EXPECT_EQ(finding.severity, Severity::note);
  EXPECT_TRUE(says(finding, "2 known faults of this version, the first: wrong results"));
  EXPECT_EQ(finding.evidence.size(), 2U);
  EXPECT_EQ(finding.remedy[0].text, "NCCL 2.22.3 or later has none of them");
}

TEST(KnownBad, FirmwareAndModulesAndCpusAreComponents) {
  Bench b;
  BadPair pair = tree_corruption();
  pair.first = "firmware:MT4129";
  pair.first_from = "28.38.1002";
  pair.first_to = "28.39";
  pair.second = "module:nvidia_peermem";
  pair.second_from = pair.second_to = "";
  pair.severity = "note";
  b.advice.bad_pairs = {pair};
  b.machine.host.driver.claim("580.65.06", b.here);
  const auto nic = b.nic("mlx5_0");
  b.machine[nic].nic->hca_type.claim("MT4129", b.here);
  b.machine[nic].nic->firmware.claim("28.38.1900", b.here);
  EXPECT_TRUE(b.silent("OSL017"));
  b.module("nvidia_peermem");
  EXPECT_EQ(b.only("OSL017").severity, Severity::note);
}

}  // namespace
}  // namespace railgauge::judge
