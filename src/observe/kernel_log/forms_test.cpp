#include <gtest/gtest.h>

#include "observe/kernel_log/test_log.h"

namespace railgauge::observe {
namespace {

using model::Event;
using model::EventKind;
using model::EventSeverity;

// One line, one event.
struct Row {
  const char* line;
  EventKind kind;
  EventSeverity severity;
  const char* device;  // empty: none
};

constexpr auto information = EventSeverity::information;
constexpr auto corrected = EventSeverity::corrected;
constexpr auto warning = EventSeverity::warning;
constexpr auto nonfatal = EventSeverity::nonfatal;
constexpr auto fatal = EventSeverity::fatal;

constexpr Row rows[] = {
    {"mlx5_core 0000:18:00.0: 504.112 Gb/s available PCIe bandwidth (32.0 GT/s PCIe x16 link)",
     EventKind::pcie_bandwidth, information, "0000:18:00.0"},
    {"nvme 0003:01:00.0: 7.876 Gb/s available PCIe bandwidth, limited by 8.0 GT/s PCIe x1 link at "
     "0003:00:00.0 (capable of 15.752 Gb/s with 8.0 GT/s PCIe x2 link)",
     EventKind::pcie_limited, warning, "0003:01:00.0"},
    {"pcieport 0000:00:1c.5: pciehp: Slot(5): Link Down", EventKind::pcie_hotplug, nonfatal,
     "0000:00:1c.5"},
    {"pciehp 0000:00:1c.5:pcie004: Slot(5): Card not present", EventKind::pcie_hotplug, nonfatal,
     "0000:00:1c.5"},
    {"nvidia 0000:9b:00.0: Unable to change power state from D3cold to D0, device inaccessible",
     EventKind::pcie_hotplug, fatal, "0000:9b:00.0"},
    {"vfio-pci 0000:9b:00.0: not ready 65535ms after FLR; giving up", EventKind::pcie_hotplug,
     fatal, "0000:9b:00.0"},
    {"NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.", EventKind::gpu_driver, fatal,
     "0000:9b:00.0"},
    {"NVRM: GPU 0000:9b:00.0: RmInitAdapter failed! (0x62:0x40:2393)", EventKind::gpu_driver, fatal,
     "0000:9b:00.0"},
    {"amdgpu 0000:0c:00.0: amdgpu: 3 correctable hardware errors detected in umc block",
     EventKind::gpu_driver, corrected, "0000:0c:00.0"},
    {"amdgpu 0000:0c:00.0: amdgpu: 2 uncorrectable hardware errors detected in umc block",
     EventKind::gpu_driver, fatal, "0000:0c:00.0"},
    {"amdgpu 0000:0c:00.0: amdgpu: GPU reset begin!", EventKind::gpu_driver, fatal, "0000:0c:00.0"},
    {"mlx5_core 0000:18:00.0 ens1np0: Link down", EventKind::nic, nonfatal, "0000:18:00.0"},
    {"mlx5_core 0000:18:00.0 ens1np0: Link up", EventKind::nic, information, "0000:18:00.0"},
    {"mlx5_core 0000:18:00.0: Port module event: module 0, Cable unplugged", EventKind::nic,
     nonfatal, "0000:18:00.0"},
    {"mlx5_core 0000:18:00.0: Port module event[error]: module 0, Cable error, Bus stuck",
     EventKind::nic, nonfatal, "0000:18:00.0"},
    {"mlx5_core 0000:29:00.0: mlx5_pcie_event:301:(pid 1202): PCIe slot advertised sufficient "
     "power (27W).",
     EventKind::nic, information, "0000:29:00.0"},
    {"mlx5_core 0000:29:00.0: mlx5_pcie_event:299:(pid 268): Detected insufficient power on the "
     "PCIe slot (27W).",
     EventKind::nic, warning, "0000:29:00.0"},
    {"mlx5_core 0000:18:00.0: poll_health:840:(pid 0): device's health compromised - reached miss "
     "count",
     EventKind::nic, fatal, "0000:18:00.0"},
    {"mlx5_core 0000:18:00.0: wait_func:1151:(pid 4): QUERY_VPORT_COUNTER(0x770) timeout. Will "
     "cause a leak of a command resource",
     EventKind::nic, nonfatal, "0000:18:00.0"},
    {"mlx5_core 0000:18:00.0: firmware version: 28.39.1002", EventKind::nic, information,
     "0000:18:00.0"},
    {"mlx5_core 0000:18:00.0: temp_warn:177:(pid 0): High temperature on sensors with bit set 1 0",
     EventKind::nic, warning, "0000:18:00.0"},
    {"bnxt_en 0000:c1:00.0 eno1: NIC Link is Down", EventKind::nic, nonfatal, "0000:c1:00.0"},
    {"ice 0000:41:00.0 ens2f0: NIC Link is up 100 Gbps Full Duplex", EventKind::nic, information,
     "0000:41:00.0"},
    {"ena 0000:00:05.0: Keep alive watchdog timeout.", EventKind::nic, fatal, "0000:00:05.0"},
    {"nvidia_peermem: disagrees about version of symbol ib_register_peer_memory_client",
     EventKind::peer_memory, nonfatal, ""},
    {"nvidia_peermem: Unknown symbol ib_register_peer_memory_client (err -22)",
     EventKind::peer_memory, nonfatal, ""},
    {"nvidia-peermem nv_get_p2p_free_callback:127 ERROR detected invalid context, skipping further "
     "processing",
     EventKind::peer_memory, information, ""},
    {"DMAR: [DMA Read] Request device [5e:00.0] fault addr fffff000 [fault reason 06] PTE Read "
     "access is not set",
     EventKind::iommu, nonfatal, "0000:5e:00.0"},
    {"DMAR: [DMA Write NO_PASID] Request device [0001:5e:00.0] fault addr 0x7f0000",
     EventKind::iommu, nonfatal, "0001:5e:00.0"},
    {"AMD-Vi: Event logged [IO_PAGE_FAULT device=21:00.0 domain=0x0010 address=0xdead flags=0x0]",
     EventKind::iommu, nonfatal, "0000:21:00.0"},
    {"nvidia 0000:21:00.0: AMD-Vi: Event logged [IO_PAGE_FAULT domain=0x0010 address=0xdead]",
     EventKind::iommu, nonfatal, "0000:21:00.0"},
    {"arm-smmu-v3 arm-smmu-v3.1.auto: event 0x10 received:", EventKind::iommu, nonfatal, ""},
    {"EDAC MC0: 4 CE memory read error on CPU_SrcID#0_MC#0_Chan#1_DIMM#0 (channel:1 slot:0)",
     EventKind::memory_error, corrected, ""},
    {"EDAC MC1: 1 UE memory scrubbing error on unknown memory (node:0)", EventKind::memory_error,
     fatal, ""},
    {"mce: [Hardware Error]: CPU 12: Machine Check: 0 Bank 7: cc00008000010091",
     EventKind::memory_error, nonfatal, ""},
    {"INFO: task nccl:worker:4242 blocked for more than 120 seconds.", EventKind::hung_task,
     warning, ""},
    {"Out of memory: Killed process 4242 (python3) total-vm:1kB, anon-rss:1kB, UID:1000",
     EventKind::out_of_memory, warning, ""},
    {"python3[2536443]: segfault at 7f79 ip 00007f sp 00007f error 4 in libnccl.so.2[7f7c+d3d3000]",
     EventKind::segfault, warning, ""},
};

TEST(KernelLogForms, OneLineOfEach) {
  for (const Row& row : rows) {
    const auto machine = read_log(std::string("[    1.000000] ") + row.line + "\n");
    ASSERT_EQ(machine.events.size(), 1u) << row.line;
    const Event& event = machine.events[0];
    EXPECT_EQ(text(event.kind), text(row.kind)) << row.line;
    EXPECT_EQ(text(event.severity), text(row.severity)) << row.line;
    EXPECT_EQ(event.device ? event.device->text() : "", row.device) << row.line;
    EXPECT_EQ(machine.at(event.device.value_or(at("ffff:00:00.0"))).has_value(),
              event.device.has_value())
        << row.line;
    EXPECT_TRUE(machine.remarks.empty()) << row.line << ": " << machine.remarks[0].text;
  }
}

TEST(KernelLogForms, LinesOfOthersAreLeftAlone) {
  const auto machine = read_log(
      "[    0.000000] Linux version 6.8.0\n"
      "[    1.000000] bash[77]: segfault at 0 ip 0 sp 0 error 4 in libc.so.6[7f+1000]\n"
      "[    2.000000] e1000e 0000:00:19.0 eth0: NIC Link is Up 1000 Mbps\n"
      "[    3.000000] amdgpu 0000:0c:00.0: amdgpu: 0 correctable hardware errors detected in "
      "total\n"
      "[    4.000000] NVRM: GPU at PCI:0000:9b:00: GPU-00000000-0000-0000-0000-000000000001\n"
      "[    5.000000] NVRM: loading NVIDIA UNIX Open Kernel Module  550.54.15\n"
      "[    6.000000] arm-smmu-v3 arm-smmu-v3.1.auto: ias 48-bit, oas 48-bit\n");
  EXPECT_TRUE(machine.events.empty());
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].level, model::RemarkLevel::note);
}

