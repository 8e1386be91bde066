#include <gtest/gtest.h>
#include <yaml-cpp/yaml.h>

#include <set>

#include "base/files.h"
#include "observe/advice/advice_yaml.h"
#include "observe/observe.h"

namespace railgauge::observe {
namespace {

using model::VariableStatus;

std::string table(const char* file) {
  return read_file(std::string(RAILGAUGE_SOURCE_DIR "/data/") + file, 4 << 20).value();
}

std::string cell(const YAML::Node& row, const char* key, const char* otherwise = "") {
  return row[key] ? row[key].Scalar() : otherwise;
}

// The slow and obvious reading, by a YAML parser.
void expect_same_as_yaml(const char* file, const char* library, const char* source) {
  const std::string text = table(file);
  model::Advice advice;
  ASSERT_TRUE(add_variables(text, file, advice));
  const YAML::Node root = YAML::Load(text);
  ASSERT_EQ(advice.variables.size(), root.size());
  for (std::size_t i = 0; i < root.size(); ++i) {
    const auto& row = advice.variables[i];
    const YAML::Node node = root[i];
    EXPECT_EQ(row.name, cell(node, "name"));
    EXPECT_EQ(row.library, cell(node, "library", library));
    EXPECT_EQ(model::text(row.status), cell(node, "status", "current"));
    EXPECT_EQ(row.since, cell(node, "since"));
    EXPECT_EQ(row.removed, cell(node, "removed"));
    EXPECT_EQ(row.instead, cell(node, "instead"));
    EXPECT_EQ(row.default_value, cell(node, "default"));
    EXPECT_EQ(row.accepts, cell(node, "accepts"));
    EXPECT_EQ(row.form, cell(node, "form"));
    EXPECT_EQ(row.note, cell(node, "note"));
    EXPECT_EQ(row.source, cell(node, "source", source));
  }
}

TEST(Variables, LineReaderAgreesWithAYamlParser) {
  expect_same_as_yaml("variables_nccl.yaml", "nccl", "NCCL 2.30.7");
  expect_same_as_yaml("variables_ucx.yaml", "ucx", "UCX 1.22");
}

TEST(Variables, EveryNameStandsOnceAndRemovedRowsSayWhen) {
  const auto all = advice();
  ASSERT_TRUE(all) << all.error().text();
  std::set<std::string> names;
  for (const auto& row : all->variables) {
    EXPECT_TRUE(names.insert(row.name).second) << row.name;
    EXPECT_EQ(row.status == VariableStatus::removed, !row.removed.empty()) << row.name;
    EXPECT_TRUE(row.status != VariableStatus::never || row.form.empty()) << row.name;
  }
  EXPECT_GT(names.size(), 700u);
}

TEST(Variables, KnownOnesAreFoundByName) {
  const auto all = advice();
  ASSERT_TRUE(all && !all->variables.empty());
  const auto status = [&](const char* name) { return all->variable(name)->status; };
  EXPECT_EQ(status("NCCL_IB_HCA"), VariableStatus::current);
  EXPECT_EQ(status("NCCL_TREE_THRESHOLD"), VariableStatus::removed);
  EXPECT_EQ(all->variable("NCCL_TREE_THRESHOLD")->removed, "2.5.6");
  EXPECT_EQ(status("NCCL_IB_CUDA_SUPPORT"), VariableStatus::dead);
  EXPECT_EQ(status("NCCL_NVLINK_DISABLE"), VariableStatus::never);
  EXPECT_EQ(status("NCCL_SOCKET_TIMEOUT"), VariableStatus::never);
  EXPECT_EQ(status("NCCL_NET_GDR_FLUSH"), VariableStatus::never);
  EXPECT_EQ(all->variable("UCX_TLS")->library, "ucx");
  EXPECT_EQ(all->variable("NCCL_NO_SUCH_THING"), nullptr);
}

TEST(Variables, AMistakeInARowNamesItsLine) {
  const auto wrong = [](const char* text) {
    model::Advice out;
    const auto added = add_variables(text, "v.yaml", out);
    return added ? std::string() : added.error().text();
  };
  EXPECT_EQ(wrong("# comment\n- {name: NCCL_A, note: \"a \\\"b\\\", c}\"}\n"), "");
  EXPECT_NE(wrong("# comment\n- {name: NCCL_A, nmae: b}\n").find("v.yaml:2:"), std::string::npos);
  EXPECT_NE(wrong("- {name: NCCL_A, status: gone}\n").find("status"), std::string::npos);
  EXPECT_NE(wrong("- {name: \"NCCL_A\n").find("does not end"), std::string::npos);
  EXPECT_NE(wrong("- {status: never}\n").find("without a name"), std::string::npos);
  EXPECT_NE(wrong("name: NCCL_A\n"), "");
}

}  // namespace
}  // namespace railgauge::observe
