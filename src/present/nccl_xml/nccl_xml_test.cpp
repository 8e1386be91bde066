#include <gtest/gtest.h>

#include "model/machine.h"
#include "present/nccl_xml/nccl_elements.h"
#include "present/present.h"

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Machine;
using model::PciAddress;
using model::PcieSpeed;

struct Built {
  Machine machine;
  model::SourceRef kernel = machine.sources.add("sys", model::Trust::kernel);

  DeviceId add(DeviceKind kind, std::optional<DeviceId> parent, const char* address = nullptr,
               std::uint32_t pci_class = 0) {
    const DeviceId id = machine.add(kind, kernel);
    machine[id].parent = parent;
    if (address != nullptr) {
      machine[id].address.claim(*PciAddress::parse(address), kernel);
      machine[id].pci.emplace();
      machine[id].pci->pci_class.claim({pci_class}, kernel);
    }
    return id;
  }

  void link(DeviceId id, int now, int possible, int width) {
    auto& end = machine[id].pci->link;
    end.current_speed.claim(*PcieSpeed::of_generation(now), kernel);
    end.max_speed.claim(*PcieSpeed::of_generation(possible), kernel);
    end.current_width.claim(width, kernel);
  }
};

// A node, then host bridge, root port, switch with two downstream ports, a GPU and a NIC.
Built sysfs_machine(DeviceKind upstream, DeviceKind other_bridges) {
  Built b;
  const DeviceId node = b.add(DeviceKind::numa_node, std::nullopt);
  b.machine[node].index.claim(0, b.kernel);
  b.machine[node].cpu->cpus.claim("0-3,64", b.kernel);
  b.machine[node].cpu->vendor.claim("AuthenticAMD", b.kernel);
  b.machine[node].cpu->family.claim(25, b.kernel);
  b.machine[node].cpu->architecture.claim("x86_64", b.kernel);
  const DeviceId host = b.add(DeviceKind::host_bridge, node);
  const DeviceId root = b.add(other_bridges, host, "0000:15:01.0", 0x060400);
  const DeviceId up = b.add(upstream, root, "0000:16:00.0", 0x060400);
  const DeviceId down0 = b.add(other_bridges, up, "0000:17:00.0", 0x060400);
  const DeviceId down1 = b.add(other_bridges, up, "0000:17:01.0", 0x060400);
  const DeviceId gpu = b.add(DeviceKind::gpu, down0, "0000:1B:00.0", 0x030200);
  const DeviceId nic = b.add(DeviceKind::nic, down1, "0000:18:00.0", 0x020700);
  b.link(gpu, 1, 5, 16);
  b.link(down1, 4, 4, 16);
  b.link(nic, 4, 5, 8);
  b.machine[gpu].index.claim(0, b.kernel);
  b.machine[gpu].gpu->compute_capability.claim(90, b.kernel);
  b.machine[nic].nic->rdma_device.claim("mlx5_0", b.kernel);
  b.machine[nic].nic->guid.claim("a088:c203:00ab:1234", b.kernel);
  model::NicPort port;
  port.rate.claim(gigabits_per_second(400), b.kernel);
  b.machine[nic].nic->ports.push_back(port);
  b.add(DeviceKind::nvme, down1, "0000:19:00.0", 0x010802);
  return b;
}

constexpr const char* collapsed =
    "<system version=\"1\">\n"
    "  <cpu numaid=\"0\" affinity=\"00000001,00000000,0000000f\" arch=\"x86_64\" "
    "vendor=\"AuthenticAMD\" familyid=\"175\">\n"
    "    <pci busid=\"0000:16:00.0\" class=\"0x060400\" link_speed=\"\" link_width=\"0\">\n"
    "      <pci busid=\"0000:1b:00.0\" class=\"0x030200\" link_speed=\"32.0 GT/s PCIe\" "
    "link_width=\"16\">\n"
    "        <gpu dev=\"0\" sm=\"90\"/>\n"
    "      </pci>\n"
    "      <pci busid=\"0000:18:00.0\" class=\"0x020700\" link_speed=\"16.0 GT/s PCIe\" "
    "link_width=\"8\">\n"
    "        <nic>\n"
    "          <net name=\"mlx5_0\" dev=\"0\" speed=\"400000\" port=\"1\" "
    "guid=\"0xa088c20300ab1234\"/>\n"
    "        </nic>\n"
    "      </pci>\n"
    "    </pci>\n"
    "  </cpu>\n"
    "</system>\n";

