#include "observe/privacy/identities.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

const IdentityKey key = identity_key("a secret of a test");
const KnownIdentities known = {{"node07.site.example"}, {"alice"}};

Recording with(const std::string& path, const std::string& text) {
  Recording recording;
  recording.add_file(path, text);
  return recording;
}

std::string replaced(const std::string& text, const std::string& path = "commands/dmesg.txt") {
  const Recording out = replace_identities(with(path, text), key, known);
  return std::string(out.entries.begin()->second.bytes);
}

// What stands between two marks of a text.
std::string between(const std::string& text, const std::string& before, const std::string& after) {
  const auto start = text.find(before);
  if (start == std::string::npos) return "no " + before;
  const auto from = start + before.size();
  return text.substr(from, text.find(after, from) - from);
}

TEST(IdentityKey, DependsOnTheSecretAlone) {
  EXPECT_EQ(identity_key("a").bytes, identity_key("a").bytes);
  EXPECT_NE(identity_key("a").bytes, identity_key("b").bytes);
  EXPECT_EQ(identity_key("a").bytes.size(), 32u);
  EXPECT_EQ(key_name(identity_key("0123456789abcdef")), "ae8071fe");  // Python's hmac module
}

TEST(Identities, MacGuidAndGidKeepTheirRelation) {
  const std::string out = replaced(
      "mac 50:6b:4b:a1:b2:c3 MAC 50-6B-4B-A1-B2-C3 name enx506b4ba1b2c3\n"
      "guid 506b:4b03:00a1:b2c3 again 0x506b4b0300a1b2c3\n"
      "gid fe80:0000:0000:0000:506b:4b03:00a1:b2c3 roce fe80::526b:4bff:fea1:b2c3\n"
      "hw 80:00:00:48:fe:80:00:00:00:00:00:00:50:6b:4b:03:00:a1:b2:c3\n");
  const std::string mac = between(out, "mac ", " ");
  ASSERT_EQ(mac.size(), 17u);
  EXPECT_EQ(mac.substr(0, 9), "50:6b:4b:");
  EXPECT_NE(mac, "50:6b:4b:a1:b2:c3");
  const std::string a = mac.substr(9, 2);
  const std::string b = mac.substr(12, 2);
  const std::string c = mac.substr(15, 2);
  EXPECT_EQ(lower(between(out, "MAC ", " ")), "50-6b-4b-" + a + "-" + b + "-" + c);
  EXPECT_EQ(between(out, "name enx", "\n"), "506b4b" + a + b + c);
  EXPECT_EQ(between(out, "guid ", " "), "506b:4b03:00" + a + ":" + b + c);
  EXPECT_EQ(between(out, "again ", "\n"), "0x506b4b0300" + a + b + c);
  EXPECT_EQ(between(out, "gid ", " "), "fe80:0000:0000:0000:506b:4b03:00" + a + ":" + b + c);
  EXPECT_TRUE(between(out, "roce ", "\n").starts_with("fe80::526b:4bff:fe" + a + ":")) << out;
  EXPECT_EQ(between(out, "hw ", "\n"),
            "80:00:00:48:fe:80:00:00:00:00:00:00:50:6b:4b:03:00:" + a + ":" + b + ":" + c);
}

TEST(Identities, Ipv4IsTheSameInEverySpelling) {
  const std::string out = replaced(
      "plain 10.0.0.21 mask 10.0.0.99/24\nmapped ::ffff:10.0.0.21\n"
      "gid 0000:0000:0000:0000:0000:ffff:0a00:0015\n");
  const std::string plain = between(out, "plain ", " ");
  EXPECT_TRUE(plain.starts_with("10."));
  EXPECT_NE(plain, "10.0.0.21");
  EXPECT_EQ(between(out, "mapped ", "\n"), "::ffff:" + plain);
  const auto octets = split(plain, '.');
  const std::string neighbour = between(out, "mask ", "/");
  EXPECT_EQ(plain.substr(0, plain.rfind('.')), neighbour.substr(0, neighbour.rfind('.')));
  char hex[10];
  std::snprintf(hex, sizeof hex, "%02x%02x:%02x%02x", std::stoi(std::string(octets[0])),
                std::stoi(std::string(octets[1])), std::stoi(std::string(octets[2])),
                std::stoi(std::string(octets[3])));
  EXPECT_EQ(between(out, "gid ", "\n"), std::string("0000:0000:0000:0000:0000:ffff:") + hex);
}

