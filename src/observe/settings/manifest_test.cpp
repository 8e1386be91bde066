#include "observe/settings/manifest.h"

#include <gtest/gtest.h>

#include "base/files.h"

namespace railgauge::observe {
namespace {

std::string sample(const char* name) {
  return read_file(std::string(RAILGAUGE_SOURCE_DIR "/tests/fuzz/settings/") + name, 1 << 20)
      .value();
}

std::string settings(const std::string& text) {
  const auto machine = read_manifest({"pod.yaml", text});
  if (!machine) return machine.error().text();
  std::string out;
  for (const auto& one : machine->variables)
    out += (out.empty() ? "" : " ") + std::to_string(one.source.line) + ":" + one.name + "=" +
           one.value;
  return out;
}

TEST(Manifest, KubernetesEnvCommandsAndConfigMaps) {
  EXPECT_TRUE(looks_like_manifest(sample("pod.yaml")));
  EXPECT_EQ(settings(sample("pod.yaml")),
            "8:NCCL_DEBUG=INFO 9:NCCL_IB_GID_INDEX=3 12:NCCL_ALGO=Ring 12:NCCL_P2P_DISABLE=1 "
            "16:NCCL_SHM_DISABLE=1 22:NCCL_IB_TIMEOUT=22");
  const auto machine = read_manifest({"pod.yaml", sample("pod.yaml")});
  ASSERT_EQ(machine->remarks.size(), 1u);
  EXPECT_EQ(machine->remarks[0].source.line, 10u);
  EXPECT_NE(machine->remarks[0].text.find("NCCL_SOCKET_IFNAME"), std::string::npos);
}

TEST(Manifest, ComposeMapsAndLists) {
  EXPECT_TRUE(looks_like_manifest(sample("compose.yaml")));
  EXPECT_EQ(settings(sample("compose.yaml")),
            "2:NCCL_DEBUG=WARN 7:NCCL_P2P_LEVEL=NVL 10:NCCL_IB_DISABLE=1 11:UCX_TLS=tcp");
}

TEST(Manifest, JsonIsYaml) {
  const std::string json =
      "{\"apiVersion\": \"v1\",\n\"kind\": \"Pod\",\n"
      "\"env\": [{\"name\": \"NCCL_NET\", \"value\": \"IB\"}]}\n";
  EXPECT_TRUE(looks_like_manifest(json));
  EXPECT_EQ(settings(json), "3:NCCL_NET=IB");
}

TEST(Manifest, AliasesAreNeverExpanded) {
  std::string bomb = "a0: &a0 [x, x]\n";
  for (int i = 1; i < 60; ++i) {
    const std::string before = "*a" + std::to_string(i - 1);
    bomb += "a" + std::to_string(i) + ": &a" + std::to_string(i) + " [" + before + ", " + before +
            "]\n";
  }
  EXPECT_EQ(settings(bomb + "env: {NCCL_NET: IB, NCCL_ALGO: *a59}\n"), "61:NCCL_NET=IB");
}

TEST(Manifest, DeepNestingAndSizeAreLimits) {
  EXPECT_NE(settings(std::string(100'000, '[')).find("nests deeper"), std::string::npos);
  std::string dashes;
  for (int i = 0; i < 10'000; ++i) dashes += "- ";
  EXPECT_NE(settings(dashes).find("nests deeper"), std::string::npos);
  EXPECT_NE(settings(std::string((1 << 20) + 1, ' ')).find("longer than any"), std::string::npos);
}

TEST(Manifest, BrokenYamlKeepsWhatStoodBefore) {
  const auto machine = read_manifest({"p.yaml", "env:\n  NCCL_NET: IB\n  x: [\n"});
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->variables.size(), 1u);
  EXPECT_NE(machine->remarks.at(0).text.find("no YAML from here on"), std::string::npos);
  EXPECT_FALSE(read_manifest({"p.yaml", "env: [\n"}));
}

TEST(Manifest, OtherTextsAreNone) {
  for (const char* text : {"", "NCCL_DEBUG=INFO\n", "#!/bin/bash\nexport NCCL_DEBUG=INFO\n",
                           "n:1:1 [0] NCCL INFO NCCL_NET set by environment to IB\n",
                           "GPU0: X\nenv: none\n", "services:\n  - name: a\n"})
    EXPECT_FALSE(looks_like_manifest(text)) << text;
}

}  // namespace
}  // namespace railgauge::observe
