#include <gtest/gtest.h>

#include "model/nccl_constants.h"
#include "model/paths.h"
#include "model/testing.h"

namespace railgauge::model {
namespace {

constexpr NcclVersion now{2, 28, 9};

// Two NUMA nodes of one switch each; gpu0, gpu1 and nic0 below the first, gpu2 and nic1 below the
// second.
struct Node {
  TestMachine t;
  DeviceId gpu0, gpu1, gpu2, nic0, nic1;
};

Node node(const char* product = "NVIDIA H100 80GB HBM3") {
  Node n;
  for (int i = 0; i < 2; ++i) {
    const auto numa = n.t.numa(i);
    auto& cpu = *n.t.machine[numa].cpu;
    cpu.vendor.claim("GenuineIntel", n.t.sysfs());
    cpu.family.claim(6, n.t.sysfs());
    cpu.model.claim(143, n.t.sysfs());
    const auto sw = n.t.pcie_switch(n.t.root_port(n.t.host_bridge(numa)));
    (i == 0 ? n.gpu0 : n.gpu2) = n.t.gpu(n.t.below(sw), product);
    if (i == 0) n.gpu1 = n.t.gpu(n.t.below(sw), product);
    const auto nic = n.t.nic(n.t.below(sw));
    (i == 0 ? n.nic0 : n.nic1) = nic;
    NicPort port;
    port.rate.claim(gigabits_per_second(400), n.t.sysfs());
    n.t.machine[nic].nic->ports.push_back(port);
  }
  return n;
}

TEST(NcclPathOf, ThePcieTreeGivesPixAndSys) {
  auto n = node();
  n.t.settle();
  EXPECT_EQ(nccl_path(n.t.machine, n.gpu0, n.gpu1, now), Reading<NcclPath>(NcclPath::pix));
  EXPECT_EQ(nccl_path(n.t.machine, n.gpu0, n.nic0, now), Reading<NcclPath>(NcclPath::pix));
  EXPECT_EQ(nccl_path(n.t.machine, n.gpu0, n.gpu2, now), Reading<NcclPath>(NcclPath::sys));
  EXPECT_EQ(nccl_path(n.t.machine, n.gpu0, n.nic1, now), Reading<NcclPath>(NcclPath::sys));
  EXPECT_EQ(*nccl_bandwidth(n.t.machine, n.gpu0, n.gpu1, now), gigabytes_per_second(48));
  EXPECT_EQ(*nccl_bandwidth(n.t.machine, n.gpu0, n.gpu2, now), gigabytes_per_second(22));
  EXPECT_EQ(*nccl_bandwidth(n.t.machine, n.gpu0, n.gpu2, {2, 25, 1}), gigabytes_per_second(10));
}

TEST(NcclPathOf, ASwitchedH100IsNvlAndReachesFarNicsThroughPeers) {
  auto n = node();
  const auto chip = n.t.machine.add(DeviceKind::nvswitch, n.t.sysfs());
  for (const DeviceId gpu : {n.gpu0, n.gpu1, n.gpu2}) n.t.nvlink(gpu, chip, 18);
  n.t.settle();
  EXPECT_EQ(*nccl_path(n.t.machine, n.gpu0, n.gpu2, now), NcclPath::nvl);
  EXPECT_DOUBLE_EQ(nccl_bandwidth(n.t.machine, n.gpu0, n.gpu2, now)->value, 370.8e9);
  EXPECT_EQ(*nccl_path(n.t.machine, n.gpu0, n.nic1, now), NcclPath::pxn);
  EXPECT_EQ(*nccl_path(n.t.machine, n.gpu0, n.nic1, {2, 11, 4}), NcclPath::sys);
  EXPECT_EQ(*nccl_path(n.t.machine, n.gpu0, n.nic0, now), NcclPath::pix);
}

TEST(NcclPathOf, AllSwitchChipsAreOneNodeAndTheirLinksAddUp) {
  auto n = node();
  for (const int width : {5, 5, 4, 4}) {
    const auto chip = n.t.machine.add(DeviceKind::nvswitch, n.t.sysfs());
    for (const DeviceId gpu : {n.gpu0, n.gpu1, n.gpu2}) n.t.nvlink(gpu, chip, width);
  }
  n.t.settle();
  EXPECT_EQ(*nccl_path(n.t.machine, n.gpu0, n.gpu2, now), NcclPath::nvl);
  EXPECT_NEAR(nccl_bandwidth(n.t.machine, n.gpu0, n.gpu2, now)->value, 370.8e9, 1);
}

TEST(NcclPathOf, OneHopOverAnotherGpuIsNvbSince28) {
  auto n = node("Tesla V100-SXM2");
  n.t.nvlink(n.gpu0, n.gpu1, 2);
  n.t.nvlink(n.gpu1, n.gpu2, 1);
  n.t.settle();
  EXPECT_EQ(*nccl_path(n.t.machine, n.gpu0, n.gpu2, now), NcclPath::nvb);
  EXPECT_EQ(*nccl_bandwidth(n.t.machine, n.gpu0, n.gpu2, now), gigabytes_per_second(20));
  EXPECT_EQ(*nccl_path(n.t.machine, n.gpu0, n.gpu2, {2, 7, 8}), NcclPath::sys);
}

TEST(NcclPathOf, CascadedSwitchesArePxbAndTheCpuIsPhb) {
  TestMachine t;
  const auto numa = t.numa(0);
  t.machine[numa].cpu->vendor.claim("GenuineIntel", t.sysfs());
  const auto outer = t.pcie_switch(t.root_port(t.host_bridge(numa)));
  const auto a = t.gpu(t.below(t.pcie_switch(t.below(outer))));
  const auto b = t.gpu(t.below(t.pcie_switch(t.below(outer))));
  const auto c = t.gpu(t.root_port(t.host_bridge(numa)));
  t.settle();
  EXPECT_EQ(*nccl_path(t.machine, a, b, now), NcclPath::pxb);
  EXPECT_EQ(*nccl_path(t.machine, a, c, now), NcclPath::phb);
  EXPECT_EQ(*nccl_bandwidth(t.machine, a, c, now), gigabytes_per_second(40));
}

TEST(NcclPathOf, C2cToTheCpuAndPcieOnIsP2cSince227) {
  TestMachine t;
  const auto numa = t.numa(0);
  const auto gpu = t.gpu(t.root_port(t.host_bridge(numa)));
  const auto nic = t.nic(t.root_port(t.host_bridge(numa)));
  Link c2c;
  c2c.a = gpu;
  c2c.b = numa;
  c2c.kind = LinkKind::c2c;
  c2c.as_found = gigabytes_per_second(450);
  t.machine.links.push_back(c2c);
  t.settle();
  EXPECT_EQ(*nccl_path(t.machine, gpu, nic, now), NcclPath::p2c);
  EXPECT_EQ(*nccl_path(t.machine, gpu, nic, {2, 26, 2}), NcclPath::phb);
}

TEST(NcclPathOf, WithoutGpudirectTheNicIsBehindTheCpu) {
  auto n = node();
  n.t.machine[n.nic0].nic->gpudirect.claim(false, n.t.sysfs());
  n.t.settle();
  EXPECT_EQ(*nccl_path(n.t.machine, n.gpu0, n.nic0, now), NcclPath::phb);
}

TEST(NcclPathOf, WhatNcclHasNoPathForIsUnknown) {
  auto n = node();
  n.t.settle();
  EXPECT_FALSE(nccl_path(n.t.machine, n.nic0, n.nic1, now));
  const auto lone = n.t.gpu(std::nullopt);
  n.t.settle();
  EXPECT_FALSE(nccl_path(n.t.machine, n.gpu0, lone, now));
}

TEST(NcclConstants, FollowTheReleases) {
  EXPECT_EQ(nccl::nvlink_gbps(70, {2, 9, 9}), 21);
  EXPECT_EQ(nccl::nvlink_gbps(80, {2, 12, 12}), 22);
  EXPECT_EQ(nccl::nvlink_gbps(90, {2, 18, 5}), 20);
  EXPECT_EQ(nccl::nvlink_gbps(90, {2, 28, 9}), 20.6);
  EXPECT_EQ(nccl::nvlink_gbps(100, {2, 27, 3}), 40);
  EXPECT_EQ(nccl::nvlink_gbps(100, {2, 28, 3}), 40.1);
  EXPECT_EQ(nccl::pcie_gbps(*PcieSpeed::of_generation(3), 16), 12);
  EXPECT_EQ(nccl::pcie_gbps(*PcieSpeed::of_generation(6), 16), 96);
  EXPECT_FALSE(nccl::pcie_gbps(PcieSpeed{3200}, 16));
}

}  // namespace
}  // namespace railgauge::model
