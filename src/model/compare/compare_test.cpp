#include "model/compare/compare.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "model/testing.h"

namespace railgauge::model {
namespace {

using Strings = std::vector<std::string>;
using Mutate = std::function<void(TestMachine&)>;

// Two GPUs and two NICs below one switch, all with addresses and identities, from one recording.
struct Box : TestMachine {
  DeviceId sw, gpu0, gpu1, nic0, nic1;
  SourceRef nvml, args;

  Box() {
    machine.name = "node07";
    machine.taken = Taken{"2026-11-01T00:00:00Z", "railgauge 1", true, false, "", {}};
    const auto sys = machine.sources.add("sys/devices", Trust::kernel);
    nvml = machine.sources.add("nvmlDeviceGetUUID(0)", Trust::driver);
    args = machine.sources.add("proc/cmdline", Trust::kernel);
    const auto port = root_port(host_bridge(numa(0, package())));
    sw = pcie_switch(port);
    gpu0 = gpu(below(sw));
    gpu1 = gpu(below(sw));
    nic0 = nic(below(sw));
    nic1 = nic(below(sw));
    std::uint8_t bus = 0x10;
    for (Device& device : machine.devices) {
      if (!is_pcie_bridge(device.kind) && device.kind != DeviceKind::gpu &&
          device.kind != DeviceKind::nic)
        continue;
      device.address.claim({0, bus++, 0, 0}, sys);
      device.pci->id.claim({0x10de, 0x2330}, sys);
    }
    identify(gpu0, "0");
    identify(gpu1, "1");
    for (const auto& [id, name] : {std::pair{nic0, "mlx5_0"}, {nic1, "mlx5_1"}}) {
      auto& facts = *machine[id].nic;
      facts.rdma_device.claim(name, sys);
      facts.guid.claim(std::string("506b:4b03:00a1:000") + name[5], sys);
      facts.firmware.claim("28.36.1010", sys);
      NicPort one;
      one.state.claim("ACTIVE", sys);
      one.mtu.claim(9000, sys);
      for (const int index : {1, 3}) {
        Gid gid;
        gid.index = index;
        gid.gid.claim("0000:0000:0000:0000:0000:ffff:0a00:000" + std::string(1, name[5]), sys);
        gid.type.claim(index == 1 ? "RoCE v1" : "RoCE v2", sys);
        one.gids.push_back(gid);
      }
      one.counters["symbol_errors"].value.claim(3, sys);
      one.counters["rx_bytes"].value.claim(1000, sys);
      facts.ports.push_back(one);
    }
    machine.host.kernel.claim("5.15.0", args);
    machine.host.hostname.claim("node07", args);
    machine.host.kernel_arguments.claim({"iommu=pt", "hugepages=0"}, args);
    machine.host.libraries["libnccl"].claim("2.27.3", sys);
    machine.modules.push_back({"nvidia_peermem", {}, {}, sys});
  }

  void identify(DeviceId id, const std::string& number) {
    auto& gpu = *machine[id].gpu;
    gpu.uuid.claim("GPU-0000000" + number, nvml);
    gpu.serial.claim("16500000" + number, nvml);
    gpu.vbios.claim("96.00.01", nvml);
    gpu.temperature_celsius.claim(40, nvml);
    for (int link = 0; link < 18; ++link) {
      NvLinkPort port;
      port.number = link;
      port.active.claim(true, nvml);
      gpu.nvlinks.push_back(port);
    }
  }

