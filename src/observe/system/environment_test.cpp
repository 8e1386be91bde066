#include "observe/system/environment.h"

#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/sysfs/fake_tree.h"
#include "observe/system/test_pasted.h"

namespace railgauge::observe {
namespace {

using model::Machine;

Recording captured(const FakeTree& tree, std::vector<std::string> environment) {
  Root root = tree.root();
  root.environment = std::move(environment);
  Recording recording;
  capture_environment(root, recording);
  return recording;
}

TEST(Environment, OnlyListedVariablesAreKeptAndTheRestIsNotEvenNamed) {
  const FakeTree tree;
  const auto recording =
      captured(tree, {"NCCL_DEBUG=INFO", "AWS_SECRET_ACCESS_KEY=hunter2", "LD_PRELOAD=/home/x.so",
                      "PATH=/usr/bin", "NCCL_IB_PKEY=0x8001", "SLURM_CPU_BIND_LIST=0xff"});
  EXPECT_EQ(recording.entries.size(), 1u);
  EXPECT_EQ(recording.find("environment.txt")->bytes,
            "NCCL_DEBUG=INFO\nNCCL_IB_PKEY=0x8001\nSLURM_CPU_BIND_LIST=0xff\n");
}

TEST(Environment, WhatMayBeASecretIsRefusedWithTheReasonAndWithoutTheValue) {
  const FakeTree tree;
  const auto recording = captured(
      tree, {"NCCL_AUTH_TOKEN=hunter2", "OMPI_MCA_orte_precondition_transports=hunter2-hunter2",
             "UCX_LONG=" + std::string(5000, 'x'), "FI_PROXY=http://me:hunter2@proxy:80/",
             "GLOO_OPTIONS=ifname=eth0,password=hunter2", "NCCL_NET=Socket\nhunter2"});
  EXPECT_EQ(recording.find("environment.txt")->bytes, "");
  EXPECT_EQ(recording.find("refused/environment.txt/NCCL_AUTH_TOKEN")->bytes,
            "its name holds TOKEN");
  EXPECT_EQ(recording.find("refused/environment.txt/UCX_LONG")->bytes,
            "its value is longer than 4 KiB");
  EXPECT_EQ(recording.entries.size(), 6u);
  for (const auto& [path, entry] : recording.entries) {
    EXPECT_FALSE(contains(path, "hunter2")) << path;
    EXPECT_FALSE(contains(entry.bytes, "hunter2")) << path;
  }
}

TEST(Environment, KeysAndTokensOfKnownServicesAreRefusedWhateverTheNameSays) {
  for (const char* variable :
       {"NCCL_KEY=hunter2", "NCCL_APIKEY=hunter2", "UCX_PWD=hunter2", "NCCL_SESSION=hunter2",
        "NCCL_BAR=ghp_hunter2", "NCCL_FOO=Bearer hunter2", "UCX_FOO=AKIAhunter2",
        "NCCL_URL=https://x/?sig=eyJhunter2"}) {
    const FakeTree tree;
    const auto recording = captured(tree, {variable});
    EXPECT_EQ(recording.find("environment.txt")->bytes, "") << variable;
  }
  const FakeTree tree;
  EXPECT_EQ(captured(tree, {"NCCL_IB_PKEY=1"}).find("environment.txt")->bytes, "NCCL_IB_PKEY=1\n");
}

TEST(Environment, RefusedVariablesAreRemarked) {
  const FakeTree tree;
  Machine machine;
  read_environment(captured(tree, {"NCCL_AUTH_TOKEN=x", "RANK=3"}), machine);
  ASSERT_EQ(machine.variables.size(), 1u);
  EXPECT_EQ(machine.variables[0].name, "RANK");
  EXPECT_EQ(machine.variables[0].value, "3");
  EXPECT_EQ(machine.sources.text(machine.variables[0].source), "environment.txt:1");
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "NCCL_AUTH_TOKEN is set, but not kept: its name holds TOKEN");
}

TEST(Environment, ConfigurationFilesAreFilteredByTheSameList) {
  const FakeTree tree;
  tree.file("etc/nccl.conf", "# by hunter2\nNCCL_SOCKET_IFNAME = eth0\nMY_PASSWORD=hunter2\n");
  tree.file("home/ann/.nccl.conf", "NCCL_DEBUG=WARN\n");
  const auto recording = captured(tree, {"HOME=/home/ann"});
  EXPECT_EQ(recording.find("etc/nccl.conf")->bytes, "NCCL_SOCKET_IFNAME=eth0\n");
  EXPECT_EQ(recording.find("home/.nccl.conf")->bytes, "NCCL_DEBUG=WARN\n");
  Machine machine;
  read_environment(recording, machine);
  ASSERT_EQ(machine.variables.size(), 2u);
  EXPECT_EQ(machine.sources.text(machine.variables[1].source), "home/.nccl.conf:1");
}

TEST(Environment, PathsDoNotNameWhoLooks) {
  const FakeTree tree;
  EXPECT_EQ(captured(tree, {"HOME=/home/ann", "USER=ann", "NCCL_TOPO_FILE=/home/ann/topo.xml",
                            "NCCL_DEBUG_FILE=/scratch/ann/log", "UCX_NET_DEVICES=ann0",
                            "NCCL_TUNER_PLUGIN=/home/anna/libann.so"})
                .find("environment.txt")
                ->bytes,
            "NCCL_TOPO_FILE=~/topo.xml\nNCCL_DEBUG_FILE=/scratch/(user)/log\n"
            "UCX_NET_DEVICES=ann0\nNCCL_TUNER_PLUGIN=/home/anna/libann.so\n");
}

TEST(Environment, WithoutAnEnvironmentNothingIsSaidOfIt) {
  const FakeTree tree;
  EXPECT_TRUE(captured(tree, {}).entries.empty());
}

TEST(Environment, PastedTextGivesListedVariablesInAllForms) {
  const auto [found, machine] =
      pasted(environment_text,
             "PATH=/usr/bin\nNCCL_DEBUG=INFO\r\nexport NCCL_IB_HCA=\"=mlx5_0,mlx5_1\"\n"
             "declare -x UCX_TLS=\"rc,cuda\"\nGOMP_CPU_AFFINITY=0 1 2\nHOME=/home/ann\n");
  EXPECT_TRUE(found);
  ASSERT_EQ(machine.variables.size(), 4u);
  EXPECT_EQ(machine.variables[1].name, "NCCL_IB_HCA");
  EXPECT_EQ(machine.variables[1].value, "=mlx5_0,mlx5_1");
  EXPECT_EQ(machine.variables[2].value, "rc,cuda");
  EXPECT_EQ(machine.variables[3].value, "0 1 2");
}

TEST(Environment, CommandsAndLogsAreNoEnvironment) {
  for (const char* text : {"NCCL_DEBUG=INFO mpirun -np 8 ./all_reduce_perf\n",
                           "node1:12:34 [0] NCCL INFO NCCL_IB_HCA set to mlx5\n",
                           "PATH=/bin\nHOME=/root\n", "mpirun -x NCCL_DEBUG=INFO\n", ""})
    EXPECT_TRUE(pasted(environment_text, text).machine.variables.empty()) << text;
}

}  // namespace
}  // namespace railgauge::observe
