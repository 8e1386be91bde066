// Reading, writing and reading again keeps every fact, every class of path and every link count.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>

#include "base/files.h"
#include "model/paths.h"
#include "model/settle.h"
#include "observe/nccl_xml/nccl_topo_xml.h"
#include "present/present.h"
#include "tests/round_trip/described.h"

namespace railgauge::present {
namespace {

using model::DeviceId;
using model::DeviceKind;
using model::Machine;

std::vector<DeviceId> endpoints(const Machine& machine) {
  std::vector<DeviceId> out = machine.of_kind(DeviceKind::gpu);
  for (const DeviceId nic : machine.of_kind(DeviceKind::nic)) out.push_back(nic);
  return out;
}

std::string classes(Machine machine) {
  model::settle(machine, {});
  std::string out;
  for (const DeviceId a : endpoints(machine)) {
    for (const DeviceId b : endpoints(machine)) {
      const auto tree = model::pcie_class(machine, a, b);
      const auto smi = model::smi_class(machine, a, b);
      out += (tree ? tree->text() : "?") + "/" + (smi ? smi->text() : "?") + " ";
    }
    out += '\n';
  }
  return out;
}

void expect_round_trip(const std::filesystem::path& path) {
  SCOPED_TRACE(path.filename().string());
  const std::string bytes = read_file(path, 1 << 24).value();
  const auto first = observe::read_nccl_topo_xml({"first", bytes});
  ASSERT_TRUE(first) << first.error().text();
  const std::string written = nccl_xml(*first);
  EXPECT_TRUE(observe::looks_like_nccl_topo_xml(written));
  const auto second = observe::read_nccl_topo_xml({"second", written});
  ASSERT_TRUE(second) << second.error().text() << written;
  EXPECT_EQ(described(*first), described(*second)) << written;
  EXPECT_EQ(classes(*first), classes(*second));
  EXPECT_EQ(nccl_xml(*second), written);
  // What settle() derives must not change the file.
  Machine settled = *first;
  model::settle(settled, {});
  EXPECT_EQ(nccl_xml(settled), written);
}

// mistakes.xml is left out: a duplicate busid and misplaced elements are not worth keeping.
TEST(NcclXmlRoundTrip, EveryDialectFeatureSurvives) {
  int count = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(RAILGAUGE_SOURCE_DIR "/tests/fuzz/nccl_topo_xml")) {
    if (file.path().filename() == "mistakes.xml") continue;
    expect_round_trip(file.path());
    ++count;
  }
  EXPECT_EQ(count, 8);
}

TEST(NcclXmlRoundTrip, FilesFromTheFieldSurvive) {
  const char* folder = std::getenv("RAILGAUGE_COLLECTION");
  if (folder == nullptr) GTEST_SKIP() << "RAILGAUGE_COLLECTION is not set";
  int count = 0;
  for (const auto& file :
       std::filesystem::directory_iterator(std::filesystem::path(folder) / "xml")) {
    if (!observe::looks_like_nccl_topo_xml(read_file(file.path(), 1 << 24).value())) continue;
    expect_round_trip(file.path());
    ++count;
  }
  EXPECT_GT(count, 0);
}

}  // namespace
}  // namespace railgauge::present