struct XidRow {
  const char* line;
  int code;
  EventSeverity severity;
  const char* device;
  int process_id;  // 0: none
  const char* process;
};
constexpr XidRow xids[] = {
    {"NVRM: Xid (PCI:0000:9b:00): 119, pid=2024380, name=nvidia-smi, Timeout after 6s of waiting",
     119, fatal, "0000:9b:00.0", 2024380, "nvidia-smi"},
    {"NVRM: Xid (PCI:0000:9b:00.0): 79, GPU has fallen off the bus.", 79, fatal, "0000:9b:00.0", 0,
     ""},
    {"NVRM: Xid (PCI:0000:3b:00 GPU-I:05): 31, pid='<unknown>', name=<unknown>, Ch 00000008", 31,
     warning, "0000:3b:00.0", 0, ""},
    {"NVRM: Xid (0000:01:00): 31, Ch 00000008, engmask 00000101", 31, warning, "0000:01:00.0", 0,
     ""},
    {"NVRM: Xid (0002:00): 13, 0003 00000000 00008297", 13, warning, "0000:02:00.0", 0, ""},
    {"NVRM: Xid (PCI:0000:01:00): 63, Row remapping pending", 63, warning, "0000:01:00.0", 0, ""},
    {"NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x0 (None) to 0x1 (GPU "
     "Reset Required)",
     154, fatal, "0000:01:00.0", 0, ""},
    {"NVRM: Xid (PCI:0000:01:00): 154, GPU recovery action changed from 0x1 (GPU Reset Required) "
     "to 0x0 (None)",
     154, information, "0000:01:00.0", 0, ""},
    {"NVRM: Xid (PCI:0000:01:00): 9999, words of the future", 9999, nonfatal, "0000:01:00.0", 0,
     ""},
};

