#include "judge/rules/nccl_testing.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr const char* ib = "transport/net_ib.cc";

TEST(TransportRetryExceeded, OnRoceTheGidIsLookedAtFirst) {
  NcclCase c;
  c.nic("IB", "mlx5_0", "RoCE");
  c.set("NCCL_IB_GID_INDEX", "1");
  c.warn(ib, "NET/IB : Got completion with error 12, opcode 1, len 0, vendor err 129");
  const Finding finding = c.only("NCC008");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(holds(finding.text, "GID index first"));
  EXPECT_EQ(finding.evidence.at(0).source, "job.log:3");
  EXPECT_EQ(finding.evidence.at(1).observed, "NCCL_IB_GID_INDEX=1");
  EXPECT_TRUE(holds(finding.remedy.at(0).command, "NCCL_IB_GID_INDEX"));
}

TEST(TransportRetryExceeded, FromVersion221OnTheIndexIsUnset) {
  NcclCase c;
  c.nic("IB", "mlx5_0", "RoCE");
  c.run().version.claim("2.27.3", c.here);
  c.warn(ib, "NET/IB: Got completion from peer 10.0.0.2<1> with status=IBV_WC_RETRY_EXC_ERR(12)");
  EXPECT_EQ(c.only("NCC008").remedy.at(0).command, "unset NCCL_IB_GID_INDEX");
}

TEST(TransportRetryExceeded, OnInfinibandThePeerIsLookedAtFirst) {
  NcclCase c;
  c.nic("IB", "mlx5_0", "IB");
  c.warn(ib, "NET/IB : Got completion with error 12, opcode 1, len 0, vendor err 129");
  EXPECT_TRUE(holds(c.only("NCC008").text, "the peer's own log first"));
}

TEST(CompletionErrors, EachNumberIsOfOneRule) {
  NcclCase c;
  c.warn(ib, "NET/IB : Got completion with error 5, opcode 1, len 0, vendor err 249");
  EXPECT_TRUE(c.passes("NCC008"));
  EXPECT_TRUE(c.passes("NCC009"));
  EXPECT_EQ(c.only("NCC034").weight, 30);
  c.warn(ib, "NET/IB : Got completion with error 4, opcode 1, len 0, vendor err 81");
  EXPECT_TRUE(holds(c.only("NCC009").text, "local protection"));
  EXPECT_TRUE(c.passes("NCC008"));
}

TEST(CompletionErrors, WordsOfRemoteAccess) {
  NcclCase c;
  c.warn(ib, "NET/IB : Got completion with error 10, opcode 1, len 0, vendor err 136");
  EXPECT_TRUE(holds(c.only("NCC034").text, "remote access error"));
}

TEST(CompletionErrors, AJobWithoutThemPasses) {
  NcclCase c;
  c.rank(0).complete = true;
  for (const char* rule : {"NCC008", "NCC009", "NCC034"}) EXPECT_TRUE(c.passes(rule)) << rule;
}

TEST(QueueCreation, LimitOfLockedMemoryIsNamedWhereItIsKnown) {
  NcclCase c;
  c.warn("misc/ibvwrap.cc", "Call to ibv_create_cq failed");
  EXPECT_TRUE(holds(c.only("NCC010").text, "ulimit -l"));
  c.machine.host.locked_memory_limit_bytes.claim({64u << 10}, c.here);
  EXPECT_TRUE(holds(c.only("NCC010").text, "limited to 64 KiB"));
}

TEST(QueueCreation, AnUnlimitedLimitIsNotBlamed) {
  NcclCase c;
  c.warn("misc/ibvwrap.cc", "Call to ibv_reg_mr failed");
  c.machine.host.locked_memory_limit_bytes.claim({}, c.here);
  EXPECT_TRUE(holds(c.only("NCC010").text, "not limited where this was looked at"));
  NcclCase quiet;
  quiet.rank(0);
  EXPECT_TRUE(quiet.passes("NCC010"));
}

TEST(QueuePairs, EachErrorHasItsReason) {
  NcclCase gone;
  gone.warn("misc/ibvwrap.cc", "Call to ibv_modify_qp failed with error No such device");
  EXPECT_TRUE(holds(gone.only("NCC011").text, "not in this container"));
  NcclCase late;
  late.warn("misc/ibvwrap.cc", "Call to ibv_modify_qp failed with error Connection timed out");
  EXPECT_TRUE(holds(late.only("NCC011").text, "fe80::"));
  EXPECT_TRUE(late.passes("NCC032"));
}

TEST(QueuePairs, NothingFailed) {
  NcclCase c;
  c.rank(0);
  EXPECT_TRUE(c.passes("NCC011"));
}

TEST(Dmabuf, AWarningFailsAndAProbeIsANote) {
  NcclCase c;
  c.warn("misc/ibvwrap.cc", "Call to ibv_reg_dmabuf_mr failed with error Operation not supported");
  EXPECT_EQ(c.only("NCC018").severity, Severity::error);
  EXPECT_TRUE(c.passes("NCC010"));
  NcclCase probe;
  probe.info("Call to ibv_reg_dmabuf_mr failed with error Operation not supported");
  EXPECT_EQ(probe.only("NCC018").severity, Severity::note);
}

TEST(AdapterNotOpened, ExplainsTheFallBackToSockets) {
  NcclCase c;
  c.run().network.claim("Socket", c.here);
  c.warn("misc/ibvwrap.cc", "Call to ibv_open_device failed");
  c.warn(ib, "NET/IB : Unable to open device mlx5_bond_0");
  c.info("NET/IB : No device found.");
  const auto report = c.check("NCC");
  ASSERT_EQ(report.findings.size(), 1U);
  EXPECT_EQ(report.findings[0].id, "NCC029");
  EXPECT_TRUE(holds(report.findings[0].text, "fell back to sockets"));
  ASSERT_EQ(report.findings[0].consequences.size(), 1U);
  EXPECT_EQ(report.findings[0].consequences[0].id, "NCC001");
}

