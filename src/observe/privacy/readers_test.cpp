// A reader sees the same machine before and after.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include "observe/privacy/identities.h"
#include "observe/reader.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

namespace fs = std::filesystem;

const IdentityKey key = identity_key("a secret of a test");

TEST(ReplacedRecording, AdapterAndItsNetworkDeviceStillMeet) {
  Recording before;
  const std::string rdma = "sys/class/infiniband/rail0";
  before.add_link(rdma + "/device", "../../../devices/pci0000:15/0000:15:01.0/0000:18:00.0");
  before.add_file(rdma + "/node_guid", "b83f:d203:00aa:bbcc\n");
  before.add_file(rdma + "/fw_ver", "28.39.1002\n");
  before.add_file(rdma + "/ports/1/state", "4: ACTIVE\n");
  before.add_file(rdma + "/ports/1/rate", "400 Gb/sec (4X NDR)\n");
  before.add_file(rdma + "/ports/1/gid_attrs/ndevs/0", "storage0\n");
  before.add_link("sys/class/net/storage0/device",
                  "../../../devices/pci0000:15/0000:15:01.0/0000:18:00.0");
  before.add_file("sys/class/net/storage0/mtu", "9000\n");
  const auto machine = read_rdma(replace_identities(before, key, {}));
  ASSERT_TRUE(machine);
  ASSERT_EQ(machine->devices.size(), 1u);
  const auto& nic = *machine->devices[0].nic;
  EXPECT_TRUE(nic.rdma_device->starts_with("rdma-"));
  EXPECT_TRUE(nic.netdev->starts_with("net-"));
  EXPECT_TRUE(nic.guid->starts_with("b83f:d203:00"));
  EXPECT_NE(*nic.guid, "b83f:d203:00aa:bbcc");
  EXPECT_EQ(*nic.firmware, "28.39.1002");
  ASSERT_EQ(nic.ports.size(), 1u);
  EXPECT_EQ(*nic.ports[0].mtu, 9000);
  EXPECT_TRUE(machine->remarks.empty());
}

void expect_same(const Input& before, const Input& after) {
  for (const Reader* reader : sniff(before.bytes)) {
    const auto a = reader->read(before);
    const auto b = reader->read(after);
    ASSERT_EQ(a.has_value(), b.has_value()) << before.name << " as " << reader->name;
    if (!a) continue;
    EXPECT_EQ(a->devices.size(), b->devices.size()) << before.name;
    EXPECT_EQ(a->links.size(), b->links.size()) << before.name;
    EXPECT_EQ(a->pairs.size(), b->pairs.size()) << before.name;
    EXPECT_EQ(a->remarks.size(), b->remarks.size()) << before.name;
  }
}

TEST(ReplacedRecording, TextsOfACollectionReadTheSame) {
  const char* folder = std::getenv("RAILGAUGE_COLLECTION");
  if (folder == nullptr) GTEST_SKIP() << "RAILGAUGE_COLLECTION names no folder of texts";
  for (const auto& file : fs::recursive_directory_iterator(folder)) {
    if (!file.is_regular_file()) continue;
    std::ifstream in(file.path(), std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(in), {}};
    Recording recording;
    recording.add_file("inputs/text", bytes);
    const Recording after = replace_identities(recording, key, {{"node01"}, {}});
    expect_same({file.path().string(), bytes},
                {"after", std::string(after.entries.begin()->second.bytes)});
  }
}

}  // namespace
}  // namespace railgauge::observe