  template <class T>
  static void set(Fact<T>& fact, T value, SourceRef source) {
    fact = {};
    fact.claim(std::move(value), source);
  }
  void remove(DeviceId gone) {
    std::vector<Device> kept;
    for (const DeviceId id : machine.all())
      if (id != gone) kept.push_back(machine[id]);
    for (Device& device : kept)
      if (device.parent && *device.parent > gone)
        device.parent = DeviceId{device.parent->value - 1};
    machine.devices = std::move(kept);
  }
};

Machine made(const Mutate& mutate = {}, bool later = false) {
  Box box;
  if (later) box.machine.taken->made_at = "2026-11-03T00:00:00Z";
  if (mutate) mutate(box);
  box.settle();
  return box.machine;
}

Strings texts(const Comparison& comparison) {
  Strings out;
  for (const Difference& one : comparison.differences)
    if (one.topic != Topic::activity) out.push_back(one.text);
  return out;
}

// What `change` makes of the box is told in these sentences.
struct Case {
  const char* name;
  std::function<void(Box&)> change;
  Strings expected;
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"GpuIsGone",
       [](Box& b) { b.remove(b.gpu1); },
       {"gpu1 (0000:15:00.0) is gone: NVIDIA H100 80GB HBM3"}},
      {"LinkNarrowed",
       [](Box& b) { Box::set(b.machine[b.gpu1].pci->link.current_width, 8, b.sysfs()); },
       {"link of gpu1 (0000:15:00.0) narrowed from x16 Gen5 (64 GB/s) to x8 Gen5 (32 GB/s)"}},
      {"NvLinksDown",
       [](Box& b) { Box::set(b.machine[b.gpu0].gpu->nvlinks[5].active, false, b.nvml); },
       {"NVLinks of gpu0 (0000:13:00.0) that are up: 18 before, 17 now; link 5 is down"}},
      {"Firmware",
       [](Box& b) {
         Box::set(b.machine[b.nic0].nic->firmware, std::string("28.39.1002"), b.sysfs());
       },
       {"firmware of mlx5_0 (0000:17:00.0) changed from 28.36.1010 to 28.39.1002"}},
      {"KernelArguments",
       [](Box& b) {
         Box::set(b.machine.host.kernel_arguments, {"hugepages=1024", "pci=noacs"}, b.args);
       },
       {"kernel argument changed from hugepages=0 to hugepages=1024",
        "kernel argument iommu=pt was removed", "kernel argument pci=noacs was added"}},
      {"ModuleUnloaded",
       [](Box& b) { b.machine.modules.clear(); },
       {"kernel module nvidia_peermem is not loaded any more"}},
      {"Library",
       [](Box& b) {
         Box::set(b.machine.host.libraries["libnccl"], std::string("2.28.9"), b.sysfs());
       },
       {"libnccl changed from 2.27.3 to 2.28.9"}},
      {"GidMoved",
       [](Box& b) { b.machine[b.nic0].nic->ports[0].gids[1].index = 5; },
       {"RoCE v2 IPv4 GID of mlx5_0 port 1 moved from index 3 to 5"}},
      {"PortDown",
       [](Box& b) {
         Box::set(b.machine[b.nic0].nic->ports[0].state, std::string("DOWN"), b.sysfs());
       },
       {"state of mlx5_0 port 1 changed from ACTIVE to DOWN"}},
      {"Mtu",
       [](Box& b) { Box::set(b.machine[b.nic1].nic->ports[0].mtu, 1500, b.sysfs()); },
       {"MTU of mlx5_1 port 1 changed from 9000 to 1500"}},
      {"Replaced",
       [](Box& b) {
         Box::set(b.machine[b.gpu0].gpu->uuid, std::string("GPU-99999999"), b.nvml);
         Box::set(b.machine[b.gpu0].gpu->serial, std::string("999"), b.nvml);
       },
       {"gpu0 (0000:13:00.0) was replaced by another of its kind: serial 165000000 before, 999 "
        "now"}},
      {"Moved",
       [](Box& b) {
         Box::set(b.machine[b.gpu0].address, {0, 0x80, 0, 0}, b.sysfs());
       },
       {"gpu0 moved from 0000:13:00.0 to 0000:80:00.0"}},
      {"Order",
       [](Box& b) {
         Box::set(b.machine[b.gpu0].index, 1, b.nvml);
         Box::set(b.machine[b.gpu1].index, 0, b.nvml);
       },
       {"the order of GPUs changed: gpu0 (0000:13:00.0) is GPU 1 and gpu1 (0000:15:00.0) is GPU 0 "
        "now"}},
      {"Counter",
       [](Box& b) {
         auto& counters = b.machine[b.nic0].nic->ports[0].counters;
         Box::set(counters["symbol_errors"].value, std::uint64_t{51}, b.sysfs());
         Box::set(counters["rx_bytes"].value, std::uint64_t{9999}, b.sysfs());
       },
       {"symbol_errors of mlx5_0 port 1 grew by 48, from 3 to 51, 1 per hour"}},
      {"Xid",
       [](Box& b) {
         Event event;
         event.kind = EventKind::xid;
         event.severity = EventSeverity::fatal;
         event.device = *b.machine[b.gpu0].address;
         event.code = 79;
         event.text = "GPU has fallen off the bus";
         event.source = b.machine.sources.add("proc/cmdline", Trust::kernel);
         b.machine.events.push_back(event);
       },
       {"Xid 79 on gpu0 (0000:13:00.0): 1 new (GPU has fallen off the bus)"}},
      {"TemperatureIsNoDifference",
       [](Box& b) { Box::set(b.machine[b.gpu0].gpu->temperature_celsius, 70, b.nvml); },
       {}},
  };
  return all;
}

