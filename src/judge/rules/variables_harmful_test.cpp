#include <gtest/gtest.h>

#include "judge/rules/variables_testing.h"

namespace railgauge::judge {
namespace {

using model::Machine;
using model::Severity;

// "" where nothing is wrong, otherwise "note", "warning" or "error".
std::string verdict(const char* rule, const std::vector<std::string>& lines,
                    const Machine& machine = {}) {
  const auto said = says(rule, with_settings(lines, machine));
  return said.failures.empty() ? "" : std::string(model::text(said.failures.front().severity));
}

TEST(P2pDisabled, TurnsNvlinkOffInsteadOfForcingIt) {
  const auto said = says("ENV006", with_settings({"NCCL_P2P_DISABLE=1"}, nvlink_pair()));
  ASSERT_EQ(said.failures.size(), 1u);
  EXPECT_EQ(said.severity(), Severity::error);
  EXPECT_TRUE(holds(said.text(), "NVLink"));
  EXPECT_EQ(verdict("ENV006", {"NCCL_P2P_LEVEL=LOC"}, nvlink_pair()), "error");
  EXPECT_EQ(verdict("ENV006", {"NCCL_P2P_LEVEL=0"}, pcie_pair()), "warning");
  EXPECT_EQ(verdict("ENV006", {"NCCL_P2P_DISABLE=1"}), "warning");
}

TEST(P2pDisabled, IsBenignWhereThereIsNoPeerAccess) {
  EXPECT_EQ(verdict("ENV006", {"NCCL_P2P_DISABLE=1"}, pcie_pair("NVIDIA GeForce RTX 4090")), "");
  EXPECT_EQ(verdict("ENV006", {"NCCL_P2P_DISABLE=1"}, pcie_pair("NVIDIA RTX 4000 Ada")), "warning");
  EXPECT_EQ(verdict("ENV006", {"NCCL_P2P_DISABLE=0"}, nvlink_pair()), "");
  EXPECT_EQ(verdict("ENV006", {"NCCL_P2P_LEVEL=NVL"}, nvlink_pair()), "");
  EXPECT_EQ(verdict("ENV006", {"NCCL_P2P_DISABLE=$X"}, nvlink_pair()), "");
}

TEST(ShmDisabled, MattersWithoutNvlinkBetweenAll) {
  EXPECT_EQ(verdict("ENV007", {"NCCL_SHM_DISABLE=1"}, pcie_pair()), "warning");
  EXPECT_EQ(verdict("ENV007", {"NCCL_SHM_DISABLE=1"}, nvlink_pair()), "");
  EXPECT_EQ(verdict("ENV007", {"NCCL_SHM_DISABLE=1", "NCCL_P2P_DISABLE=1"}, nvlink_pair()),
            "warning");
  EXPECT_EQ(verdict("ENV007", {"NCCL_SHM_DISABLE=0"}), "");
}

TEST(IbDisabled, IsAnErrorWhereThereAreAdapters) {
  EXPECT_EQ(verdict("ENV008", {"NCCL_IB_DISABLE=1"}, with_adapters({"mlx5_0"})), "error");
  EXPECT_EQ(verdict("ENV008", {"NCCL_NET=Socket"}, with_adapters({"mlx5_0"})), "error");
  EXPECT_EQ(verdict("ENV008", {"NCCL_IB_DISABLE=1"}), "warning");
  EXPECT_EQ(verdict("ENV008", {"NCCL_IB_DISABLE=0"}, with_adapters({"mlx5_0"})), "");
}

TEST(IbDisabled, IsBenignWithoutRdma) {
  EXPECT_EQ(verdict("ENV008", {"NCCL_IB_DISABLE=1"}, with_adapters({"efa_0"})), "");
  Machine plain;
  const auto source = plain.sources.add("sysfs", model::Trust::kernel);
  const auto nic = plain.add(model::DeviceKind::nic, source);
  if (!plain[nic].nic) plain[nic].nic.emplace();
  plain[nic].nic->netdev.claim("eth0", source);
  EXPECT_EQ(verdict("ENV008", {"NCCL_IB_DISABLE=1"}, plain), "");
}

TEST(GidIndexFixed, IsAdviceFrom221On) {
  const auto set = with_settings({"NCCL_IB_GID_INDEX=3"});
  EXPECT_EQ(says("ENV009", set).severity(), Severity::note);
  EXPECT_EQ(says("ENV009", with_version(set, "2.27.3")).severity(), Severity::note);
  EXPECT_TRUE(says("ENV009", with_version(set, "2.18.1")).passed);
  EXPECT_EQ(verdict("ENV009", {"NCCL_IB_GID_INDEX=-1"}), "");
  Machine infiniband = with_adapters({"mlx5_0"});
  infiniband.devices[0].nic->ports.emplace_back();
  infiniband.devices[0].nic->ports[0].link_layer.claim("InfiniBand", {});
  EXPECT_EQ(verdict("ENV009", {"NCCL_IB_GID_INDEX=3"}, infiniband), "");
}

TEST(InterfacePrefix, OnlyWhereAnotherInterfaceBeginsAlike) {
  std::vector<std::string> names;
  for (int i = 0; i < 12; ++i) names.push_back("mlx5_" + std::to_string(i));
  const Machine machine = with_adapters(names);  // eth0 … eth11
  const auto said = says("ENV010", with_settings({"NCCL_SOCKET_IFNAME=eth1"}, machine));
  ASSERT_EQ(said.failures.size(), 1u);
  EXPECT_TRUE(holds(said.text(), "eth10, eth11"));
  EXPECT_EQ(said.failures[0].remedy.at(0).command, "export NCCL_SOCKET_IFNAME==eth1");
  for (const char* good : {"=eth1", "eth", "eth2", "eth1,eth10,eth11"})
    EXPECT_EQ(verdict("ENV010", {std::string("NCCL_SOCKET_IFNAME=") + good}, machine), "") << good;
  EXPECT_EQ(verdict("ENV010", {"NCCL_SOCKET_IFNAME=eth1"}), "");
}

TEST(AdapterPrefix, OnlyWhereAnotherAdapterBeginsAlike) {
  std::vector<std::string> names;
  for (int i = 0; i < 11; ++i) names.push_back("mlx5_" + std::to_string(i));
  const auto said =
      says("ENV011", with_settings({"NCCL_IB_HCA=mlx5_0,mlx5_1"}, with_adapters(names)));
  ASSERT_EQ(said.failures.size(), 1u);
  EXPECT_TRUE(holds(said.text(), "mlx5_10"));
  EXPECT_EQ(said.severity(), Severity::warning);
  EXPECT_EQ(verdict("ENV011", {"NCCL_IB_HCA=mlx5_1"}, with_adapters({"mlx5_0", "mlx5_1"})), "");
  EXPECT_EQ(verdict("ENV011", {"NCCL_IB_HCA==mlx5_1"}, with_adapters(names)), "");
  EXPECT_EQ(verdict("ENV011", {"NCCL_IB_HCA=mlx5"}, with_adapters(names)), "");
  EXPECT_EQ(verdict("ENV011", {"NCCL_IB_HCA=mlx5_1"}), "note");
  EXPECT_EQ(verdict("ENV011", {"NCCL_IB_HCA=mlx5_0"}), "");
}

TEST(AdapterAbsent, ByWhatIsLeft) {
  const Machine machine = with_adapters({"mlx5_0", "mlx5_1"});
  EXPECT_EQ(verdict("ENV032", {"NCCL_IB_HCA=mlx5_4"}, machine), "error");
  EXPECT_EQ(verdict("ENV032", {"NCCL_IB_HCA=mlx5_0,mlx5_4:1"}, machine), "warning");
  EXPECT_EQ(verdict("ENV032", {"NCCL_IB_HCA=mlx5"}, machine), "");
  EXPECT_EQ(verdict("ENV032", {"NCCL_IB_HCA=^mlx5_4"}, machine), "");
  EXPECT_EQ(says("ENV032", with_settings({"NCCL_IB_HCA=mlx5_4"})).unknowns.size(), 1u);
}

TEST(InterfaceAbsent, OnlyForNamesOfHardware) {
  const Machine machine = with_adapters({"mlx5_0"});
  EXPECT_EQ(verdict("ENV033", {"NCCL_SOCKET_IFNAME=ens5"}, machine), "warning");
  EXPECT_EQ(verdict("ENV033", {"NCCL_SOCKET_IFNAME=bond0"}, machine), "");
  EXPECT_EQ(verdict("ENV033", {"NCCL_SOCKET_IFNAME=eth"}, machine), "");
  EXPECT_EQ(verdict("ENV033", {"NCCL_SOCKET_IFNAME=^docker,lo"}, machine), "");
  EXPECT_EQ(says("ENV033", with_settings({"NCCL_SOCKET_IFNAME=ens5"})).unknowns.size(), 1u);
}

TEST(TopologyFileSet, IsANoteOnBareMetalOnly) {
  EXPECT_EQ(verdict("ENV012", {"NCCL_TOPO_FILE=/home/a/topo.xml"}), "note");
  EXPECT_EQ(verdict("ENV012", {"NCCL_TOPO_FILE=/opt/microsoft/ndv4-topo.xml"}), "");
  Machine guest;
  guest.host.hypervisor.claim("kvm", {});
  EXPECT_EQ(verdict("ENV012", {"NCCL_TOPO_FILE=/etc/topo.xml"}, guest), "");
}

TEST(GdrLevel, WideLevelsNumbersAndOff) {
  EXPECT_EQ(verdict("ENV020", {"NCCL_NET_GDR_LEVEL=SYS"}, nvlink_pair()), "warning");
  EXPECT_EQ(verdict("ENV020", {"NCCL_NET_GDR_LEVEL=SYS"}), "note");
  EXPECT_EQ(verdict("ENV020", {"NCCL_NET_GDR_LEVEL=PXB"}, nvlink_pair()), "");
  const auto number = says("ENV020", with_settings({"NCCL_NET_GDR_LEVEL=2"}));
  EXPECT_EQ(number.severity(), Severity::note);
  EXPECT_TRUE(holds(number.text(), "PXB"));
  Machine guest = nvlink_pair();
  guest.host.hypervisor.claim("kvm", {});
  EXPECT_EQ(verdict("ENV020", {"NCCL_NET_GDR_LEVEL=SYS"}, guest), "note");
  EXPECT_EQ(verdict("ENV026", {"NCCL_NET_GDR_LEVEL=LOC"}), "warning");
  EXPECT_EQ(verdict("ENV026", {"NCCL_DMABUF_ENABLE=0"}), "note");
  EXPECT_EQ(verdict("ENV026", {"NCCL_NET_GDR_LEVEL=PHB", "NCCL_NET_GDR_READ=1"}), "");
}

TEST(AlgorithmPinned, OneIsAWarningAListANote) {
  EXPECT_EQ(verdict("ENV013", {"NCCL_ALGO=Ring"}), "warning");
  EXPECT_EQ(verdict("ENV013", {"NCCL_ALGO=^NVLS"}), "note");
  EXPECT_EQ(verdict("ENV013", {"NCCL_PROTO=LL,Simple"}), "note");
  EXPECT_EQ(verdict("ENV013", {"NCCL_DEBUG=INFO"}), "");
}

TEST(Ll128Forced, DependsOnTheLinks) {
  EXPECT_EQ(verdict("ENV018", {"NCCL_PROTO=LL128"}, pcie_pair()), "error");
  EXPECT_EQ(verdict("ENV018", {"NCCL_PROTO=LL128"}, nvlink_pair()), "");
  EXPECT_EQ(verdict("ENV018", {"NCCL_PROTO=LL128"}), "warning");
  EXPECT_EQ(verdict("ENV018", {"NCCL_PROTO=^LL128"}, pcie_pair()), "");
}

TEST(ChannelsLimited, FewChannelsOnNvlink) {
  EXPECT_EQ(verdict("ENV016", {"NCCL_MAX_NCHANNELS=2"}, nvlink_pair()), "warning");
  EXPECT_EQ(verdict("ENV016", {"NCCL_MAX_CTAS=8"}, nvlink_pair()), "note");
  EXPECT_EQ(verdict("ENV016", {"NCCL_MAX_CTAS=8"}), "");
  EXPECT_EQ(verdict("ENV016", {"NCCL_MAX_NCHANNELS=32"}, nvlink_pair()), "");
  EXPECT_EQ(verdict("ENV016", {"NCCL_MAX_NCHANNELS=2"}, pcie_pair()), "");
}

TEST(NvlsDisabled, IsANoteFromHopperOn) {
  EXPECT_EQ(verdict("ENV017", {"NCCL_NVLS_ENABLE=0"}, nvlink_pair()), "note");
  EXPECT_EQ(verdict("ENV017", {"NCCL_NVLS_ENABLE=0"}, pcie_pair()), "");
  EXPECT_EQ(verdict("ENV017", {"NCCL_NVLS_ENABLE=2"}, nvlink_pair()), "");
}

TEST(BuffersAndTimeouts, FarFromTheDefault) {
  EXPECT_EQ(verdict("ENV028", {"NCCL_BUFFSIZE=4096"}), "warning");
  EXPECT_EQ(verdict("ENV028", {"NCCL_BUFFSIZE=4M"}), "warning");
  EXPECT_EQ(verdict("ENV028", {"NCCL_BUFFSIZE=8388608"}), "");
  EXPECT_EQ(verdict("ENV029", {"NCCL_IB_TIMEOUT=31"}), "warning");
  EXPECT_EQ(verdict("ENV029", {"NCCL_IB_TIMEOUT=8"}), "warning");
  EXPECT_EQ(verdict("ENV029", {"NCCL_IB_RETRY_CNT=0"}), "warning");
  EXPECT_EQ(verdict("ENV029", {"NCCL_IB_TIMEOUT=22", "NCCL_IB_RETRY_CNT=7"}), "");
}

TEST(MnnvlDisabled, MattersInARackOnly) {
  Machine rack = nvlink_pair();
  for (auto& device : rack.devices)
    if (device.gpu) device.gpu->fabric_cluster.claim("a/0", {});
  model::Link c2c;
  c2c.a = rack.of_kind(model::DeviceKind::gpu)[0];
  c2c.b = {0};
  c2c.kind = model::LinkKind::c2c;
  rack.links.push_back(c2c);
  EXPECT_EQ(verdict("ENV030", {"NCCL_MNNVL_ENABLE=0"}, rack), "warning");
  EXPECT_EQ(verdict("ENV030", {"NCCL_MNNVL_ENABLE=0"}, pcie_pair()), "");
  EXPECT_EQ(verdict("ENV030", {"NCCL_MNNVL_ENABLE=2"}, rack), "");
}

TEST(DebuggingLeftover, CostsOrNot) {
  EXPECT_EQ(verdict("ENV014", {"NCCL_DEBUG=TRACE"}), "warning");
  EXPECT_EQ(verdict("ENV014", {"CUDA_LAUNCH_BLOCKING=1"}), "warning");
  EXPECT_EQ(verdict("ENV014", {"TORCH_DISTRIBUTED_DEBUG=DETAIL"}), "warning");
  EXPECT_EQ(verdict("ENV014", {"NCCL_DEBUG=INFO", "NCCL_DEBUG_SUBSYS=ALL"}), "note");
  for (const char* good :
       {"NCCL_DEBUG=INFO", "NCCL_DEBUG=WARN", "CUDA_LAUNCH_BLOCKING=0", "UCX_LOG_LEVEL=warn"})
    EXPECT_EQ(verdict("ENV014", {good}), "") << good;
}

TEST(IgnoredAndPxn, AreJudgedByTheHardware) {
  EXPECT_EQ(verdict("ENV019", {"NCCL_IGNORE_DISABLED_P2P=1"}, nvlink_pair()), "warning");
  EXPECT_EQ(verdict("ENV019", {"NCCL_IGNORE_DISABLED_P2P=1"}, pcie_pair("GeForce RTX 3090")),
            "note");
  EXPECT_EQ(verdict("ENV019", {"NCCL_IGNORE_DISABLED_P2P=0"}), "");
  EXPECT_EQ(verdict("ENV034", {"NCCL_PXN_DISABLE=1"}, nvlink_pair()), "note");
  EXPECT_EQ(verdict("ENV034", {"NCCL_PXN_DISABLE=1"}, pcie_pair()), "");
}

}  // namespace
}  // namespace railgauge::judge
