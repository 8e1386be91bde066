#include <gtest/gtest.h>

#include "judge/rules/variables_environment.h"
#include "judge/rules/variables_rows.h"
#include "judge/rules/variables_testing.h"

namespace railgauge::judge {
namespace {

using model::Severity;

TEST(Environment, TheLastLineOfAFileHoldsAndTheEnvironmentAgainstNcclConf) {
  auto machine = with_settings({"NCCL_DEBUG=WARN", "NCCL_DEBUG=INFO"});
  machine = with_settings({"NCCL_DEBUG=TRACE", "NCCL_ALGO=Ring"}, machine, "etc/nccl.conf");
  const model::Catalogue catalogue;
  const model::Advice advice;
  const Environment environment({.machine = machine, .catalogue = catalogue, .advice = advice});
  EXPECT_EQ(environment.find("NCCL_DEBUG")->value, "INFO");
  EXPECT_EQ(environment.find("NCCL_ALGO")->value, "Ring");
  ASSERT_EQ(environment.overridden().size(), 1u);
  EXPECT_EQ(environment.overridden()[0].value, "TRACE");
}

TEST(VariableRows, FamiliesComponentsAndNearNames) {
  const auto advice = small_advice();
  EXPECT_EQ(variable_row(advice, "NCCL_IBEXT_DISABLE")->name, "NCCL_IBEXT_*");
  EXPECT_EQ(variable_row(advice, "UCX_IB_GID_INDEX")->name, "UCX_*_GID_INDEX");
  EXPECT_EQ(variable_row(advice, "UCX_RC_MLX5_GID_INDEX")->name, "UCX_*_GID_INDEX");
  EXPECT_EQ(variable_row(advice, "UCX_FROG_GID_INDEX"), nullptr);
  EXPECT_EQ(nearest_variable(advice, "NCCL_SOCKET_IFNMAE"), "NCCL_SOCKET_IFNAME");
  EXPECT_EQ(nearest_variable(advice, "NCLL_DEBUG"), "NCCL_DEBUG");
  EXPECT_EQ(nearest_variable(advice, "NCCL_FROBNICATE_EVERYTHING"), "");
}

TEST(VariableUnknown, NamesThatNeverWereAndSlipsOfTheFinger) {
  const auto never = says("ENV001", with_settings({"NCCL_NVLINK_DISABLE=1"}));
  ASSERT_EQ(never.failures.size(), 1u);
  EXPECT_TRUE(holds(never.text(), "never had"));
  EXPECT_EQ(never.failures[0].evidence.at(0).source, "job.sh:1");
  const auto slip = says("ENV001", with_settings({"NCCL_P2P_DISABEL=1"}));
  EXPECT_TRUE(holds(slip.text(), "did you mean NCCL_P2P_DISABLE?"));
  EXPECT_EQ(slip.severity(), Severity::warning);
}

TEST(VariableUnknown, KnownOnesPluginsAndFarNamesAreNoWarning) {
  const auto good = says("ENV001", with_settings({"NCCL_DEBUG=INFO", "NCCL_IBEXT_DISABLE=0",
                                                  "UCX_TLS=all", "CUDA_VISIBLE_DEVICES=0"}));
  EXPECT_TRUE(good.failures.empty());
  EXPECT_TRUE(good.passed);
  const auto far = says("ENV001", with_settings({"NCCL_FROBNICATE_EVERYTHING=1"}));
  EXPECT_EQ(far.severity(), Severity::note);
}

TEST(VariableUnknown, WithoutTablesNothingIsJudged) {
  const auto said = says("ENV001", with_settings({"NCCL_X=1"}), {});
  EXPECT_TRUE(said.failures.empty());
  EXPECT_EQ(said.unknowns.size(), 1u);
}

TEST(VariableRemoved, ByTheVersionThatRuns) {
  const auto set = with_settings({"NCCL_TREE_THRESHOLD=0"});
  EXPECT_TRUE(holds(says("ENV002", with_version(set, "2.18.1")).text(), "this is 2.18.1"));
  EXPECT_TRUE(says("ENV002", with_version(set, "2.4.8")).failures.empty());
  const auto unsure = says("ENV002", set);
  EXPECT_TRUE(holds(unsure.text(), "if yours is as new"));
  EXPECT_EQ(unsure.severity(), Severity::warning);
  EXPECT_EQ(says("ENV002", with_settings({"NCCL_SHM_MEMCPY_MODE=1"})).severity(), Severity::note);
  const auto old = says("ENV002", with_settings({"NCCL_MAX_NCHANNELS=32"}));
  EXPECT_EQ(old.severity(), Severity::note);
  EXPECT_TRUE(holds(old.text(), "NCCL_MAX_CTAS"));
}

TEST(VariableDead, IsReadByNothing) {
  EXPECT_EQ(says("ENV003", with_settings({"NCCL_IB_CUDA_SUPPORT=1"})).failures.size(), 1u);
  EXPECT_TRUE(says("ENV003", with_settings({"NCCL_DEBUG=INFO"})).passed);
}

TEST(ValueInvalid, SaysWhatNcclReadsAndWhatWouldDo) {
  const auto bytes = says("ENV004", with_settings({"NCCL_BUFFSIZE=8M"}));
  EXPECT_TRUE(holds(bytes.text(), "NCCL reads 8"));
  EXPECT_EQ(bytes.failures[0].remedy.at(0).command, "export NCCL_BUFFSIZE=8388608");
  const auto algo = says("ENV004", with_settings({"NCCL_ALGO=Rings"}));
  EXPECT_EQ(algo.severity(), Severity::error);
  EXPECT_TRUE(says("ENV004", with_settings({"NCCL_CROSS_NIC=1", "NCCL_ALGO=Ring"})).passed);
}

TEST(ValueInvalid, WhatTheMachineFillsInIsNotJudged) {
  const auto said = says("ENV004", with_settings({"NCCL_P2P_LEVEL=$LEVEL"}));
  EXPECT_TRUE(said.failures.empty());
  ASSERT_EQ(said.unknowns.size(), 1u);
  EXPECT_EQ(said.unknowns[0].subject, "NCCL_P2P_LEVEL");
}

TEST(VariableForOtherVersion, ByTheVersionThatRuns) {
  const auto set = with_settings({"NCCL_IB_MERGE_NICS=0"});
  EXPECT_TRUE(holds(says("ENV005", with_version(set, "2.18.1")).text(), "from NCCL 2.20.3 on"));
  EXPECT_TRUE(says("ENV005", with_version(set, "2.21.5")).passed);
  EXPECT_EQ(says("ENV005", set).unknowns.size(), 1u);
}

TEST(VariableForOtherVersion, WordsForLevelsBecomeNoughtBefore26) {
  for (const char* line : {"NCCL_P2P_LEVEL=NVL", "NCCL_P2P_LEVEL=0"}) {
    const auto said = says("ENV005", with_version(with_settings({line}), "2.5.6"));
    ASSERT_EQ(said.failures.size(), 1u) << line;
    EXPECT_EQ(said.severity(), Severity::error);
  }
  EXPECT_TRUE(
      says("ENV005", with_version(with_settings({"NCCL_P2P_LEVEL=3"}), "2.5.6")).failures.empty());
  EXPECT_TRUE(says("ENV005", with_version(with_settings({"NCCL_P2P_LEVEL=NVL"}), "2.6.4")).passed);
}

TEST(VariablesContradict, PairsThatTakeEachOthersEffect) {
  const auto text = [](const std::vector<std::string>& lines) {
    const auto said = says("ENV015", with_settings(lines));
    return said.failures.size() == 1 ? said.failures[0].subject : std::string("?");
  };
  EXPECT_EQ(text({"NCCL_P2P_DISABLE=1", "NCCL_P2P_LEVEL=SYS"}),
            "NCCL_P2P_DISABLE and NCCL_P2P_LEVEL");
  EXPECT_EQ(text({"NCCL_P2P_DISABLE=1", "NCCL_SHM_DISABLE=1"}),
            "NCCL_P2P_DISABLE and NCCL_SHM_DISABLE");
  EXPECT_EQ(text({"NCCL_IB_DISABLE=1", "NCCL_IB_HCA=mlx5_0"}), "NCCL_IB_DISABLE and NCCL_IB_HCA");
  EXPECT_EQ(text({"NCCL_MIN_NCHANNELS=16", "NCCL_MAX_NCHANNELS=8"}),
            "NCCL_MIN_NCHANNELS and NCCL_MAX_NCHANNELS");
  EXPECT_EQ(text({"NCCL_ALGO=NVLS", "NCCL_NVLS_ENABLE=0"}), "NCCL_ALGO and NCCL_NVLS_ENABLE");
  EXPECT_EQ(text({"NCCL_IB_GID_INDEX=3", "NCCL_IB_ADDR_RANGE=10.0.0.0/8"}),
            "NCCL_IB_GID_INDEX and NCCL_IB_ADDR_RANGE");
  EXPECT_EQ(text({"NCCL_SOCKET_NTHREADS=16", "NCCL_NSOCKS_PERTHREAD=8"}),
            "NCCL_SOCKET_NTHREADS and NCCL_NSOCKS_PERTHREAD");
  const auto fatal =
      says("ENV015", with_settings({"NCCL_IB_DISABLE=1", "NCCL_NET=IB"})).failures.at(0);
  EXPECT_EQ(fatal.severity, Severity::error);
}

TEST(VariablesContradict, PairsThatGoTogetherPass) {
  for (const auto& lines : std::vector<std::vector<std::string>>{
           {"NCCL_P2P_DISABLE=0", "NCCL_P2P_LEVEL=SYS"},
           {"NCCL_MIN_NCHANNELS=8", "NCCL_MAX_NCHANNELS=8"},
           {"NCCL_ALGO=Ring,NVLS", "NCCL_NVLS_ENABLE=0"},
           {"NCCL_ALGO=^NVLS", "NCCL_NVLS_ENABLE=0"},
           {"NCCL_IB_DISABLE=0", "NCCL_IB_HCA=mlx5_0"},
           {"NCCL_SOCKET_NTHREADS=8", "NCCL_NSOCKS_PERTHREAD=8"}}) {
    const auto said = says("ENV015", with_settings(lines));
    EXPECT_TRUE(said.failures.empty()) << lines[0];
    EXPECT_TRUE(said.passed);
  }
}

TEST(VariableSetTwice, IsANoteWithEveryPlace) {
  const auto said = says("ENV025", with_settings({"NCCL_DEBUG=INFO", "NCCL_DEBUG=WARN"}));
  ASSERT_EQ(said.failures.size(), 1u);
  EXPECT_EQ(said.severity(), Severity::note);
  EXPECT_EQ(said.failures[0].evidence.size(), 2u);
  EXPECT_TRUE(says("ENV025", with_settings({"NCCL_DEBUG=INFO", "NCCL_DEBUG=INFO"})).passed);
}

}  // namespace
}  // namespace railgauge::judge