TEST(Identities, NumbersInHexAreGuidsOnlyWithAReason) {
  const std::string text = "GSP data 0x00062ed1a6bd61fa 0x0000000000002081\n";
  EXPECT_EQ(replaced(text), text);
  EXPECT_NE(replaced("Node GUID: 0x00062ed1a6bd61fa\n"), "Node GUID: 0x00062ed1a6bd61fa\n");
  EXPECT_NE(replaced("0x00062ed1a6bd61fa\n", "sys/class/infiniband/mlx5_0/node_guid"),
            "0x00062ed1a6bd61fa\n");
  EXPECT_EQ(replaced("node_guid: 0000:0000:0000:0000 0xffffffffffffffff\n"),
            "node_guid: 0000:0000:0000:0000 0xffffffffffffffff\n");
}

TEST(Identities, UuidsKeepTheirVersionAndPrefix) {
  const std::string out = replaced(
      "a GPU-1a2b3c4d-1111-4222-8333-444455556666 b 1A2B3C4D-1111-4222-8333-444455556666\n"
      "c GPU-1a2b3c4d d 00000000-0000-0000-0000-000000000000\n");
  const std::string uuid = between(out, "a GPU-", " ");
  EXPECT_NE(uuid, "1a2b3c4d-1111-4222-8333-444455556666");
  EXPECT_EQ(uuid[14], '4');
  EXPECT_EQ(uuid[19], '8');
  EXPECT_EQ(lower(between(out, "b ", "\n")), uuid);
  EXPECT_EQ(between(out, "c GPU-", " "), uuid.substr(0, 8));
  EXPECT_TRUE(contains(out, "d 00000000-0000-0000-0000-000000000000"));
}

TEST(Identities, UuidsWithoutDashesAreKnownByTheirLabelOrElsewhere) {
  const std::string digits = "1a2b3c4d111142228333444455556666";
  EXPECT_NE(replaced(digits + "\n", "etc/machine-id"), digits + "\n");
  EXPECT_NE(replaced("\"cluster\":\"" + digits + "\""), "\"cluster\":\"" + digits + "\"");
  EXPECT_EQ(replaced("md5 " + digits), "md5 " + digits);
  const std::string out = replaced("a 1a2b3c4d-1111-4222-8333-444455556666 md5 " + digits + "\n");
  std::string uuid = between(out, "a ", " ");
  std::erase(uuid, '-');
  EXPECT_EQ(between(out, "md5 ", "\n"), uuid);
}

TEST(Identities, SerialNumberIsReplacedWhereverItStands) {
  const std::string out =
      replaced("Serial Number : 1653922030345\ncard 1653922030345, 16539220303450\n");
  const std::string serial = between(out, "Number : ", "\n");
  EXPECT_NE(serial, "1653922030345");
  EXPECT_EQ(serial.find_first_not_of("0123456789"), std::string::npos);
  EXPECT_EQ(between(out, "card ", ","), serial);
  EXPECT_TRUE(contains(out, "16539220303450"));
}

TEST(Identities, HostNamesInFullAndShort) {
  const std::string out =
      replaced("x node07 y node07.site.example z NODE07-ib0 w mynode07 site.example\n");
  const std::string host = between(out, "x ", " ");
  EXPECT_TRUE(host.starts_with("host-"));
  EXPECT_TRUE(between(out, "y ", " ").starts_with(host + ".domain-"));
  EXPECT_EQ(lower(between(out, "z ", "-ib0")), host);
  EXPECT_TRUE(contains(out, "mynode07"));
  EXPECT_FALSE(contains(out, "site.example"));
}