class Differences : public testing::TestWithParam<Case> {};

TEST_P(Differences, AreToldInFixedSentences) {
  const auto change = [&](TestMachine& t) { GetParam().change(static_cast<Box&>(t)); };
  EXPECT_EQ(texts(compare(made(), made(change, true))), GetParam().expected);
}

INSTANTIATE_TEST_SUITE_P(Compare, Differences, testing::ValuesIn(cases()),
                         [](const auto& one) { return std::string(one.param.name); });

TEST(Compare, MachineWithItselfIsTheSame) {
  const Machine machine = made();
  const Comparison same = compare(machine, machine);
  EXPECT_TRUE(same.differences.empty());
  EXPECT_TRUE(same.not_compared.empty());
  EXPECT_EQ(*same.seconds_between, 0);
}

TEST(Compare, SwappedSidesSwapGoneAndAdded) {
  for (const Case& one : cases()) {
    const Machine before = made();
    const Machine after = made([&](TestMachine& t) { one.change(static_cast<Box&>(t)); });
    Strings forward, backward;
    for (const Difference& d : compare(before, after, {true, false}).differences)
      forward.push_back(std::string(d.kind == Change::gone    ? "added"
                                    : d.kind == Change::added ? "gone"
                                                              : text(d.kind)) +
                        d.key + d.after + "<" + d.before);
    for (const Difference& d : compare(after, before, {true, false}).differences)
      backward.push_back(std::string(text(d.kind)) + d.key + d.before + "<" + d.after);
    std::sort(forward.begin(), forward.end());
    std::sort(backward.begin(), backward.end());
    EXPECT_EQ(forward, backward) << one.name;
  }
}

TEST(Compare, SwitchThatIsGoneTakesItsChildrenAlong) {
  Machine after = made();
  const Machine before = made();
  Box box;
  while (box.machine.devices.size() > box.sw.value)
    box.remove({static_cast<std::uint32_t>(box.machine.devices.size() - 1)});
  box.settle();
  const auto said = texts(compare(before, box.machine));
  ASSERT_FALSE(said.empty());
  EXPECT_EQ(said.front(),
            "switch0 (0000:11:00.0) is gone, and with it 2 GPUs, 2 NICs and 4 other functions");
}

TEST(Compare, FactsOfASourceThatOneSideReadAreNotCompared) {
  const Machine before = made();
  const Machine after = made([](TestMachine& t) {
    const auto smi = t.machine.sources.add("commands/nvidia-smi-q.txt", Trust::tool);
    t.machine[static_cast<Box&>(t).gpu0].gpu->compute_mode.claim("default", smi);
  });
  const Comparison c = compare(before, after);
  EXPECT_TRUE(c.differences.empty());
  ASSERT_EQ(c.not_compared.size(), 1u);
  EXPECT_EQ(c.not_compared[0], (NotCompared{"1 fact of nvidia-smi-q", "only in after"}));
}

TEST(Compare, IdentitiesReplacedUnderOtherKeysAreNotCompared) {
  const auto replaced = [](const char* key, const char* uuid) {
    return made([=](TestMachine& t) {
      t.machine.taken->identities_replaced = true;
      t.machine.taken->identity_key = key;
      Box& box = static_cast<Box&>(t);
      Box::set(t.machine[box.gpu0].gpu->uuid, std::string(uuid), box.nvml);
    });
  };
  const Comparison other = compare(replaced("a", "GPU-1"), replaced("b", "GPU-2"));
  EXPECT_TRUE(other.differences.empty());
  EXPECT_EQ(other.not_compared.size(), 1u);
  EXPECT_EQ(compare(replaced("a", "GPU-1"), replaced("a", "GPU-1")).not_compared.size(), 0u);
}

TEST(Compare, CountersStartAgainAtAReboot) {
  const auto up = [](double seconds, std::uint64_t errors) {
    return [=](TestMachine& t) {
      Box& box = static_cast<Box&>(t);
      t.machine.host.uptime_seconds.claim(seconds, box.args);
      Box::set(t.machine[box.nic0].nic->ports[0].counters["symbol_errors"].value, errors,
               t.sysfs());
    };
  };
  const Comparison c = compare(made(up(99999, 500)), made(up(7200, 4), true));
  EXPECT_TRUE(c.rebooted);
  EXPECT_EQ(
      texts(c),
      (Strings{"symbol_errors of mlx5_0 port 1 grew by 4, from 0 at the reboot to 4, 2 per hour",
               "symbol_errors of mlx5_1 port 1 grew by 3, from 0 at the reboot to 3, 1.5 per "
               "hour"}));
}

