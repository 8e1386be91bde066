#include "observe/settings/dockerfile.h"

#include <gtest/gtest.h>

#include "base/files.h"

namespace railgauge::observe {
namespace {

std::string settings(const std::string& text) {
  const auto machine = read_dockerfile({"Dockerfile", text});
  std::string out;
  for (const auto& one : machine.value().variables)
    out += (out.empty() ? "" : " ") + std::to_string(one.source.line) + ":" + one.name + "=" +
           one.value;
  return out;
}

TEST(Dockerfile, EnvOfTheLastStageIsWhatTheImageHas) {
  const auto text =
      read_file(RAILGAUGE_SOURCE_DIR "/tests/fuzz/settings/Dockerfile", 1 << 20).value();
  EXPECT_TRUE(looks_like_dockerfile(text));
  EXPECT_EQ(settings(text), "7:NCCL_DEBUG=INFO 9:NCCL_SOCKET_IFNAME=eth0 10:NCCL_IB_HCA=mlx5_0");
}

TEST(Dockerfile, AStageThatBuildsOnAnotherKeepsItsEnv) {
  EXPECT_EQ(settings("FROM a AS base\nENV NCCL_NET=IB\nFROM base\nENV NCCL_ALGO=Ring\n"),
            "2:NCCL_NET=IB 4:NCCL_ALGO=Ring");
  EXPECT_EQ(settings("FROM a AS base\nENV NCCL_NET=IB\nFROM other\n"), "");
}

TEST(Dockerfile, ArgAndRunAreNoEnvironment) {
  EXPECT_EQ(settings("FROM a\nARG NCCL_NET=IB\nRUN export NCCL_ALGO=Ring\n"), "");
  EXPECT_EQ(settings("FROM a\nENV NCCL_NET=$UNKNOWN\n"), "2:NCCL_NET=$UNKNOWN");
}

TEST(Dockerfile, OtherTextsAreNone) {
  for (const char* text : {"", "From: someone\nTo: me\n", "FROM here on we go to the sea shore\n",
                           "#!/bin/bash\nexport A=1\n", "ENV NCCL_NET=IB\n", "RUN fast\n"})
    EXPECT_FALSE(looks_like_dockerfile(text)) << text;
}

}  // namespace
}  // namespace railgauge::observe