TEST(Identities, HostsOfTheSameSite) {
  Recording recording = with("commands/x.txt", "proxy.site.example nvidia.com ip-10-0-0-1\n");
  const KnownIdentities names = {{"ip-10-0-0-1.rack1.site.example", "x1y2.com"}, {}};
  const Recording out = replace_identities(recording, key, names);
  const auto words = split_blank(out.entries.begin()->second.bytes);
  EXPECT_TRUE(words[0].starts_with("host-")) << words[0];
  EXPECT_TRUE(contains(words[0], ".domain-")) << words[0];
  EXPECT_EQ(words[1], "nvidia.com");
  EXPECT_TRUE(words[2].starts_with("host-")) << words[2];
}

TEST(Identities, MachineOfAKnownDomainIsKnownByItsShortNameToo) {
  Recording recording = with("commands/a.txt", "node08 is gone, NODE08 too; node09 is not of it\n");
  recording.add_file("commands/b.txt", "no answer from node08.site.example:22\n");
  recording.add_file("commands/c.json", R"({"err":"lost\nlogin2.rack1.site.example."})");
  recording.add_file("commands/d.txt", "login2, CRAY10.SITE.EXAMPLE cray10\n");
  const Recording out = replace_identities(recording, key, known);
  const std::string a(out.find("commands/a.txt")->bytes);
  EXPECT_FALSE(contains(lower(a), "node08")) << a;
  EXPECT_TRUE(contains(a, "node09 is not")) << a;
  const std::string host = a.substr(0, 11);
  EXPECT_TRUE(contains(out.find("commands/b.txt")->bytes, host + ".domain-"));
  EXPECT_TRUE(contains(out.find("commands/c.json")->bytes, "lost\\nhost-"))
      << out.find("commands/c.json")->bytes;
  EXPECT_TRUE(out.find("commands/d.txt")->bytes.starts_with("host-"));
  EXPECT_FALSE(contains(lower(out.find("commands/d.txt")->bytes), "cray10"));
}

TEST(Identities, NetworksStayNetworks) {
  const std::string out = replaced(
      "net 10.1.2.0/24 host 10.1.2.99/24 far 10.1.3.7 all 0.0.0.0/0 v6 2001:db8:1::/48 "
      "v6host 2001:db8:1:2::77/64 end\n");
  const std::string net = between(out, "net ", "/");
  const std::string host = between(out, "host ", "/");
  EXPECT_TRUE(net.starts_with("10.") && net.ends_with(".0")) << out;
  EXPECT_FALSE(host.ends_with(".0")) << out;
  EXPECT_EQ(net.substr(0, net.rfind('.')), host.substr(0, host.rfind('.')));
  const std::string far = between(out, "far ", " ");
  EXPECT_NE(net.substr(0, net.rfind('.')), far.substr(0, far.rfind('.')));
  EXPECT_TRUE(contains(out, "all 0.0.0.0/0 "));
  const std::string v6 = between(out, "v6 ", "::/48");
  EXPECT_EQ(split(v6, ':').size(), 3u) << out;
  EXPECT_TRUE(between(out, "v6host ", "/").starts_with(v6 + ":")) << out;
}

TEST(Identities, LoginsInTextsVariablesAndCommands) {
  Recording recording =
      with("environment.txt", "NCCL_NET_PLUGIN=carol@cray7\nHYDRA_HOSTS=dave@node1:8,node2\n");
  recording.add_file("commands/x.json", R"({"argv":["ssh","bob@10.0.0.7"],"err":"no\nbob@n7x"})");
  recording.add_file("commands/y.txt", "ask erin.k@ops.example, carol or bob\n");
  const Recording out = replace_identities(recording, key, {});
  std::string all;
  for (const auto& [path, entry] : out.entries) all += entry.bytes;
  for (const char* name : {"carol", "dave", "bob", "erin", "cray7", "node1", "10.0.0.7", "n7x"})
    EXPECT_FALSE(contains(all, name)) << name << " in " << all;
  EXPECT_TRUE(contains(all, "no\\nuser-")) << all;
  for (const char* text :
       {"rail@pci:0000:18:00.0 mlx5_comp0@pci:0000:17:00.0 ethernet@1c000 memory@80000000\n",
        "openmpi@4.1.5 gcc@12 getty@tty1.service acme@x.service CPU @ 2.10GHz\n"})
    EXPECT_EQ(replaced(text), text);
}

