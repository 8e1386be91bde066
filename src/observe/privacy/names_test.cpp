#include <gtest/gtest.h>

#include <cctype>
#include <set>
#include <string>

#include "observe/privacy/interface_name.h"
#include "observe/privacy/pseudonyms.h"
#include "observe/privacy/vocabulary.h"
#include "observe/privacy/word_table.h"

namespace railgauge::observe::privacy {
namespace {

TEST(InterfaceNames, OfTheKernelSystemdAndDrivers) {
  for (const char* name : {"eth0",
                           "enp26s0f0np0",
                           "enP2p1s0f0np0",
                           "ens3",
                           "ens3f0np0",
                           "eno1",
                           "eno12399np0",
                           "enp0s31f6",
                           "ib0",
                           "ibp1s0",
                           "ib0.8001",
                           "bond0",
                           "bond0.100",
                           "team0",
                           "lo",
                           "br0",
                           "docker0",
                           "virbr0",
                           "br-0a1b2c3d4e5f",
                           "veth0a1b2c3",
                           "cali40a755e08dc",
                           "tunl0",
                           "wlan0",
                           "wlp2s0",
                           "hsn0",
                           "enx506b4ba1b2c3",
                           "enp8s0f0npf0vf3",
                           "enp1s0v3",
                           "enP12345s1",
                           "p1p1",
                           "net1",
                           "eth0np0"})
    EXPECT_TRUE(is_systematic_netdev(name)) << name;
  for (const char* name : {"storage0", "acme", "enstorage", "ibfabric", "bondage", "rail-a",
                           "brussels", "eth", "enp", "p"})
    EXPECT_FALSE(is_systematic_netdev(name)) << name;
}

TEST(InterfaceNames, OfRdmaDevices) {
  for (const char* name :
       {"mlx5_0", "mlx5_bond_0", "mlx4_1", "rocep1s0", "rocep1s0f0", "ibp1s0", "ibs3", "rdmap79s0",
        "bnxt_re0", "irdma0", "rxe0", "efa_0", "hfi1_0", "qedr0", "mana_0", "mlx5_ib0"})
    EXPECT_TRUE(is_systematic_rdma_device(name)) << name;
  for (const char* name : {"rail0", "compute", "mlx5_acme", "roce_acme"})
    EXPECT_FALSE(is_systematic_rdma_device(name)) << name;
}

TEST(Vocabulary, NamesThatReadAsWords) {
  for (const char* name : {"gpu", "node", "node1", "cpu12", "ab", "123", "H100", "state", "nic3"})
    EXPECT_TRUE(reads_as_word(name)) << name;
  for (const char* name : {"node07", "titan3a", "dgx-01", "alice", "gpu-a", "rack3node1"})
    EXPECT_FALSE(reads_as_word(name)) << name;
}

TEST(Pseudonyms, KeepTheFormOfAName) {
  const Keyed keyed("a key of a test");
  Pseudonyms pseudonyms(keyed);
  const auto host = pseudonyms.of(NameKind::host, "node07");
  EXPECT_EQ(host.size(), 11u);
  EXPECT_TRUE(host.starts_with("host-"));
  const auto full = pseudonyms.of(NameKind::host, "node07.site.example");
  EXPECT_TRUE(full.starts_with(host + ".domain-")) << full;
  EXPECT_EQ(full.size(), host.size() + 12);
  EXPECT_EQ(pseudonyms.of(NameKind::host, "Node07"), host);
  EXPECT_TRUE(pseudonyms.of(NameKind::netdev, "storage0.100").ends_with(".100"));
  EXPECT_TRUE(pseudonyms.of(NameKind::path, "secret.xml").ends_with(".xml"));
  EXPECT_EQ(pseudonyms.of(NameKind::path, "secret.xml"),
            pseudonyms.of(NameKind::path, "secret") + ".xml");
}

TEST(Pseudonyms, TwoNamesNeverShareOne) {
  const Keyed keyed("a key of a test");
  Pseudonyms pseudonyms(keyed);
  std::set<std::string> seen;
  // With 4 hex digits some of 2000 domains meet.
  for (int i = 0; i < 2000; ++i)
    seen.insert(pseudonyms.of(NameKind::domain, "site" + std::to_string(i)));
  EXPECT_EQ(seen.size(), 2000u);
}

const KnownWord* longest(const WordTable& words, std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end < text.size() && std::isalnum(static_cast<unsigned char>(text[end]))) ++end;
  return words.longest(text, start, end);
}

TEST(WordTable, LongestWholeWordWins) {
  WordTable words;
  words.add("node07", NameKind::host);
  words.add("node07.site.example", NameKind::host);
  words.add("node07-a_b", NameKind::path);
  EXPECT_EQ(longest(words, "node07.site.example:1", 0)->text, "node07.site.example");
  EXPECT_EQ(longest(words, "node07.site.other", 0)->text, "node07");
  EXPECT_EQ(longest(words, "node07-a_b", 0)->text, "node07-a_b");
  EXPECT_EQ(longest(words, "node07-a", 0)->text, "node07");
  EXPECT_EQ(longest(words, "node071", 0), nullptr);
  EXPECT_EQ(longest(words, "node08", 0), nullptr);
}

TEST(WordTable, KindThatComesFirstWins) {
  WordTable words;
  words.add("alice", NameKind::path);
  words.add("alice", NameKind::user);
  words.add("alice", NameKind::process);
  EXPECT_EQ(longest(words, "alice", 0)->kind, NameKind::user);
}

}  // namespace
}  // namespace railgauge::observe::privacy