TEST(NcclXml, PortsAndDrivesAreCollapsedToNcclsForm) {
  auto built = sysfs_machine(DeviceKind::pcie_switch, DeviceKind::switch_port);
  built.machine.devices[2].kind = DeviceKind::root_port;
  EXPECT_EQ(nccl_xml(built.machine), collapsed);
}

TEST(NcclXml, OfBridgesWithoutARoleEverySecondOneIsAnUpstreamPort) {
  const auto built = sysfs_machine(DeviceKind::pcie_bridge, DeviceKind::pcie_bridge);
  EXPECT_EQ(nccl_xml(built.machine), collapsed);
}

TEST(NcclXml, LinksCountForBothEndsAndSwitchesWithoutAddressAreHidden) {
  Built b;
  const DeviceId node = b.add(DeviceKind::numa_node, std::nullopt);
  b.machine[node].index.claim(0, b.kernel);
  const DeviceId gpu0 = b.add(DeviceKind::gpu, node, "0000:01:00.0", 0x030200);
  const DeviceId gpu1 = b.add(DeviceKind::gpu, node, "0000:02:00.0", 0x030200);
  const DeviceId fabric = b.add(DeviceKind::nvswitch, std::nullopt);
  for (const auto& [from, to] : {std::pair{gpu0, gpu1}, std::pair{gpu0, fabric}}) {
    model::Link link;
    link.a = from;
    link.b = to;
    link.kind = model::LinkKind::nvlink;
    link.width.claim(to == fabric ? 18 : 4, b.kernel);
    b.machine.links.push_back(link);
  }
  const std::string out = nccl_xml(b.machine);
  const auto has = [&](const char* part) { return out.find(part) != std::string::npos; };
  EXPECT_TRUE(has("<nvlink target=\"0000:02:00.0\" count=\"4\" tclass=\"0x030200\"/>")) << out;
  EXPECT_TRUE(has("<nvlink target=\"0000:01:00.0\" count=\"4\" tclass=\"0x030200\"/>"));
  EXPECT_TRUE(has("<nvlink target=\"fffffff:ffff:ff\" count=\"18\" tclass=\"0x068000\"/>"));
}

TEST(NcclXml, UnknownPlacesAreSaidAndNotInvented) {
  Built b;
  b.add(DeviceKind::gpu, std::nullopt);
  const DeviceId placed = b.add(DeviceKind::pcie_switch, std::nullopt);
  b.add(DeviceKind::gpu, placed, "0000:02:00.0", 0x030200);
  b.machine.devices[0].id = "gpu0";
  EXPECT_EQ(
      nccl_xml(b.machine),
      "<system version=\"1\">\n"
      "  <!-- gpu0 is left out: its PCI address is unknown -->\n"
      "  <!-- The NUMA nodes of the following are unknown -->\n"
      "  <cpu numaid=\"-1\">\n"
      "    <pci busid=\"ffff:ff:00.1\" class=\"0x060400\" link_speed=\"\" link_width=\"0\">\n"
      "      <pci busid=\"0000:02:00.0\" class=\"0x030200\" link_speed=\"\" link_width=\"0\"/>\n"
      "    </pci>\n"
      "  </cpu>\n"
      "</system>\n");
}

TEST(NcclXml, CpuListsBecomeMasks) {
  EXPECT_EQ(mask_of_cpu_list("0-3,33"), "00000002,0000000f");
  EXPECT_EQ(mask_of_cpu_list(""), "00000000");
  for (const char* text : {"3-1", "x", "0-99999999", "1-2-3", "-1"})
    EXPECT_FALSE(mask_of_cpu_list(text)) << text;
}

TEST(XmlLines, TextIsEscapedAndCommentsStayClosed) {
  XmlLines out;
  out.comment("a --> b");
  out.single("net", {{"name", "<\"&\">\n"}});
  EXPECT_EQ(out.text(), "<!-- a - -> b -->\n<net name=\"&lt;&quot;&amp;&quot;&gt; \"/>\n");
}

}  // namespace
}  // namespace railgauge::present