TEST(AdapterNotOpened, NoAdapterIsNoFailure) {
  NcclCase c;
  c.info("NET/IB : No device found.");
  EXPECT_TRUE(c.passes("NCC029"));
}

TEST(PluginFailed, ThePluginOfIbFailsWhereThereIsNoAdapter) {
  NcclCase c;
  c.info("NET/IB : No device found.");
  c.info("Failed to initialize NET plugin IB");
  EXPECT_TRUE(c.passes("NCC023"));
  c.info("Failed to initialize NET plugin AWS Libfabric");
  EXPECT_EQ(c.only("NCC023").severity, Severity::warning);
}

TEST(Efa, EndpointThatCannotBeOpened) {
  NcclCase c;
  c.warn("nccl_net_ofi_create_plugin", "NET/OFI Creating new endpoint failed: Invalid argument");
  EXPECT_EQ(c.only("NCC030").severity, Severity::error);
  NcclCase other;
  other.warn("x.cc", "endpoint failed");
  EXPECT_TRUE(other.passes("NCC030"));
}

TEST(Nvls, AWarningOfItsFileFails) {
  NcclCase c;
  c.warn("transport/nvls.cc",
         "Cuda failure 401 'the operation cannot be performed in the present state'");
  const Finding finding = c.only("NCC012");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(holds(finding.remedy.at(1).command, "nvidia-smi -r"));
  EXPECT_EQ(finding.remedy.at(1).risk, Risk::interrupts);
}

TEST(Nvls, NotAvailableIsUsual) {
  NcclCase c;
  c.info("NVLS multicast support is not available on dev 0");
  EXPECT_TRUE(c.passes("NCC012"));
}

TEST(Mnnvl, ChannelThatCannotBeUsed) {
  NcclCase c;
  c.warn("mnnvl.cc",
         "MNNVL (cliqueSize 8) is available but not working on this system. Check the "
         "IMEX channel configuration");
  c.warn("", "Cuda failure 800 'operation not permitted'");
  EXPECT_EQ(c.only("NCC013").evidence.size(), 2U);
  NcclCase quiet;
  quiet.warn("init.cc", "Cuda failure 2 'out of memory'");
  EXPECT_TRUE(quiet.passes("NCC013"));
}

void mask(NcclCase& c, const char* value) {
  const DeviceId gpu = c.gpu(0);
  c.machine[gpu].attributes.push_back({"nccl.mnnvl_health_mask", value, c.here});
}

TEST(MnnvlHealth, ATrueFieldFailsAndAllFalseIsANote) {
  NcclCase degraded;
  mask(degraded, "0xa9");  // bandwidth degraded is true
  EXPECT_EQ(degraded.only("NCC014").severity, Severity::error);
  EXPECT_TRUE(holds(degraded.only("NCC014").text, "bandwidth degraded"));
  NcclCase whole;
  mask(whole, "0xaa");
  EXPECT_EQ(whole.only("NCC014").severity, Severity::note);
  NcclCase none;
  mask(none, "0x0");
  EXPECT_TRUE(none.passes("NCC014"));
}

TEST(ShmFull, SizeIsToldWhereItIsKnown) {
  NcclCase c;
  c.machine.host.shm_bytes.claim(64u << 20, c.here);
  c.warn("misc/shmutils.cc", "Error: failed to extend /dev/shm/nccl-x to 9637892 bytes");
  EXPECT_TRUE(holds(c.only("NCC019").text, "64 MiB in all"));
  NcclCase quiet;
  quiet.rank(0);
  EXPECT_TRUE(quiet.passes("NCC019"));
}

TEST(PeerClosed, IsTheConsequenceOfAnotherFailure) {
  NcclCase c;
  c.warn("misc/socket.cc", "socketProgress: Connection closed by remote peer n2<5>");
  EXPECT_EQ(c.only("NCC020").severity, Severity::warning);
  c.warn(ib, "NET/IB : Got completion with error 12, opcode 1, len 0, vendor err 129");
  const auto report = c.check("NCC");
  ASSERT_FALSE(report.findings.empty());
  EXPECT_EQ(report.findings[0].id, "NCC008");
  EXPECT_EQ(report.findings[0].consequences.at(0).id, "NCC020");
}

TEST(PeerClosed, NothingWasClosed) {
  NcclCase c;
  c.rank(0);
  EXPECT_TRUE(c.passes("NCC020"));
}

TEST(NoRoute, InterfaceThatNcclUsesIsNamed) {
  NcclCase c;
  c.run().oob.claim("eno1", c.here);
  c.warn("include/socket.h", "Net : Connect to 192.168.1.9<54263> failed : No route to host");
  const Finding finding = c.only("NCC032");
  EXPECT_EQ(finding.severity, Severity::error);
  EXPECT_TRUE(holds(finding.text, "from eno1"));
}

TEST(NoRoute, ARefusalThatIsTriedAgainIsANote) {
  NcclCase c;
  c.info("Call to connect returned Connection refused, retrying");
  EXPECT_TRUE(c.is_quiet("NCC032"));
}

TEST(DeviceMemory, OutOfMemory) {
  NcclCase c;
  c.warn("include/alloc.h", "Cuda failure 2 'out of memory'");
  EXPECT_EQ(c.only("NCC033").severity, Severity::error);
  NcclCase quiet;
  quiet.rank(0);
  EXPECT_TRUE(quiet.passes("NCC033"));
}

}  // namespace
}  // namespace railgauge::judge
