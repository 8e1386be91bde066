#include "model/fleet/fleet.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "model/fleet/hostlist.h"
#include "model/testing.h"

namespace railgauge::model {
namespace {

using Strings = std::vector<std::string>;

TEST(Hostlist, FoldsRunsOfTheLastNumber) {
  EXPECT_EQ(hostlist({"node001", "node002", "node003", "node007"}), "node[001-003,007]");
  EXPECT_EQ(hostlist({"a1", "a2"}), "a[1,2]");
  EXPECT_EQ(hostlist({"a9", "a10", "a11"}), "a[9-11]");
  EXPECT_EQ(hostlist({"rack1-node07"}), "rack1-node07");
  EXPECT_EQ(hostlist({"n099", "n100", "n101"}), "n[099-101]");
  EXPECT_EQ(hostlist({"gpu-1.site", "gpu-2.site", "login"}), "gpu-[1,2].site,login");
  EXPECT_EQ(hostlist({}), "");
  EXPECT_EQ(hostlist({"x99999999999999999999999"}), "x99999999999999999999999");
}

// A small server that can be odd in four ways.
Machine server(int number, int variant) {
  TestMachine t;
  const auto sys = t.machine.sources.add("sys/devices", Trust::kernel);
  t.machine.name = "node" + std::to_string(number);
  const auto sw = t.pcie_switch(t.root_port(t.host_bridge(t.numa(0, t.package()))));
  std::vector<DeviceId> ends{t.gpu(t.below(sw)), t.nic(t.below(sw))};
  if (variant != 1) ends.push_back(t.gpu(t.below(sw)));
  std::uint8_t bus = 0x20;
  for (const DeviceId id : ends) t.machine[id].address.claim({0, bus++, 0, 0}, sys);
  t.machine[ends[0]].gpu->serial.claim("serial" + std::to_string(number), sys);
  t.machine[ends[0]].gpu->temperature_celsius.claim(30 + number % 50, sys);
  t.machine[ends[1]].nic->firmware.claim(variant == 2 ? "28.36" : "28.39", sys);
  t.machine.host.hostname.claim(t.machine.name, sys);
  t.machine.host.bios_version.claim(variant == 3 ? "1." + std::to_string(number) : "1.1", sys);
  if (variant == 4) t.trained(ends[0], 5, 8);
  t.settle();
  return t.machine;
}

FleetReport report_of(const std::vector<Machine>& machines) {
  Fleet fleet;
  for (const Machine& machine : machines) fleet.add(machine);
  return fleet.report([&](std::size_t number) { return Result<Machine>(machines[number]); });
}

TEST(Fleet, AlikeMachinesAreOneGroupWhateverTheirSerialNumbersAndTemperatures) {
  const auto report = report_of({server(1, 0), server(2, 0), server(3, 0)});
  ASSERT_EQ(report.groups.size(), 1u);
  EXPECT_EQ(report.groups[0].machines, (Strings{"node1", "node2", "node3"}));
  EXPECT_TRUE(report.odd.empty());
}

TEST(Fleet, OddGroupsSayWhatIsOdd) {
  const auto report = report_of(
      {server(1, 0), server(2, 0), server(3, 1), server(4, 2), server(5, 0), server(6, 4)});
  ASSERT_EQ(report.groups.size(), 4u);
  EXPECT_EQ(report.groups[0].machines.size(), 3u);
  EXPECT_EQ(report.groups[1].words, Strings{"gpu1 gone"});
  EXPECT_EQ(report.groups[2].words, Strings{"nic0 firmware 28.36 (others 28.39)"});
  EXPECT_EQ(report.groups[3].words, Strings{"gpu0 link width x8 Gen5 (others x16 Gen5)"});
}

TEST(Fleet, OddPropertiesNameTheMachines) {
  const auto report = report_of({server(1, 0), server(2, 0), server(3, 2)});
  ASSERT_EQ(report.odd.size(), 1u);
  EXPECT_EQ(report.odd[0].key, "firmware");
  EXPECT_EQ(report.odd[0].subject, "nic0");
  EXPECT_EQ(report.odd[0].usual, "28.39");
  EXPECT_EQ(report.odd[0].usual_count, 2u);
  ASSERT_EQ(report.odd[0].odd.size(), 1u);
  EXPECT_EQ(report.odd[0].odd[0].machines, Strings{"node3"});
}

TEST(Fleet, ASpreadOfValuesIsOneProperty) {
  std::vector<Machine> machines;
  for (int i = 0; i < 60; ++i) machines.push_back(server(i, 3));
  const auto report = report_of(machines);
  EXPECT_EQ(report.groups.size(), 60u);
  ASSERT_EQ(report.odd.size(), 1u);
  EXPECT_EQ(report.odd[0].key, "bios_version");
  EXPECT_FALSE(report.groups[Fleet::explained_groups].differs_from);
}

TEST(Fleet, LauncherVariablesOfRanksAreNoShape) {
  std::vector<Machine> ranks;
  for (int i = 0; i < 4; ++i) {
    Machine one = server(1, 0);
    const auto environment = one.sources.add("system/environment", Trust::kernel);
    for (const char* name : {"OMPI_MCA_ess_base_vpid", "OMPI_MCA_orte_ess_node_rank", "PMIX_RANK",
                             "OMPI_COMM_WORLD_LOCAL_RANK", "RANK", "CUDA_VISIBLE_DEVICES",
                             "MASTER_PORT", "NCCL_HOSTID", "SLURM_PROCID"})
      one.variables.push_back({name, std::to_string(i), environment});
    one.variables.push_back({"NCCL_DEBUG", "INFO", environment});
    one.host.cpus_allowed.claim(std::to_string(i), environment);
    ranks.push_back(one);
  }
  EXPECT_EQ(report_of(ranks).groups.size(), 1u);
  ranks[2].variables.back().value = "TRACE";
  const auto report = report_of(ranks);
  ASSERT_EQ(report.groups.size(), 2u);
  EXPECT_EQ(report.groups[1].words, Strings{"NCCL_DEBUG TRACE (others INFO)"});
}

TEST(Fleet, SeriousKernelMessagesNameTheSickMachine) {
  std::vector<Machine> machines{server(1, 0), server(2, 0), server(3, 0)};
  Event event;
  event.kind = EventKind::xid;
  event.code = 79;
  event.severity = EventSeverity::fatal;
  event.source = machines[1].sources.add("kernel.log", Trust::kernel);
  machines[1].events = {event, event};
  event.severity = EventSeverity::corrected;
  machines[2].events = {event};
  const auto report = report_of(machines);
  ASSERT_EQ(report.groups.size(), 2u);
  EXPECT_EQ(report.groups[1].machines, Strings{"node2"});
  EXPECT_EQ(report.groups[1].words, Strings{"Xid 79 in the kernel log"});
}

TEST(Fleet, CounterFarFromTheOthersIsOddAndSplitsNoGroup) {
  std::vector<Machine> machines;
  for (int i = 0; i < 60; ++i) {
    machines.push_back(server(i, 0));
    const auto sys = machines.back().sources.add("sys/devices", Trust::kernel);
    for (Device& device : machines.back().devices)
      if (device.id == "nic0") {
        if (device.nic->ports.empty()) device.nic->ports.emplace_back();
        auto& counters = device.nic->ports[0].counters;
        counters["symbol_error"].value.claim(i == 19 ? 480 : 0, sys);
        counters["link_downed"].value.claim(i % 4 * 20, sys);  // spread: nobody is far
        counters["rx_bytes"].value.claim(i == 3 ? 1000000 : 0, sys);
      }
  }
  const auto report = report_of(machines);
  EXPECT_EQ(report.groups.size(), 1u);
  ASSERT_EQ(report.odd.size(), 1u);
  EXPECT_EQ(report.odd[0].key, "symbol_error");
  EXPECT_EQ(report.odd[0].usual, "0");
  EXPECT_EQ(report.odd[0].usual_count, 59u);
  ASSERT_EQ(report.odd[0].odd.size(), 1u);
  EXPECT_EQ(report.odd[0].odd[0].value, "480");
  EXPECT_EQ(report.odd[0].odd[0].machines, Strings{"node19"});
}

TEST(Fleet, ModelsAreGroupedApart) {
  std::vector<Machine> machines{server(1, 0), server(2, 0), server(3, 0), server(4, 2)};
  for (std::size_t i = 0; i < machines.size(); ++i) {
    const auto dmi = machines[i].sources.add("sys/class/dmi/id/product_name", Trust::kernel);
    machines[i].host.product.claim(i < 2 ? "A" : "B", dmi);
  }
  const auto report = report_of(machines);
  ASSERT_EQ(report.models.size(), 2u);
  ASSERT_EQ(report.groups.size(), 3u);
  EXPECT_EQ(report.groups[0].machines, (Strings{"node1", "node2"}));
  EXPECT_EQ(report.groups[1].model, 1u);
  EXPECT_FALSE(report.groups[1].differs_from);
  EXPECT_EQ(report.groups[2].differs_from, 1u);
}

// Grouping by the whole text of a shape, which keeps every text.
std::map<std::string, Strings> slow_groups(const std::vector<Machine>& machines) {
  std::map<std::string, Strings> out;
  for (const Machine& machine : machines) {
    Strings lines;
    shape_of(machine, [&](const Property& p) {
      lines.push_back(std::string(p.subject) + "|" + std::string(p.key) + "=" +
                      std::string(p.value));
    });
    std::sort(lines.begin(), lines.end());
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    out[text].push_back(machine.name);
  }
  return out;
}

TEST(Fleet, ThousandMachinesAreGroupedAsByTheirWholeText) {
  Random random(7);
  std::vector<Machine> machines;
  for (int i = 0; i < 1000; ++i) {
    const auto roll = random.below(100);
    machines.push_back(server(i, roll < 90 ? 0 : static_cast<int>(roll % 5)));
  }
  std::vector<Strings> expected, got;
  for (auto& [text, names] : slow_groups(machines)) expected.push_back(names);
  for (const FleetGroup& group : report_of(machines).groups) got.push_back(group.machines);
  std::sort(expected.begin(), expected.end());
  std::sort(got.begin(), got.end());
  EXPECT_EQ(got, expected);
}

}  // namespace
}  // namespace railgauge::model
