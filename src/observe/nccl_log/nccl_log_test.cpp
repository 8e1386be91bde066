#include "observe/nccl_log/nccl_log.h"

#include <gtest/gtest.h>

#include "observe/join/join.h"
#include "observe/nccl_log/marked_lines.h"
#include "observe/nccl_log/nccl_line.h"

namespace railgauge::observe {
namespace {

model::Machine read_log(const std::string& text) {
  auto machine = read_nccl_log({"job.log", text});
  return machine ? std::move(*machine) : model::Machine{};
}

// Each line with a usual prefix.
std::string lines(std::initializer_list<const char*> texts) {
  std::string out;
  for (const char* text : texts) out += std::string("n1:10:20 [0] NCCL INFO ") + text + "\n";
  return out;
}

TEST(NcclLine, PrefixesOfVersionsAndLaunchers) {
  for (const char* raw :
       {"n1:97095:97196 [3] NCCL INFO words", "[1,0]<stdout>:n1:97095:97196 [3] NCCL INFO words",
        "0: n1:97095:97196 [3] NCCL INFO words",
        "[2026-03-02 10:11:12] n1:97095:97196 [3] NCCL INFO words",
        "[1,0]<stderr>: [2026-03-02 10:11:12] n1:97095:97196 [3] NCCL INFO words",
        "[rank3]: n1:97095:97196 [3] NCCL INFO words",
        "[default3]:n1:97095:97196 [3] NCCL INFO words",
        "worker-1  | n1:97095:97196 [3] NCCL INFO words",
        "(RayWorker pid=77) n1:97095:97196 [3] NCCL INFO words"}) {
    const auto messages = split_nccl_line(raw);
    ASSERT_EQ(messages.count, 1u) << raw;
    const NcclLine& line = messages.all[0];
    EXPECT_EQ(line.host, "n1") << raw;
    EXPECT_EQ(line.process_id, 97095) << raw;
    EXPECT_EQ(line.device, 3) << raw;
    EXPECT_EQ(line.text, "words") << raw;
    EXPECT_FALSE(line.warning);
  }
  EXPECT_EQ(split_nccl_line("set NCCL_DEBUG=INFO to see NCCL INFO lines").count, 0u);
  EXPECT_EQ(split_nccl_line("the NCCL version matters").count, 0u);
}

TEST(NcclLine, WarningNamesItsPlace) {
  const auto messages = split_nccl_line(
      "[2026-03-02 10:11:12] n1:77:131 [0] misc/shmutils.cc:88 NCCL WARN Error: failed");
  ASSERT_EQ(messages.count, 1u);
  const NcclLine& line = messages.all[0];
  EXPECT_TRUE(line.warning);
  EXPECT_EQ(line.file, "misc/shmutils.cc");
  EXPECT_EQ(line.file_line, 88);
  EXPECT_EQ(line.host, "n1");
  EXPECT_EQ(line.device, 0);
  const auto short_one = split_nccl_line("n1:900:951 [0] NCCL WARN Cuda failure 800");
  ASSERT_EQ(short_one.count, 1u);
  EXPECT_TRUE(short_one.all[0].file.empty());
}

TEST(NcclLine, MessagesThatRanksWroteIntoOneLineAreReadOneByOne) {
  const auto messages = split_nccl_line(
      "n1:118:164 [0] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPCn1:118:165 [1] NCCL INFO "
      "Channel 00/0 : 1[1] -> 2[2] via SHM/direct/direct[2026-03-02 10:11:12] n1:119:166 [2] "
      "misc/shmutils.cc:88 NCCL WARN Error: failed",
      "n1");
  ASSERT_EQ(messages.count, 3u);
  EXPECT_EQ(messages.all[0].text, "Channel 00/0 : 0[0] -> 1[1] via P2P/IPC");
  EXPECT_EQ(messages.all[1].host, "n1");
  EXPECT_EQ(messages.all[1].device, 1);
  EXPECT_EQ(messages.all[1].text, "Channel 00/0 : 1[1] -> 2[2] via SHM/direct/direct");
  EXPECT_EQ(messages.all[2].process_id, 119);
  EXPECT_EQ(messages.all[2].file_line, 88);
  EXPECT_TRUE(messages.all[2].warning);
}

TEST(MarkedLines, PiecesOfAnySizeGiveTheSameLines) {
  const std::string text =
      "epoch 1\nn1:1:2 [0] NCCL INFO a\n\nCCL CCL version 2\r\nn1:1:2 [0] NCCL WARN b\nloss 0.1\n"
      "NCCL version 2.12.9+cuda11.6";
  using Found = std::vector<std::pair<std::uint32_t, std::string>>;
  Found expected{{2, "n1:1:2 [0] NCCL INFO a"},
                 {5, "n1:1:2 [0] NCCL WARN b"},
                 {7, "NCCL version 2.12.9+cuda11.6"}};
  for (std::size_t size = 1; size <= text.size(); ++size) {
    MarkedLines lines;
    Found found;
    const MarkedLines::Use use = [&](const MarkedLines::Line& line) {
      found.emplace_back(line.number, line.raw);
    };
    for (std::size_t at = 0; at < text.size(); at += size)
      lines.take(std::string_view(text).substr(at, size), use);
    lines.end(use);
    EXPECT_EQ(found, expected) << size;
  }
}

TEST(MarkedLines, LineOverTheBoundIsCountedAndPassedOver) {
  const std::string text = "NCCL INFO " + std::string(3u << 20, 'x') + "\nn1:1:2 [0] NCCL INFO a\n";
  for (const std::size_t size : {text.size(), std::size_t{4096}}) {
    MarkedLines lines;
    std::vector<std::uint32_t> numbers;
    const MarkedLines::Use use = [&](const MarkedLines::Line& line) {
      numbers.push_back(line.number);
    };
    for (std::size_t at = 0; at < text.size(); at += size)
      lines.take(std::string_view(text).substr(at, size), use);
    lines.end(use);
    EXPECT_EQ(numbers, std::vector<std::uint32_t>{2});
    EXPECT_EQ(lines.too_long(), 1u);
  }
}

TEST(NcclLog, VersionsNetworkAndChannels) {
  const auto machine = read_log("NCCL version 2.12.9+cuda11.6\n" +
                                lines({"cudaDriverVersion 12040", "Using network IBext_v8",
                                       "Bootstrap : Using [0]ib0:10.0.0.1<0> [1]ib1:10.0.1.1<0>",
                                       "24 coll channels, 16 nvls channels, 32 p2p channels"}));
  const auto& run = machine.nccl_runs.at(0);
  EXPECT_EQ(*run.version, "2.12.9");
  EXPECT_EQ(*run.cuda, "11.6");
  EXPECT_EQ(*run.cuda_driver, 12040);
  EXPECT_EQ(*run.network, "IBext_v8");
  EXPECT_EQ(*run.oob, "ib0");
  EXPECT_EQ(*run.channels, 24);
  EXPECT_EQ(run.lines, 5u);
}

TEST(NcclLog, RanksAndTheirGpus) {
  const auto machine = read_log(
      "n1:11:20 [1] NCCL INFO ncclCommInitRank comm 0x5 rank 1 nranks 4 cudaDev 1 nvmlDev 2 busId "
      "41000 commId 0x1 - Init START\n"
      "n1:10:20 [0] NCCL INFO comm 0x5 rank 0 nranks 4 cudaDev 0 nvmlDev 0 busId 9001b000 - Init "
      "COMPLETE\n"
      "n1:11:20 [1] NCCL INFO comm 0x6 rank 0 nranks 2 cudaDev 1 nvmlDev 2 busId 41000 - Init "
      "COMPLETE\n"
      "n1:11:20 [1] NCCL INFO Setting affinity for GPU 1 to ffff,ffffffff\n");
  const auto& ranks = machine.nccl_runs.at(0).ranks;
  ASSERT_EQ(ranks.size(), 2u);
  EXPECT_EQ(ranks[0].rank, 0);
  EXPECT_EQ(ranks[0].address->text(), "0900:1b:00.0");
  EXPECT_TRUE(ranks[0].complete);
  EXPECT_EQ(ranks[1].rank, 1);
  EXPECT_EQ(ranks[1].ranks, 4);
  EXPECT_EQ(ranks[1].process_id, 11);
  EXPECT_EQ(ranks[1].affinity, "ffff,ffffffff");
  ASSERT_EQ(machine.devices.size(), 2u);
  EXPECT_EQ(machine.devices[1].kind, model::DeviceKind::gpu);
  EXPECT_EQ(machine.devices[1].address->text(), "0000:41:00.0");
  EXPECT_EQ(*machine.devices[1].index, 2);
  EXPECT_EQ(*machine.devices[1].gpu->rank, 1);
}

TEST(NcclLog, AdaptersAndTheirAddresses) {
  const auto machine = read_log(
      lines({"NET/IB : Using [0]mlx5_0:1/IB/SHARP [1]mlx5_1:2/RoCE [RO]; OOB eth0:10.0.0.1<0>",
             "NET/Socket : Using [0]eth0:10.0.0.1<0> [1]cali01:fe80::1%cali01<0>",
             "ncclTopoPopulateNics : Filled mlx5_1 in topo with "
             "pciPath=/sys/devices/pci0000:20/0000:20:01.2/0000:22:00.0 keep=1 coll=(null)"}));
  const auto& nics = machine.nccl_runs.at(0).nics;
  ASSERT_EQ(nics.size(), 4u);
  EXPECT_EQ(nics[0].name, "mlx5_0");
  EXPECT_EQ(nics[0].layer, "IB/SHARP");
  EXPECT_EQ(nics[1].port, 2);
  EXPECT_EQ(nics[3].network, "Socket");
  EXPECT_EQ(nics[3].name, "cali01");
  ASSERT_EQ(machine.devices.size(), 2u);
  EXPECT_EQ(*machine.devices[1].nic->rdma_device, "mlx5_1");
  EXPECT_EQ(machine.devices[1].address->text(), "0000:22:00.0");
  EXPECT_EQ(*machine.devices[1].nic->ports.at(0).link_layer, "Ethernet");
}

TEST(NcclLog, GpuDirectWithReasonAndCount) {
  const auto machine =
      read_log(lines({"NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'",
                      "NET/IB : GPU Direct RDMA Enabled for HCA 0 'mlx5_0'",
                      "GPU Direct RDMA Disabled for GPU ca000 / HCA 0 (distance 7 > 4)"}));
  const auto& gdr = machine.nccl_runs.at(0).gdr;
  ASSERT_EQ(gdr.size(), 2u);
  EXPECT_TRUE(gdr[0].enabled);
  EXPECT_EQ(gdr[0].nic, "mlx5_0");
  EXPECT_EQ(gdr[0].count, 2u);
  EXPECT_FALSE(gdr[1].enabled);
  EXPECT_EQ(gdr[1].gpu, "ca000");
  EXPECT_EQ(gdr[1].distance, 7);
  EXPECT_EQ(gdr[1].distance_allowed, 4);
}

TEST(NcclLog, WaysOfAllVersions) {
  const auto machine = read_log(
      lines({"Channel 00/0 : 0[0] -> 1[1] via P2P/IPC", "Channel 01/0 : 0[0] -> 1[1] via P2P/IPC",
             "Channel 02/0 : 1[1] -> 8[0] [receive] via NET/IB/0/GDRDMA",
             "Channel 00 : 0[1b000] -> 1[1c000] via direct shared memory",
             "Ring 00 : 3 -> 4 [send] via NET/Socket/0"}));
  const auto& ways = machine.nccl_runs.at(0).connections;
  ASSERT_EQ(ways.size(), 4u);
  EXPECT_EQ(ways[0].via, "P2P/IPC");
  EXPECT_EQ(ways[0].channels, 2u);
  EXPECT_EQ(ways[1].direction, "receive");
  EXPECT_EQ(ways[1].to, 8);
  EXPECT_EQ(ways[2].via, "direct shared memory");
  EXPECT_EQ(ways[3].from, 3);
  EXPECT_EQ(ways[3].direction, "send");
}

TEST(NcclLog, RingsAndTreesOfAllVersions) {
  const auto machine = read_log(
      lines({"Channel 00/02 :    0   1   2   3", "Channel 01/02 : 0 3 2 1", "Ring 00 : 7 -> 0 -> 1",
             "Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->3|3->0->-1/-1/-1",
             "Tree 2 : -1 -> 0 -> 1/2/-1"}));
  const auto& run = machine.nccl_runs.at(0);
  ASSERT_EQ(run.rings.size(), 2u);
  EXPECT_EQ(run.rings[1], (std::vector<int>{0, 3, 2, 1}));
  ASSERT_EQ(run.ring_steps.size(), 1u);
  EXPECT_EQ(run.ring_steps[0], (model::NcclRingStep{0, 7, 0, 1}));
  ASSERT_EQ(run.tree_steps.size(), 3u);
  EXPECT_EQ(run.tree_steps[0].down, std::vector<int>{1});
  EXPECT_FALSE(run.tree_steps[0].up);
  EXPECT_EQ(run.tree_steps[1].up, 3);
  EXPECT_EQ(run.tree_steps[2].down, (std::vector<int>{1, 2}));
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(NcclLog, VariablesOfNcclOnly) {
  const auto machine = read_log(lines(
      {"NCCL_IB_GID_INDEX set by environment to 3.", "NCCL_P2P_LEVEL set by environment to LOC",
       "NCCL_IB_GID_INDEX set by environment to 3.", "PATH set by environment to /bin",
       "NET/OFI Running on P4d platform, Setting NCCL_TOPO_FILE environment variable to "
       "/opt/topo.xml"}));
  ASSERT_EQ(machine.variables.size(), 3u);
  EXPECT_EQ(machine.variables[0].name, "NCCL_IB_GID_INDEX");
  EXPECT_EQ(machine.variables[0].value, "3");
  EXPECT_EQ(machine.variables[2].value, "/opt/topo.xml");
}

TEST(NcclLog, WarningsThatDifferInNumbersAreCounted) {
  const auto machine = read_log(
      "n1:1:2 [0] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 12, len 0\n"
      "n1:1:3 [1] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 12, len 7\n"
      "n1:1:3 [1] misc/ibvwrap.cc:268 NCCL WARN Call to ibv_create_cq failed\n");
  const auto& warnings = machine.nccl_runs.at(0).warnings;
  ASSERT_EQ(warnings.size(), 2u);
  EXPECT_EQ(warnings[0].count, 2u);
  EXPECT_EQ(warnings[0].file, "transport/net_ib.cc");
  EXPECT_EQ(warnings[0].line, 839);
  EXPECT_EQ(warnings[1].source.line, 3u);
}

TEST(NcclLog, FailuresSaidAtInfoLevelAreKept) {
  const auto machine =
      read_log(lines({"P2P not supported between GPU3 and GPU0",
                      "P2P not supported between GPU3 and GPU1", "NET/IB : No device found.",
                      "socketPollConnect: Connect to 10.0.0.4<5> returned 113(No "
                      "route to host) errno 115",
                      "RAS thread started"}));
  const auto& warnings = machine.nccl_runs.at(0).warnings;
  ASSERT_EQ(warnings.size(), 3u);
  EXPECT_EQ(warnings[0].count, 2u);
  EXPECT_EQ(warnings[1].text, "NET/IB : No device found.");
}

TEST(NcclLog, HealthOfTheNvlinkFabric) {
  const auto machine = read_log(
      lines({"MNNVL busId 0x901000 fabric UUID 0.0 cliqueId 0x1 state 3 healthMask 0xaa"}));
  ASSERT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(machine.devices[0].address->text(), "0009:01:00.0");
  ASSERT_EQ(machine.devices[0].attributes.size(), 3u);
  EXPECT_EQ(machine.devices[0].attributes[2].value, "0xaa");
}

TEST(NcclLog, SecondMaskOfAGpuIsRemarked) {
  const auto machine =
      read_log(lines({"Setting affinity for GPU 0 to ff", "Setting affinity for GPU 0 to ffffff"}));
  EXPECT_EQ(machine.nccl_runs.at(0).ranks.at(0).affinity, "ff");
  EXPECT_EQ(machine.remarks.size(), 1u);
}

TEST(NcclLog, MixedAndBrokenLinesAreRemarked) {
  const auto machine = read_log(
      "n1:1:2 [0] NCCL INFO === Syn1:7:7 [1] NCCL INFO Using network Socket\n"
      "n1:1:2 [0] NCCL INFO Channel 00/0 : x[0] -> 1[1] via P2P/IPC\n");
  EXPECT_EQ(*machine.nccl_runs.at(0).network, "Socket");
  EXPECT_EQ(machine.remarks.size(), 2u);
}

TEST(NcclLog, DevicesOfTheFirstHostOnly) {
  const auto machine = read_log(
      "n1:1:2 [0] NCCL INFO comm 0x5 rank 0 nranks 2 cudaDev 0 busId 1b000 - Init COMPLETE\n"
      "n2:1:2 [0] NCCL INFO comm 0x5 rank 1 nranks 2 cudaDev 0 busId 1b000 - Init COMPLETE\n");
  EXPECT_EQ(machine.nccl_runs.at(0).ranks.size(), 2u);
  EXPECT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(*machine.host.hostname, "n1");
  EXPECT_EQ(machine.remarks.size(), 1u);
}

TEST(NcclLog, VersionOfEachRank) {
  const auto machine = read_log(
      "n1:1:2 [0] NCCL INFO NCCL version 2.28.9+cuda12.4\n"
      "n2:1:2 [0] NCCL INFO NCCL version 2.27.3+cuda12.4\n"
      "n2:1:2 [0] NCCL INFO NCCL version 2.27.3+cuda12.4\n");
  const auto& run = machine.nccl_runs.at(0);
  EXPECT_EQ(run.version.claims().size(), 2u);
  ASSERT_EQ(run.ranks.size(), 2u);
  EXPECT_EQ(run.ranks[0].version, "2.28.9");
  EXPECT_EQ(run.ranks[1].version, "2.27.3");
}

TEST(NcclLog, TimeOfTheStartAndItsPhases) {
  const auto machine = read_log(lines(
      {"ncclCommInitRank comm 0x5 rank 0 nranks 2 cudaDev 0 busId 1b000 - Init COMPLETE",
       "Init timings - ncclCommInitRank: rank 0 nranks 2 total 1.23 (kernels 0.18, alloc 0.35)",
       "Init timings - ncclCommInitRank: rank 0 nranks 2 total 0.04 (kernels 0.00, alloc 0.00)"}));
  const auto& rank = machine.nccl_runs.at(0).ranks.at(0);
  EXPECT_TRUE(rank.started);
  EXPECT_TRUE(rank.complete);
  EXPECT_DOUBLE_EQ(rank.init_seconds.value(), 1.23);
  EXPECT_EQ(rank.init_phases, "kernels 0.18, alloc 0.35");
}

TEST(NcclLog, PathsOfNcclsOwnTopology) {
  const auto machine = read_log(lines(
      {"GPU/0-26000 :GPU/0-26000 (0/5000.0/LOC) GPU/0-41000 (1/240.0/NVL) CPU/0-2 (1/24.0/PHB)",
       "GPU/1B000 :GPU/1B000 (0/5000.0/LOC) GPU/1C000 (3/16.0/SYS)",
       "+ PCI[24.0] - GPU/0-26000 (0)", "+ PCI[0.2] - PCI/0-65000 (104c823200000000)"}));
  const auto& run = machine.nccl_runs.at(0);
  ASSERT_EQ(run.paths.size(), 2u);
  EXPECT_EQ(run.paths[0].a.text(), "0000:26:00.0");
  EXPECT_EQ(run.paths[0].type, "NVL");
  EXPECT_DOUBLE_EQ(run.paths[0].gigabytes_per_second, 240);
  EXPECT_EQ(run.paths[1].b.text(), "0000:1c:00.0");
  EXPECT_DOUBLE_EQ(*run.narrowest_pci, 0.2);
}

TEST(NcclLog, GdrOfRingsAndMissingPlugins) {
  const auto machine = read_log(lines({"Connected all rings, use ring PXN 0 GDR 1",
                                       "NET/Plugin: Could not find: libnccl-net.so",
                                       "NET/Plugin : No plugin found (libnccl-net.so)."}));
  EXPECT_TRUE(*machine.nccl_runs.at(0).gdr_used);
  EXPECT_EQ(machine.nccl_runs.at(0).plugins_missing, std::vector<std::string>{"libnccl-net.so"});
}

TEST(NcclLog, CompletionErrorsOfOtherNumbersAreOtherErrors) {
  const auto machine = read_log(
      "n1:1:2 [0] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 12, len 0\n"
      "n1:1:3 [1] transport/net_ib.cc:839 NCCL WARN NET/IB : Got completion with error 5, len 7\n"
      "n1:1:3 [1] NCCL WARN NET/IB: Got completion from peer 10.0.0.2<1> with "
      "status=IBV_WC_LOC_PROT_ERR(4) vendor_err=81\n");
  EXPECT_EQ(machine.nccl_runs.at(0).warnings.size(), 3u);
}

TEST(NcclLog, LineThatWasCutIsReadWithTheNext) {
  const auto machine = read_log(
      "n1:1:2 [0] NCCL INFO Channel 00/0 : 0[0] -> 1\n"
      "[1] via P2P/IPC\n"
      "n1:1:2 [0] NCCL INFO Channel 00/0 : 1[1] -> 2[2] via\n"
      "SHM/direct/direct\n");
  const auto& ways = machine.nccl_runs.at(0).connections;
  ASSERT_EQ(ways.size(), 2u);
  EXPECT_EQ(ways[0].via, "P2P/IPC");
  EXPECT_EQ(ways[1].via, "SHM/direct/direct");
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text,
            "lines that were cut and are read with the line after them: 2");
}

TEST(NcclLog, JoinedRunsKeepTheirOwnSources) {
  model::Machine other;
  other.sources.add("other.txt", model::Trust::tool);
  const auto joined = join(
      {other, read_log("n1:1:2 [0] misc/ibvwrap.cc:268 NCCL WARN Call to ibv_create_cq failed\n"
                       "n1:1:2 [0] NCCL INFO Using network IB\n")});
  ASSERT_EQ(joined.nccl_runs.size(), 1u);
  EXPECT_EQ(joined.sources.text(joined.nccl_runs[0].warnings.at(0).source), "job.log:1");
  EXPECT_EQ(joined.sources.text(joined.nccl_runs[0].network.source()), "job.log:2");
}

TEST(NcclLog, OtherTextIsRefused) {
  EXPECT_FALSE(read_nccl_log({"x", "set NCCL_DEBUG=INFO\n"}).has_value());
  EXPECT_FALSE(looks_like_nccl_log("set NCCL_DEBUG=INFO\n"));
}

}  // namespace
}  // namespace railgauge::observe