TEST(Xid, FormsOfAllDrivers) {
  for (const XidRow& row : xids) {
    const auto machine = read_log(row.line);
    ASSERT_EQ(machine.events.size(), 1u) << row.line;
    const Event& event = machine.events[0];
    EXPECT_EQ(event.kind, EventKind::xid);
    EXPECT_EQ(event.code, row.code) << row.line;
    EXPECT_EQ(text(event.severity), text(row.severity)) << row.line;
    EXPECT_EQ(event.device->text(), row.device) << row.line;
    EXPECT_EQ(event.process_id.value_or(0), row.process_id) << row.line;
    EXPECT_EQ(event.process, row.process) << row.line;
    ASSERT_EQ(machine.devices.size(), 1u);
    EXPECT_EQ(machine.devices[0].kind, model::DeviceKind::gpu);
  }
}

TEST(Xid, NvlinkErrorsHaveUnitLinkAndSubcode) {
  const auto machine = read_log(
      "NVRM: Xid (PCI:0018:01:00): 149, NETIR_LINK_EVT  Fatal   XC0 i0 Link 04 (0x004505c6 "
      "0x00000000 0x00000000)\n"
      "NVRM: Xid (PCI:0018:01:00): 145, RLW_REMAP Nonfatal XC1 i0 Link 07 (0x00000004 "
      "0x00000001)\n");
  ASSERT_EQ(machine.events.size(), 2u);
  EXPECT_EQ(machine.events[0].layer, "NETIR_LINK_EVT");
  EXPECT_EQ(machine.events[0].link, 4);
  EXPECT_EQ(machine.events[0].subcode, 4);
  EXPECT_EQ(machine.events[0].severity, fatal);
  EXPECT_EQ(machine.events[1].layer, "RLW_REMAP");
  EXPECT_EQ(machine.events[1].link, 7);
  EXPECT_EQ(machine.events[1].subcode, 0);
  EXPECT_EQ(machine.events[1].severity, nonfatal);
}

TEST(Xid, HistoryOfATimeoutAndTheSecondTellingOfALossAreNoEvents) {
  const auto machine = read_log(
      "NVRM: Xid (PCI:0000:9b:00): 119, pid=1, name=a, Timeout after 6s of waiting for RPC\n"
      "NVRM: GPU4 RPC history (CPU -> GSP):\n"
      "NVRM:      0    103  GSP_RM_ALLOC   0x0000000000002081 0x0000000000000004   y\n"
      "NVRM: Rate limiting GSP RPC error prints for GPU at PCI:0000:9b:00 (printing 1 of every "
      "30).  The GPU likely needs to be reset.\n"
      "NVRM: Xid (PCI:0000:9b:00): 79, pid=1, name=a, GPU has fallen off the bus.\n"
      "NVRM: GPU 0000:9b:00.0: GPU has fallen off the bus.\n");
  ASSERT_EQ(machine.events.size(), 2u);
  EXPECT_EQ(machine.events[0].code, 119);
  EXPECT_EQ(machine.events[1].code, 79);
  EXPECT_EQ(machine.remarks.size(), 1u);
}

