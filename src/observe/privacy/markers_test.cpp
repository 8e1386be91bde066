// One recording with marked identities in every place that can hold one: afterwards none is left,
// and a second replacement finds the same forms again.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/strings.h"
#include "observe/privacy/identities.h"

namespace railgauge::observe {
namespace {

const IdentityKey key = identity_key("a secret of a test");
const KnownIdentities known = {{"markhost07.markdomain.example"}, {"markuser"}};

Recording marked() {
  Recording recording;
  recording.name = "markhost07";
  recording.manifest.hostname = "markhost07";
  const auto file = [&](const char* path, const char* text) { recording.add_file(path, text); };
  file("proc/sys/kernel/hostname", "markhost07\n");
  file("proc/sys/kernel/domainname", "markdomain.example\n");
  file("sys/class/net/marknet0/address", "b8:3f:d2:99:88:77\n");
  file("sys/class/net/marknet0.100/mtu", "9000\n");
  file("sys/class/net/ib0/address",
       "80:00:00:48:fe:80:00:00:00:00:00:00:b8:3f:d2:03:00:99:88:77\n");
  file("sys/class/infiniband/markrdma/node_guid", "b83f:d203:0099:8877\n");
  file("sys/class/infiniband/markrdma/node_desc", "markhost07 markrdma\n");
  file("sys/class/infiniband/markrdma/ports/1/gids/0", "fe80:0000:0000:0000:b83f:d203:0099:8877\n");
  file("sys/class/infiniband/markrdma/ports/1/gids/1", "0000:0000:0000:0000:0000:ffff:0a63:6363\n");
  file("sys/class/dmi/id/product_serial", "MARKSN1\n");
  file("sys/class/dmi/id/product_uuid", "99999999-8888-4777-8666-555555555555\n");
  file("samples/1/sys/class/net/marknet0/statistics/rx_bytes", "1\n");
  file(
      "environment.txt",
      "MASTER_ADDR=markpeer.markdomain.example\nSLURM_JOB_NODELIST=markrack[1-4],markhost07\n"
      "NCCL_TOPO_FILE=/home/markuser/markproject/marktopo.xml\nUCX_NET_DEVICES=markrdma:1\n"
      "NCCL_SOCKET_IFNAME=marknet0\nHTTP_X=http://markproxy.markdomain.example:80/markproject/x\n");
  file("etc/nccl.conf", "NCCL_GRAPH_FILE=/opt/markproject/marktopo.xml\n");
  file(
      "commands/x.json",
      R"({"argv":["/opt/markproject/bin/ibstat"],"exit_status":1,"err":"no\nmarkhost07\tmarkuser"})");
  file("commands/dmesg.txt",
       "[ 1.0] usb 1-1: SerialNumber: MARKSN22\n"
       "[ 1.1] NVRM: GPU at PCI:0000:9b:00: GPU-99999999-8888-7777-8666-555555555555\n"
       "[ 1.2] NVRM: GPU Board Serial Number: 9999900000999\n"
       "[ 1.3] NVRM: Xid (PCI:0000:9b:00): 13, pid=1, name=mark_train, Ch 00000008\n"
       "[ 1.4] mark_train[1]: segfault at 7f797fe00000 ip 00007f7c7ac69996\n"
       "[ 1.5] mlx5_core 0000:18:00.0 marknet0: Link up, 10.99.99.99, b8:3f:d2:99:88:77\n"
       "Nov 29 12:30:45 markhost07 kernel: MARKHOST07 user=markuser\n");
  file("commands/nvidia-smi-q.txt",
       "    Serial Number     : 9999900000999\n    GPU UUID          : "
       "GPU-99999999-8888-7777-8666-555555555555\n");
  file("commands/ibstat.txt", "CA 'markrdma'\n\tNode GUID: 0xb83fd20300998877\n");
  file("inputs/nccl.log", "markother:1:2 [0] NCCL INFO OOB marknet0:10.99.99.99<0> markother\n");
  file("inputs/markhost07-markuser.txt", "2001:db8:9999:8888:9999:8888:9999:8888 ~markuser/x\n");
  file("nvml.json", R"({"calls":[{"call":"nvmlDeviceGetSerial","args":[0],"value":"MARKSN333"}]})");
  recording.add_link("sys/class/net/marknet0/device", "../../../devices/net/marknet0");
  recording.add_refused("sys/class/net/marknet0/speed",
                        "/home/markuser/x: no access on markhost07");
  return recording;
}

const std::vector<std::string> marks = {
    "mark",        "MARK",      "99:88:77",      "998877",        "0099:8877",
    "10.99.99.99", "0a63:6363", "99999999-8888", "9999900000999", "9999:8888"};

std::string everything(const Recording& recording) {
  std::string all = recording.name + "\n" + recording.manifest.hostname + "\n";
  for (const auto& [path, entry] : recording.entries)
    all.append(path).append("\n").append(entry.bytes).append("\n");
  return all;
}

TEST(Markers, EveryMarkIsInTheRecording) {
  const std::string all = everything(marked());
  for (const auto& mark : marks) EXPECT_TRUE(contains(all, mark)) << mark;
}

TEST(Markers, NoneIsLeft) {
  const std::string all = everything(replace_identities(marked(), key, known));
  for (const auto& mark : marks)
    EXPECT_FALSE(contains(all, mark)) << mark << " in " << all.substr(all.find(mark), 60);
}

TEST(Markers, EveryEntryAndLineIsStillThere) {
  const Recording before = marked();
  const Recording after = replace_identities(before, key, known);
  EXPECT_EQ(after.entries.size(), before.entries.size());
  const std::string a = everything(before);
  const std::string b = everything(after);
  EXPECT_EQ(std::count(a.begin(), a.end(), '\n'), std::count(b.begin(), b.end(), '\n'));
}

// Letters as a, digits as 0, what was hex as either: the form without the value.
std::string form_of(std::string_view text) {
  std::string form;
  for (const char c : text) {
    const bool hex = std::isxdigit(static_cast<unsigned char>(c)) != 0;
    form += hex ? 'h' : c;
  }
  return form;
}

TEST(Markers, ReplacedAgainTheFormsStay) {
  const Recording once = replace_identities(marked(), key, known);
  const KnownIdentities again = {{once.manifest.hostname}, {}};
  const Recording twice = replace_identities(once, identity_key("another"), again);
  ASSERT_EQ(twice.entries.size(), once.entries.size());
  for (const char* path : {"proc/sys/kernel/hostname", "sys/class/dmi/id/product_uuid",
                           "sys/class/net/ib0/address", "commands/nvidia-smi-q.txt"})
    EXPECT_EQ(form_of(twice.find(path)->bytes), form_of(once.find(path)->bytes)) << path;
  EXPECT_NE(twice.find("proc/sys/kernel/hostname")->bytes,
            once.find("proc/sys/kernel/hostname")->bytes);
  EXPECT_TRUE(twice.list("sys/class/net").at(1).starts_with("net-"));
  EXPECT_TRUE(twice.list("sys/class/infiniband").at(0).starts_with("rdma-"));
}

}  // namespace
}  // namespace railgauge::observe
