#include "observe/sysfs/fake_machines.h"

#include <fmt/format.h>

namespace railgauge::observe {
namespace {

using model::PciPort;

class Builder {
 public:
  Builder(const FakeTree& tree, bool as_root) : tree_(tree), as_root_(as_root) {}

  std::string add(const std::string& parent, int bus, int device, FakeFunction facts,
                  PciPort port) {
    if (as_root_) facts.port = port;
    return tree_.function(parent, fmt::format("0000:{:02x}:{:02x}.0", bus, device), facts);
  }

  // Root port, switch and its four devices; uses seven buses from `bus` on.
  void add_switch(int bus, int node) {
    const std::string root = fmt::format("sys/devices/pci0000:{:02x}", bus);
    FakeFunction bridge;
    bridge.numa_node = node;
    bridge.driver = "pcieport";
    const auto root_port = add(root, bus, 1, bridge, PciPort::root_port);
    bridge.vendor = 0x1000;
    bridge.device = 0xc030;
    const auto upstream = add(root_port, bus + 1, 0, bridge, PciPort::switch_upstream);
    const FakeFunction gpu{0x10de, 0x2330, 0x030200, node, "32.0 GT/s PCIe", 16, "nvidia", {}};
    const FakeFunction nic{0x15b3, 0x1021, 0x020700, node, "32.0 GT/s PCIe", 16, "mlx5_core", {}};
    const FakeFunction drive{0x144d, 0xa824, 0x010802, node, "16.0 GT/s PCIe", 4, "nvme", {}};
    int slot = 0;
    for (const auto& facts : {gpu, nic, gpu, drive}) {
      const auto port = add(upstream, bus + 2, 4 * slot, bridge, PciPort::switch_downstream);
      add(port, bus + 3 + slot, 0, facts, PciPort::endpoint);
      ++slot;
    }
  }

 private:
  const FakeTree& tree_;
  bool as_root_;
};

}  // namespace

void build_gpu_server(const FakeTree& tree, bool as_root) {
  Builder builder(tree, as_root);
  build_cpus(tree);
  builder.add_switch(0x15, 0);
  builder.add_switch(0x37, 0);
  builder.add_switch(0x97, 1);
  builder.add_switch(0xb7, 1);
  FakeFunction bridge;
  const auto port = builder.add("sys/devices/pci0000:00", 0, 0x1c, bridge, PciPort::root_port);
  bridge.vendor = 0x1a03;
  bridge.device = 0x1150;
  const auto inner = builder.add(port, 1, 0, bridge, PciPort::pci_bridge);
  const FakeFunction vga{0x1a03, 0x2000, 0x030000, 0, "Unknown", 255, "ast", {}};
  builder.add(inner, 2, 0, vga, PciPort::endpoint);
}

void build_flat_guest(const FakeTree& tree) {
  const auto add = [&](int device, FakeFunction facts) {
    facts.numa_node = -1;
    facts.speed = "Unknown";
    facts.width = 0;
    tree.function("sys/devices/pci0000:00", fmt::format("0000:00:{:02x}.0", device), facts);
  };
  add(0, {0x8086, 0x1237, 0x060000, -1, "", 0, "", {}});
  add(3, {0x1d0f, 0x1111, 0x030000, -1, "", 0, "", {}});
  add(4, {0x10de, 0x20b0, 0x030200, -1, "", 0, "nvidia", {}});
  add(5, {0x10de, 0x20b0, 0x030200, -1, "", 0, "nvidia", {}});
  add(6, {0x1af4, 0x1041, 0x020000, -1, "", 0, "virtio-pci", {}});
}

void build_cpus(const FakeTree& tree) {
  const std::string system = "sys/devices/system/";
  for (int cpu = 0; cpu < 4; ++cpu)
    tree.file(fmt::format("{}cpu/cpu{}/topology/physical_package_id", system, cpu),
              fmt::format("{}\n", cpu / 2));
  tree.file(system + "cpu/online", "0-3\n");
  tree.file(system + "cpu/possible", "0-3\n");
  for (int node = 0; node < 2; ++node) {
    const auto path = fmt::format("{}node/node{}/", system, node);
    tree.file(path + "cpulist", node == 0 ? "0-1\n" : "2-3\n");
    tree.file(path + "distance", node == 0 ? "10 21\n" : "21 10\n");
    tree.file(path + "meminfo", fmt::format("\nNode {0} MemTotal:       1024 kB\n"
                                            "Node {0} MemFree:         512 kB\n",
                                            node));
  }
  tree.file("proc/cpuinfo",
            "processor\t: 0\nvendor_id\t: GenuineIntel\ncpu family\t: 6\nmodel\t\t: 143\n"
            "model name\t: Intel(R) Xeon(R) Platinum 8480C\ncpu cores\t: 2\nflags\t\t: fpu vme\n\n"
            "processor\t: 1\nvendor_id\t: GenuineIntel\n");
  tree.file("proc/sys/kernel/hostname", "node07\n");
  tree.file("proc/sys/kernel/osrelease", "5.15.0-1042-nvidia\n");
}

}  // namespace railgauge::observe