TEST(Identities, InterfacesThatOnlyTheLogNames) {
  const std::string out = replaced(
      "mlx5_core 0000:18:00.0 acmenet0: renamed from eth0\n"
      "mlx5_core 0000:18:00.0: acme-st0: Link up\nIPv6: ADDRCONF(NETDEV_CHANGE): acmenet2: link "
      "becomes ready\nbond0: (slave acmenet3): link status definitely up\n"
      "device acmenet4 entered promiscuous mode\ninfiniband acmerdma: Port 1\n"
      "mlx5_core 0000:19:00.0 eth7: renamed from acmenet5\nlater acmenet0 acme-st0\n");
  EXPECT_FALSE(contains(out, "acme")) << out;
  EXPECT_EQ(between(out, "18:00.0 ", ":"), between(out, "later ", " "));
  EXPECT_TRUE(contains(out, "eth7: renamed from net-"));
  for (const char* text :
       {"mlx5_core 0000:18:00.0: E-Switch: Total vports 2\nnvidia 0000:19:00.0: vgaarb: changed\n",
        "mlx5_core 0000:18:00.0 enp24s0f0np0: Link up\npcieport 0000:15:01.0: AER: Corrected\n",
        "amdgpu 0000:c1:00.0: amdgpu: Fetched VBIOS\ninfiniband mlx5_0: Port: 1 Link DOWN\n"})
    EXPECT_EQ(replaced(text), text);
}

TEST(Identities, HostThatReadsAsAWordIsReplacedOnlyWhereItIsAHost) {
  Recording recording = with("sys/devices/system/node/node1/cpulist", "node1\n");
  recording.manifest.hostname = "node1";
  recording.add_file("proc/sys/kernel/hostname", "node1\n");
  recording.add_file("sys/class/infiniband/mlx5_0/node_desc", "node1 mlx5_0\n");
  recording.add_file("environment.txt", "MASTER_ADDR=node1\n");
  const Recording out = replace_identities(recording, key, {{"node1"}, {}});
  const std::string host = out.manifest.hostname;
  EXPECT_TRUE(host.starts_with("host-"));
  EXPECT_EQ(out.find("sys/devices/system/node/node1/cpulist")->bytes, "node1\n");
  EXPECT_EQ(out.find("proc/sys/kernel/hostname")->bytes, host + "\n");
  EXPECT_EQ(out.find("sys/class/infiniband/mlx5_0/node_desc")->bytes, host + " mlx5_0\n");
  EXPECT_EQ(out.find("environment.txt")->bytes, "MASTER_ADDR=" + host + "\n");
}

TEST(Identities, UserNames) {
  const std::string out = replaced("a /home/alice/x b alice_train c ALICE d max_link_speed\n");
  const std::string user = between(out, "/home/", "/");
  EXPECT_TRUE(user.starts_with("user-"));
  EXPECT_EQ(between(out, "b ", " "), user + "_train");
  const Recording recording = with("sys/x/rx_fair_link_speed", "rx_fair_link_speed fair\n");
  const Recording kept = replace_identities(recording, key, {{}, {"fair"}});
  EXPECT_TRUE(kept.entries.begin()->second.bytes.starts_with("rx_fair_link_speed user-"));
  EXPECT_EQ(kept.entries.begin()->first, "sys/x/rx_fair_link_speed");
}

