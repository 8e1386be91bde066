#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <utility>

#include "base/files.h"
#include "present/present.h"
#include "present/testing/sample_machines.h"
#include "present/testing/schema_checker.h"

namespace railgauge::present {
namespace {

using nlohmann::json;

json machine_of(const model::Machine& machine) { return json::parse(machine_json(machine)); }

json find(const json& list, const char* key, const std::string& value) {
  for (const json& item : list)
    if (item.at(key) == value) return item;
  return {};
}

json between(const json& list, const std::string& a, const std::string& b) {
  for (const json& item : list)
    if ((item.at("a") == a && item.at("b") == b) || (item.at("a") == b && item.at("b") == a))
      return item;
  return {};
}

testing::SchemaChecker checker() {
  const auto text = read_file(RAILGAUGE_SOURCE_DIR "/schema/see.schema.json", 1 << 20);
  return testing::SchemaChecker(json::parse(text.value_or("null")));
}

TEST(MachineJson, EverySampleFitsTheSchema) {
  auto check = checker();
  const std::filesystem::path folder = RAILGAUGE_BINARY_DIR "/present_json";
  std::filesystem::create_directories(folder);
  int number = 0;
  for (const auto& machine :
       {testing::dgx(true), testing::cube_mesh(), testing::full_mesh(), testing::one_gpu(),
        testing::virtual_functions(), testing::from_matrix(), testing::coherent(),
        testing::hostile(), model::Machine{}}) {
    const std::string text = machine_json(machine);
    const auto problems = check.check(json::parse(text), check.root()["$defs"]["machine"]);
    EXPECT_TRUE(problems.empty()) << problems.front();
    // For the test that uses a full validator.
    std::ofstream(folder / (std::to_string(number++) + ".json")) << text;
  }
}

TEST(MachineJson, TheEnvelopeFitsTheSchema) {
  auto check = checker();
  json document{{"schema", "railgauge.see/1"},
                {"tool", {{"name", "railgauge"}, {"version", "0.1.0"}}},
                {"made_at", "2026-01-02T03:04:05Z"},
                {"host", "node07"},
                {"command", json::array({"see"})},
                {"context", json::object()},
                {"warnings", json::array()},
                {"result", {{"machine", machine_of(testing::one_gpu())}}}};
  EXPECT_TRUE(check.check(document, check.root()).empty());
  document["schema"] = "railgauge.check/1";
  EXPECT_FALSE(check.check(document, check.root()).empty());
  document["schema"] = "railgauge.see/1";
  document["result"]["machine"]["devices"][0].erase("numa_node");
  EXPECT_FALSE(check.check(document, check.root()).empty());
}

TEST(MachineJson, ANarrowLinkHasBothWidthsAndBothRates) {
  const json machine = machine_of(testing::dgx(true));
  const json gpu = find(machine["devices"], "id", "gpu2");
  EXPECT_EQ(gpu["kind"], "gpu");
  EXPECT_EQ(gpu["pci_address"], "0000:34:00.0");
  EXPECT_EQ(gpu["numa_node"], 0);
  const json link = between(machine["links"], "gpu2", gpu["parent"].get<std::string>());
  EXPECT_EQ(link["width"], 8);
  EXPECT_EQ(link["width_possible"], 16);
  EXPECT_EQ(link["generation"], 5);
  EXPECT_EQ(link["rate_bytes_per_second"], 31504000000);
  EXPECT_TRUE(link["rate_bytes_per_second"].is_number_integer());
  EXPECT_EQ(link["nominal_rate_bytes_per_second"], 63008000000);
}

TEST(MachineJson, EveryPairOfEndpointsHasOnePath) {
  const json machine = machine_of(testing::dgx(false));
  EXPECT_EQ(machine["paths"].size(), 18u * 17u / 2u);
  const json rail = between(machine["paths"], "gpu0", "mlx5_0");
  EXPECT_EQ(rail["class"], "PIX");
  EXPECT_EQ(rail["nccl_path"], "PIX");
  const json peers = between(machine["paths"], "gpu0", "gpu7");
  EXPECT_EQ(peers["class"], "NV18");
  EXPECT_EQ(peers["rate_bytes_per_second"], 450000000000);
  EXPECT_FALSE(between(machine["paths"], "mlx5_0", "mlx5_1").contains("nccl_path"));
}

TEST(MachineJson, UnknownIsNullWithAReason) {
  const json machine = machine_of(testing::from_matrix());
  const json gpu = find(machine["devices"], "id", "gpu0");
  EXPECT_TRUE(gpu["pci_address"].is_null());
  EXPECT_EQ(gpu["pci_address_reason"], "not reported");
  const json bond = between(machine["links"], "gpu0", "gpu1");
  EXPECT_TRUE(bond["rate_bytes_per_second"].is_null());
  EXPECT_EQ(bond["rate_bytes_per_second_reason"], "NV4 has no generation");
}

TEST(MachineJson, ConflictsNameTheFactAndBothSources) {
  model::Machine machine = testing::one_gpu();
  const auto gpu = *machine.find("gpu0");
  machine[gpu].numa_node.claim(1, machine.sources.add("topo.txt", model::Trust::tool).at_line(2));
  const json conflicts = machine_of(machine)["conflicts"];
  ASSERT_EQ(conflicts.size(), 1u);
  EXPECT_EQ(conflicts[0]["device"], "gpu0");
  EXPECT_EQ(conflicts[0]["fact"], "numa_node");
  EXPECT_EQ(conflicts[0]["claims"][1]["source"], "topo.txt:2");
}

TEST(MachineJson, ForeignBytesBecomeValidText) {
  const std::string text = machine_json(testing::hostile());
  EXPECT_TRUE(json::accept(text));
  EXPECT_EQ(text.find('\x1b'), std::string::npos);
  EXPECT_NE(text.find("\xef\xbf\xbd"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::present
