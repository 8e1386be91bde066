#include "observe/privacy/fields.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

namespace railgauge::observe::privacy {
namespace {

using Names = std::vector<std::string>;

Names names(std::string_view path, std::string_view text, NameKind kind) {
  Names found;
  for (const Field& field : find_fields(path, text))
    if (field.kind == kind) found.emplace_back(text.substr(field.offset, field.length));
  return found;
}

Names serials(std::string_view text) { return names({}, text, NameKind::serial); }
Names users(std::string_view text) { return names({}, text, NameKind::user); }
Names processes(std::string_view text) { return names({}, text, NameKind::process); }
Names hosts(std::string_view text) { return names({}, text, NameKind::host); }

TEST(SerialFields, WhereTheyAreKnownToBe) {
  EXPECT_EQ(serials("    Serial Number                         : 1653922030345\n"),
            Names{"1653922030345"});
  EXPECT_EQ(serials("GPU Board Serial Number: 1653922030345\n"), Names{"1653922030345"});
  EXPECT_EQ(serials("  [SN] Serial number: MT2251X00123\n"), Names{"MT2251X00123"});
  EXPECT_EQ(serials("usb 1-1: SerialNumber: AB12CD34\n"), Names{"AB12CD34"});
  EXPECT_EQ(serials(R"({"serial": "AB12-CD34", "x": 1})"), Names{"AB12-CD34"});
  EXPECT_EQ(serials(R"({"board_serial_number":1653922030345})"), Names{"1653922030345"});
  EXPECT_EQ(serials(R"({"call":"nvmlDeviceGetSerial","args":[0],"value":"1653922030345"})"),
            Names{"1653922030345"});
  EXPECT_EQ(serials(R"(<info name="DMIBoardSerial" value="PF3X1234"/>)"), Names{"PF3X1234"});
  EXPECT_EQ(serials(R"(<gpu serial="PF3X1234" dev="0"/>)"), Names{"PF3X1234"});
  EXPECT_EQ(serials("SN: PF3X1234, PN: 900-1\n"), Names{"PF3X1234"});
}

TEST(SerialFields, OfTransceiversAndInXml) {
  EXPECT_EQ(serials("\tVendor SN                                 : MT2251VS00123\n"),
            Names{"MT2251VS00123"});
  EXPECT_EQ(serials(R"({"vendor_sn": "MT2251VS00123"})"), Names{"MT2251VS00123"});
  EXPECT_EQ(serials("<serial>1653922030345</serial>\n"), Names{"1653922030345"});
}

TEST(SerialFields, FilesNamedSo) {
  const auto in = [](const char* path, const char* text) {
    return names(path, text, NameKind::serial);
  };
  EXPECT_EQ(in("sys/class/dmi/id/product_serial", "J3X9Z12\n"), Names{"J3X9Z12"});
  EXPECT_EQ(in("sys/class/nvme/nvme0/serial", "S64GNG0T1234      \n"), Names{"S64GNG0T1234"});
  EXPECT_EQ(in("sys/class/dmi/id/board_vendor", "J3X9Z12\n"), Names{});
}

TEST(SerialFields, WordsThatMeanNone) {
  for (const char* text :
       {"Serial Number : N/A\n", "Serial Number : 0\n", "Serial Number : \nX1234567",
        "Serial: 0000000000\n", "Serial Number: To be filled by O.E.M.\n",
        "Serial Number: Default string\n", "Serial Number : [Unknown Error]\n", "SerialNumber=3\n",
        "Serial: 8250/16550 driver, 32 ports\n", "serial8250: ttyS0 at I/O 0x3f8\n",
        "Device Serial Number ec-0d-9a-03-00-d4-4e-b0\n"})
    EXPECT_EQ(serials(text), Names{}) << text;
}

TEST(UserFields, WhereTheyAreKnownToBe) {
  EXPECT_EQ(users("/home/alice/x"), Names{"alice"});
  EXPECT_EQ(users("/nfs/home/alice.b-c/x"), Names{"alice.b-c"});
  EXPECT_EQ(users("/Users/alice"), Names{"alice"});
  EXPECT_EQ(users("/Users/alice/"), Names{"alice"});
  EXPECT_EQ(users("cd ~alice/x"), Names{"alice"});
  EXPECT_EQ(users("user=alice,"), Names{"alice"});
  EXPECT_EQ(users("uid=1000(alice) gid=1000(staff)"), (Names{"alice", "staff"}));
  EXPECT_EQ(users("Session 1 of user alice."), Names{"alice"});
}

TEST(UserFields, RootAndOrdinaryTildesAreNone) {
  for (const char* text : {"/home/root/", "user=root", "uid=0(root)", "about ~5 GB", "1.2~bookworm",
                           "user=1000", "home/x"})
    EXPECT_EQ(users(text), Names{}) << text;
}

TEST(ProcessFields, LinesOfTheKernel) {
  EXPECT_EQ(processes("NVRM: Xid (PCI:0000:9b:00): 119, pid=1240590, name=my_train, Timeout"),
            Names{"my_train"});
  EXPECT_EQ(processes("[ 1.0] my_train[1234]: segfault at 0 ip"), Names{"my_train"});
  EXPECT_EQ(processes("traps: my_train[1234] general protection"), Names{"my_train"});
  EXPECT_EQ(processes("INFO: task my_train:1234 blocked for more than 120"), Names{"my_train"});
  EXPECT_EQ(processes("CPU: 17 PID: 20 Comm: my_train Tainted: P"), Names{"my_train"});
  EXPECT_EQ(processes("audit: pid=1 comm=\"my train\" exe="), Names{"my train"});
  EXPECT_EQ(processes("Out of memory: Killed process 123 (my_train) total-vm"), Names{"my_train"});
  EXPECT_EQ(processes("my_train invoked oom-killer: gfp"), Names{"my_train"});
  EXPECT_EQ(processes("oom-kill:constraint=X,task=my_train,pid=1,uid=0"), Names{"my_train"});
  EXPECT_EQ(processes("soft lockup - CPU#1 stuck for 22s! [my_train:1234]"), Names{"my_train"});
}

TEST(ProcessFields, NameInALineOfAnXid) {
  for (const char* line : {"NVRM: Xid (PCI:0000:9b:00): 31, pid=7,name=my_train",
                           "Xid (PCI:0000:9b:00): 31 name=my_train,",
                           "NVRM: Xid (PCI:0000:9b:00): 31, pid=7, name=my_train, Ch 0",
                           "NVRM: Xid (PCI:0000:9b:00): 31, pid='7', name='my_train', Ch 0",
                           "NVRM: Xid (PCI:0000:9b:00): 31, pid=7, name=\"my_train\", Ch 0",
                           "NVRM: Xid (PCI:0000:9b:00): 43 (name=my_train)"})
    EXPECT_EQ(processes(line), Names{"my_train"}) << line;
  EXPECT_EQ(processes("<gpu name=\"my_train\"/> x,name=my_train"), Names{});
}

TEST(ProcessFields, ProgramsThatEverybodyRuns) {
  for (const char* name :
       {"python3", "python3.10", "pt_main_thread", "nvidia-smi", "nccl-watchdog", "all_reduce_perf",
        "kworker/3:1", "ib_write_bw", "mpirun", "srun", "<unknown>"})
    EXPECT_EQ(processes("pid=1, name=" + std::string(name) + ", x"), Names{}) << name;
}

TEST(ProcessFields, NvidiaSmiListsTheCommand) {
  EXPECT_EQ(
      processes("  Process ID       : 12\n    Type    : C\n    Name    : /opt/x/my_train --fast\n"),
      Names{"/opt/x/my_train --fast"});
  EXPECT_EQ(processes("<process_name>/opt/x/my_train</process_name>"), Names{"/opt/x/my_train"});
  EXPECT_EQ(processes("    Product Name    : NVIDIA H100\n    Name : x\n"), Names{});
}

TEST(HostFields, WhereTheyAreKnownToBe) {
  EXPECT_EQ(hosts("node07:911:950 [0] NCCL INFO NET/IB"), Names{"node07"});
  EXPECT_EQ(hosts("Nov 29 12:30:45 gpu1 kernel: [1.0] x"), Names{"gpu1"});
  EXPECT_EQ(hosts("2026-11-29T12:30:45.123+00:00 gpu1.site kernel: x"), Names{"gpu1.site"});
  EXPECT_EQ(hosts(R"(<info name="HostName" value="node07"/>)"), Names{"node07"});
  EXPECT_EQ(hosts("[1.0] Linux kernel: x"), Names{});
  EXPECT_EQ(names("proc/sys/kernel/hostname", "gpu\n", NameKind::host), Names{"gpu"});
  EXPECT_EQ(names("proc/sys/kernel/domainname", "(none)\n", NameKind::domain), Names{});
}

TEST(HostFields, DescriptionsOfRdmaNodes) {
  const auto in = [](const char* text) {
    return names("sys/class/infiniband/mlx5_0/node_desc", text, NameKind::host);
  };
  EXPECT_EQ(in("node07 mlx5_0\n"), Names{"node07"});
  EXPECT_EQ(in("node07 HCA-1\n"), Names{"node07"});
  EXPECT_EQ(in("MT4129 ConnectX7   Mellanox Technologies\n"), Names{});
}

TEST(EnvironmentFields, Hosts) {
  const auto in = [](const char* text) { return names("environment.txt", text, NameKind::host); };
  EXPECT_EQ(in("MASTER_ADDR=gpu1.site\n"), Names{"gpu1.site"});
  EXPECT_EQ(in("X_HOSTS=gpu1:8,gpu2:8\n"), (Names{"gpu1", "gpu2"}));
  EXPECT_EQ(in("SLURM_JOB_NODELIST=dgx-[01-04,07],login\n"), (Names{"dgx", "login"}));
  EXPECT_EQ(in("NCCL_COMM_ID=gpu1:1234\nNCCL_HOSTID=pod-a\n"), (Names{"gpu1", "pod-a"}));
  EXPECT_EQ(in("MASTER_ADDR=10.0.0.1\n"), Names{});
  EXPECT_EQ(in("MASTER_ADDR=fe80::1\n"), Names{});
  EXPECT_EQ(in("MASTER_ADDR=localhost\nN_HOSTS=4\n"), Names{});
  EXPECT_EQ(in("PROXY=http://proxy.site:3128/\n"), Names{"proxy.site"});
}

TEST(EnvironmentFields, PathsKeepWhatEverySystemHas) {
  const auto in = [](const char* text) { return names("etc/nccl.conf", text, NameKind::path); };
  EXPECT_EQ(in("A=/usr/local/cuda-12.4/lib64/libnccl.so.2.19.3\n"), Names{});
  EXPECT_EQ(in("A=/opt/hpcx/nccl_rdma_sharp_plugin/lib:/usr/lib/x86_64-linux-gnu\n"), Names{});
  EXPECT_EQ(in("A=/opt/acme/topo.xml\nB=/scratch/secret-run/x.log\n"),
            (Names{"acme", "secret-run", "x.log"}));
  EXPECT_EQ(in("A=/sys/class/infiniband/mlx5_0\nB=IB/RoCE\nC=^docker,lo\n"), Names{});
  EXPECT_EQ(names("environment.txt", "A=/home/alice/x\nB=~bob/y\nUSER=carol\n", NameKind::user),
            (Names{"alice", "bob", "carol"}));
}

TEST(EnvironmentFields, PathsInArgv) {
  EXPECT_EQ(
      names("commands/x.json", R"({"argv": ["/opt/acme/bin/ibstat", "-l"], "err": "/opt/other"})",
            NameKind::path),
      Names{"acme"});
}

}  // namespace
}  // namespace railgauge::observe::privacy