TEST(Xid, LineThatDoesNotGoOnLikeOneIsRemarked) {
  const auto machine = read_log(
      "[    1.000000] NVRM: Xid (PCI:0000:66:00): abc, pid=1\n"
      "[    1.000000] a\n[    1.000000] b\n");
  EXPECT_TRUE(machine.events.empty());
  ASSERT_FALSE(machine.remarks.empty());
  EXPECT_EQ(machine.sources.text(machine.remarks[0].source), "dmesg.txt:1");
}

TEST(Sxid, SwitchLinkAndTheLinesThatGoOn) {
  const auto machine = read_log(
      "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Non-fatal, Link 46 MC TS crumbstore MCTO "
      "(First)\n"
      "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Severity 0 Engine instance 46 "
      "Sub-engine instance 00\n"
      "nvidia-nvswitch3: SXid (PCI:0000:c1:00.0): 28006, Data {0x00140004, 0x00000001}\n"
      "nvidia-nvswitch0: SXid (PCI:0000:c2:00.0): 24007, Fatal, Link 30 sourcetrack timeout\n");
  ASSERT_EQ(machine.events.size(), 2u);
  EXPECT_EQ(machine.events[0].code, 28006);
  EXPECT_EQ(machine.events[0].link, 46);
  EXPECT_EQ(machine.events[0].severity, nonfatal);
  EXPECT_EQ(machine.events[1].severity, fatal);
  EXPECT_EQ(machine.devices[0].kind, model::DeviceKind::nvswitch);
}

TEST(PcieBandwidth, LimitNamesTheNarrowPort) {
  const auto machine = read_log(rows[1].line);
  EXPECT_EQ(machine.events[0].reporter, at("0003:00:00.0"));
}

TEST(Nic, DumpOfTheFirmwareBelongsToItsAssertion) {
  const auto machine = read_log(
      "mlx5_core 0000:18:00.0: print_health_info:423:(pid 0): assert_var[0] 0x00000001\n"
      "mlx5_core 0000:18:00.0: print_health_info:423:(pid 0): assert_var[1] 0x00000000\n"
      "mlx5_core 0000:18:00.0: print_health_info:432:(pid 0): fw_ver 28.39.1002\n"
      "mlx5_core 0000:18:00.0: print_health_info:436:(pid 0): synd 0x8: unrecoverable hardware "
      "error\n");
  ASSERT_EQ(machine.events.size(), 1u);
  EXPECT_NE(machine.events[0].text.find("unrecoverable hardware"), std::string::npos);
}

TEST(Processes, NameAndNumber) {
  const auto machine =
      read_log(rows[std::size(rows) - 1].line + std::string("\n") + rows[std::size(rows) - 2].line +
               "\n" + rows[std::size(rows) - 3].line + "\n");
  ASSERT_EQ(machine.events.size(), 3u);
  EXPECT_EQ(machine.events[0].process, "python3");
  EXPECT_EQ(machine.events[0].process_id, 2536443);
  EXPECT_EQ(machine.events[1].process, "python3");
  EXPECT_EQ(machine.events[1].process_id, 4242);
  EXPECT_EQ(machine.events[1].text.find("UID"), std::string::npos);
  EXPECT_EQ(machine.events[2].process, "nccl:worker");
}

TEST(KernelLog, LinesOfASecondHostArePassedOverWithAWord) {
  const auto machine = read_log(
      "Feb 23 16:24:18 n1 kernel: NVRM: Xid (PCI:0000:01:00): 31, a\n"
      "Feb 23 16:24:18 n2 kernel: NVRM: Xid (PCI:0000:01:00): 79, b\n");
  EXPECT_EQ(machine.events.size(), 1u);
  EXPECT_EQ(*machine.host.hostname, "n1");
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_NE(machine.remarks[0].text.find("n2"), std::string::npos);
}

TEST(KernelLog, NothingOfOthersLooksLikeOne) {
  EXPECT_FALSE(looks_like_kernel_log("GPU0 GPU1\nX NV18\n"));
  EXPECT_FALSE(looks_like_kernel_log(
      "n1:1:2 [0] NCCL INFO NET/IB : Using [0]mlx5_0:1/IB ; OOB eth0:10.0.0.1<0>\n"));
  EXPECT_FALSE(looks_like_kernel_log("19:00.0 3D controller: NVIDIA\n\tUESta: DLP- SDES- TLP-\n"));
  EXPECT_FALSE(looks_like_kernel_log(""));
  EXPECT_TRUE(looks_like_kernel_log("[    0.000000] a\n[    0.000000] b\n[    0.100000] c\n"));
}

}  // namespace
}  // namespace railgauge::observe