TEST(Compare, OtherProductIsAnotherModelAndOnlyDevicesAreCompared) {
  const auto product = [](const char* name, const char* firmware) {
    return made([=](TestMachine& t) {
      Box& box = static_cast<Box&>(t);
      t.machine.taken->identities_replaced = true;  // under no known key: not comparable
      t.machine.host.product.claim(name, box.args);
      Box::set(t.machine[box.nic0].nic->firmware, std::string(firmware), t.sysfs());
    });
  };
  const Comparison c = compare(product("A", "1"), product("B", "2"));
  EXPECT_TRUE(c.different_models);
  EXPECT_EQ(c.different_machines, "2× NVIDIA H100 80GB HBM3 (A) and 2× NVIDIA H100 80GB HBM3 (B)");
  for (const Difference& one : c.differences) EXPECT_EQ(one.topic, Topic::inventory);
}

TEST(Compare, AfterThatWasMadeFirstHasNoGrowth) {
  const Comparison c =
      compare(made({}, true), made([](TestMachine& t) {
                Box& box = static_cast<Box&>(t);
                auto& port = t.machine[box.nic0].nic->ports[0];
                Box::set(port.counters["symbol_errors"].value, std::uint64_t{99}, t.sysfs());
              }));
  EXPECT_TRUE(texts(c).empty());
  ASSERT_EQ(c.not_compared.size(), 1u);
  EXPECT_EQ(c.not_compared[0].what, "counters and the kernel log");
}

TEST(Compare, LibraryIsTheSameOneUnderANewerPath) {
  const auto library = [](const char* version) {
    return [=](TestMachine& t) {
      const std::string path = std::string("usr/lib/libnccl.so.") + version;
      Box::set(t.machine.host.libraries["libnccl"], std::string(version),
               t.machine.sources.add(path, Trust::file));
    };
  };
  EXPECT_EQ(texts(compare(made(library("2.27.3")), made(library("2.28.9")))),
            Strings{"libnccl changed from 2.27.3 to 2.28.9"});
}

TEST(Compare, IdleGpuMayLowerItsLinkSpeed) {
  const Machine after = made([](TestMachine& t) {
    Box& box = static_cast<Box&>(t);
    t.machine[box.gpu0].gpu->p_state.claim("P8", box.nvml);
    Box::set(t.machine[box.gpu0].pci->link.current_speed, *PcieSpeed::of_generation(1), t.sysfs());
  });
  const Machine before = made([](TestMachine& t) {
    Box& box = static_cast<Box&>(t);
    t.machine[box.gpu0].gpu->p_state.claim("P0", box.nvml);
  });
  EXPECT_EQ(texts(compare(before, after)), Strings{});
}

TEST(Compare, MachinesWithoutACommonIdentityAreTwoMachines) {
  const Machine after = made([](TestMachine& t) {
    Box& box = static_cast<Box&>(t);
    for (const DeviceId id : {box.gpu0, box.gpu1}) {
      Box::set(t.machine[id].gpu->uuid, "GPU-x" + std::to_string(id.value), box.nvml);
      Box::set(t.machine[id].gpu->serial, "x" + std::to_string(id.value), box.nvml);
    }
    for (const DeviceId id : {box.nic0, box.nic1})
      Box::set(t.machine[id].nic->guid, "x" + std::to_string(id.value), t.sysfs());
    Box::set(t.machine.host.hostname, std::string("node08"), box.args);
  });
  const Comparison c = compare(made(), after);
  EXPECT_FALSE(c.different_machines.empty());
  EXPECT_TRUE(texts(c).empty());
}

TEST(Folded, SameChangeOfSeveralDevicesIsOneSentence) {
  const Machine after = made([](TestMachine& t) {
    Box& box = static_cast<Box&>(t);
    for (const DeviceId id : {box.nic0, box.nic1})
      Box::set(t.machine[id].nic->firmware, std::string("28.39"), t.sysfs());
  });
  const auto one = folded(compare(made(), after).differences);
  ASSERT_EQ(one.size(), 1u);
  EXPECT_EQ(one[0].text, "firmware of mlx5_0 and mlx5_1 changed from 28.36.1010 to 28.39");
}

}  // namespace
}  // namespace railgauge::model
