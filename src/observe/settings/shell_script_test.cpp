#include "observe/settings/shell_script.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/files.h"

namespace railgauge::observe {
namespace {

std::string settings_of(const model::Machine& machine) {
  std::string out;
  for (const auto& one : machine.variables)
    out += (out.empty() ? "" : " ") + std::to_string(one.source.line) + ":" + one.name + "=" +
           one.value;
  return out;
}

std::string settings(const std::string& text) {
  const auto machine = read_shell_script({"job.sh", text});
  return machine ? settings_of(*machine) : machine.error().text();
}

std::string script(const std::string& body) { return settings("#!/bin/bash\n" + body); }

TEST(ShellScript, BatchFileGivesWhatItsProgramsGet) {
  const auto text =
      read_file(RAILGAUGE_SOURCE_DIR "/tests/fuzz/settings/job.sbatch", 1 << 20).value();
  EXPECT_TRUE(looks_like_shell_script(text));
  EXPECT_EQ(settings(text),
            "2:NCCL_IB_TIMEOUT=22 6:NCCL_DEBUG=INFO 6:NCCL_SOCKET_IFNAME==eth0 "
            "7:NCCL_IB_HCA==mlx5_0,mlx5_1 8:NCCL_CROSS_NIC=0 9:NCCL_ALGO=Ring "
            "13:NCCL_TOPO_FILE=$TOPO 16:NCCL_NVLS_ENABLE=0 16:NCCL_BUFFSIZE=8388608 "
            "16:UCX_TLS=rc,cuda 17:NCCL_MIN_CTAS=4 17:UCX_NET_DEVICES=mlx5_0:1");
}

TEST(ShellScript, AssignmentsCountOnceTheyAreExported) {
  EXPECT_EQ(script("NCCL_DEBUG=INFO\nexport NCCL_DEBUG\n"), "2:NCCL_DEBUG=INFO");
  EXPECT_EQ(script("export NCCL_DEBUG\nNCCL_DEBUG=INFO\n"), "3:NCCL_DEBUG=INFO");
  EXPECT_EQ(script("set -a\nNCCL_DEBUG=INFO\n"), "3:NCCL_DEBUG=INFO");
  EXPECT_EQ(script("declare -x NCCL_DEBUG=INFO\n"), "2:NCCL_DEBUG=INFO");
  const auto never = read_shell_script({"job.sh", "#!/bin/sh\nNCCL_DEBUG=INFO\n./run\n"});
  ASSERT_TRUE(never);
  EXPECT_TRUE(never->variables.empty());
  EXPECT_NE(never->remarks.at(0).text.find("never exported"), std::string::npos);
  EXPECT_EQ(never->remarks[0].source.line, 2u);
}

TEST(ShellScript, UnsetTakesBackUnlessAProgramRanInBetween) {
  EXPECT_EQ(script("export NCCL_NET=IB\nunset NCCL_NET\nsrun a\n"), "");
  EXPECT_EQ(script("export NCCL_NET=IB\nsrun a\nunset NCCL_NET\n"), "2:NCCL_NET=IB");
}

TEST(ShellScript, LaunchersPassVariablesOn) {
  EXPECT_EQ(script("mpirun -np 2 -x NCCL_DEBUG -x NCCL_NET=IB a"), "2:NCCL_NET=IB");
  EXPECT_EQ(script("mpiexec -genv NCCL_NET IB -n 2 a"), "2:NCCL_NET=IB");
  EXPECT_EQ(script("docker run -e NCCL_NET=IB --env=UCX_TLS=tcp i"), "2:NCCL_NET=IB 2:UCX_TLS=tcp");
  EXPECT_EQ(script("srun --export ALL,NCCL_NET=IB a"), "2:NCCL_NET=IB");
  EXPECT_EQ(script("srun env NCCL_NET=IB a -x b"), "2:NCCL_NET=IB");
  EXPECT_EQ(script("env -u X NCCL_NET=IB env UCX_TLS=tcp a"), "2:NCCL_NET=IB 2:UCX_TLS=tcp");
  EXPECT_EQ(script("ssh h bash -lc 'cd x; NCCL_NET=IB a'"), "2:NCCL_NET=IB");
}

TEST(ShellScript, WhatIsPrintedOrSearchedIsNotSet) {
  EXPECT_EQ(script("echo NCCL_NET=IB\ngrep -e NCCL_NET=IB f\nprintf 'NCCL_NET=IB'\n"), "");
  EXPECT_EQ(script("# export NCCL_NET=IB\n"), "");
}

TEST(ShellScript, NamesNearlyOfNcclAreKeptAndOthersAreNot) {
  EXPECT_EQ(script("export NCLL_DEBUG=INFO CCL_LOG_LEVEL=info HOME=/root\n"), "2:NCLL_DEBUG=INFO");
}

TEST(ShellScript, SecretsStayOut) {
  const auto machine =
      read_shell_script({"job.sh", "#!/bin/sh\nexport NCCL_AUTH_TOKEN=abc NCCL_NET=IB\n"});
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->variables.size(), 1u);
  EXPECT_EQ(machine->remarks.at(0).text.find("abc"), std::string::npos);
}

TEST(ShellScript, PastedCommandLinesAreFoundInOtherText) {
  const std::string paste =
      "it's a log\nuser@host:~$ NCCL_DEBUG=INFO mpirun -np 2 \\\n  -x NCCL_NET=IB a\nGPU0 X\n"
      "+ export NCCL_ALGO=Ring UCX_TLS=tcp\n";
  EXPECT_TRUE(looks_like_shell_script(paste));
  EXPECT_EQ(settings(paste), "2:NCCL_DEBUG=INFO 3:NCCL_NET=IB 5:NCCL_ALGO=Ring 5:UCX_TLS=tcp");
}

TEST(ShellScript, OtherTextsAreLeftToTheirReaders) {
  for (const char* text :
       {"NCCL_DEBUG=INFO\nNCCL_NET=IB\n", "export NCCL_DEBUG=INFO\n",
        "declare -x NCCL_DEBUG=\"INFO\"\n", "#!/usr/bin/env python3\nimport os\n",
        "n:1:1 [0] NCCL INFO NCCL_NET set by environment to IB\n", "FROM a\nENV NCCL_NET=IB\n",
        "env:\n  - name: NCCL_NET\n    value: IB\n", "export PATH=/usr/bin a=b\n", ""})
    EXPECT_FALSE(looks_like_shell_script(text)) << text;
  const auto kinds = [](std::string_view text) {
    std::string out;
    for (const Reader* reader : sniff(text)) out += std::string(reader->name) + ";";
    return out;
  };
  EXPECT_EQ(kinds("NCCL_DEBUG=INFO\n"), "env;");
  EXPECT_EQ(kinds("export NCCL_DEBUG=INFO\n"), "env;");
  EXPECT_EQ(kinds("#!/bin/bash\nexport NCCL_DEBUG=INFO\n"), "a shell script or command line;");
}

TEST(ShellScript, ManyNestedEnvsAreOneLoop) {
  std::string text = "#!/bin/sh\n";
  for (int i = 0; i < 100'000; ++i) text += "env ";
  EXPECT_EQ(settings(text + "NCCL_NET=IB a"), "2:NCCL_NET=IB");
}

}  // namespace
}  // namespace railgauge::observe