TEST(Identities, InterfaceNamesInPathsLinksAndTexts) {
  Recording recording = with("sys/class/net/storage0/mtu", "9000\n");
  recording.add_link("sys/class/net/storage0/device", "../../net/storage0");
  recording.add_file("sys/class/infiniband/rail0/ports/1/gid_attrs/ndevs/0", "storage0\n");
  recording.add_file("sys/class/net/enp26s0f0np0/mtu", "9000\n");
  recording.add_file("proc/interrupts",
                     " 1: 0 storage0-TxRx-1 rail0@pci:0000:18:00.0 enp26s0f0np0\n");
  const Recording out = replace_identities(recording, key, {});
  const auto names = out.list("sys/class/net");
  ASSERT_EQ(names.size(), 2u);
  EXPECT_EQ(names[0], "enp26s0f0np0");
  const std::string& net = names[1];
  EXPECT_TRUE(net.starts_with("net-"));
  EXPECT_EQ(out.find("sys/class/net/" + net + "/device")->bytes, "../../net/" + net);
  const auto rdma = out.list("sys/class/infiniband").at(0);
  EXPECT_TRUE(rdma.starts_with("rdma-"));
  EXPECT_EQ(out.find("sys/class/infiniband/" + rdma + "/ports/1/gid_attrs/ndevs/0")->bytes,
            net + "\n");
  EXPECT_EQ(out.find("proc/interrupts")->bytes,
            " 1: 0 " + net + "-TxRx-1 " + rdma + "@pci:0000:18:00.0 enp26s0f0np0\n");
}

TEST(Identities, WordsOfJsonBehindAnEscape) {
  const std::string out =
      replaced(R"({"err": "failed\nnode07\talice\u0041node07"})", "commands/x.json");
  EXPECT_FALSE(contains(out, "node07")) << out;
  EXPECT_FALSE(contains(out, "alice")) << out;
  EXPECT_TRUE(contains(out, R"(failed\nhost-)")) << out;
}

TEST(Identities, WhatMustNotChange) {
  for (const char* text :
       {"Driver 535.104.05, fw 22.31.1014, VBIOS 96.00.74.00.1C, OFED-23.10-0.5.5.0\n",
        "0000:18:00.0 PCI:0000:9b:00 00000000:18:00.0 12:30:45 2025-01-21T04:41:44,285060+00:00\n",
        "RIP: 0010:[<ffffffff81234567>] RSP: 0018:ffff88812345 CR2: 0000000000000010\n",
        "ip 00007f7c7ac69996 sp 00007f7c12fd7c30 error 4 in libnccl.so.2[7f7c7ac00000+d3d3000]\n",
        "GPU0 X NV18 PIX 0-7,64-71 0 N/A ffffffff,00000000 Part Number : 692-2G520-0200-000\n",
        "mlx5_core 0000:29:00.0: 252.048 Gb/s available (16.0 GT/s PCIe x16 link)\n",
        "127.0.0.1 ::1 0.0.0.0 255.255.255.0 ff02::1 ff:ff:ff:ff:ff:ff\n"})
    EXPECT_EQ(replaced(text), text);
}

TEST(Identities, BytesWithANulStay) {
  const std::string config("\x86\x80\0node07 10.0.0.1", 18);
  EXPECT_EQ(replaced(config, "sys/devices/pci0000:00/0000:00:01.0/config"), config);
}

TEST(Identities, OneKeyOneResult) {
  const std::string text = "node07 alice 10.0.0.1 50:6b:4b:a1:b2:c3\nSerial Number: MT2251X00123\n";
  Recording recording = with("commands/x.txt", text);
  const Recording once = replace_identities(recording, key, known);
  EXPECT_EQ(once.entries, replace_identities(recording, key, known).entries);
  const Recording other = replace_identities(recording, identity_key("another"), known);
  const auto here = split_blank(once.entries.begin()->second.bytes);
  const auto there = split_blank(other.entries.begin()->second.bytes);
  ASSERT_EQ(here.size(), there.size());
  for (const std::size_t changed : {0u, 1u, 2u, 3u, 6u}) EXPECT_NE(here[changed], there[changed]);
}

TEST(Identities, TwoPathsStayTwo) {
  Recording recording = with("inputs/node07.txt", "a");
  recording.add_file("inputs/NODE07.txt", "b");
  recording.add_file("inputs/Node07.txt", "c");
  EXPECT_EQ(replace_identities(recording, key, {{"Node07"}, {}}).entries.size(), 3u);
}

}  // namespace
}  // namespace railgauge::observe
