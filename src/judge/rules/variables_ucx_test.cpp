#include <gtest/gtest.h>

#include "judge/rules/variables_testing.h"

namespace railgauge::judge {
namespace {

using model::Machine;

std::string verdict(const char* rule, const std::vector<std::string>& lines,
                    const Machine& machine = {}) {
  const auto said = says(rule, with_settings(lines, machine));
  return said.failures.empty() ? "" : std::string(model::text(said.failures.front().severity));
}

TEST(UcxWithoutCuda, ListsThatCannotTouchGpuMemory) {
  for (const char* bad : {"rc,sm,self", "tcp", "^cuda", "^cuda_copy,cuda_ipc"})
    EXPECT_EQ(verdict("ENV021", {std::string("UCX_TLS=") + bad}, nvlink_pair()), "warning") << bad;
  for (const char* good : {"all", "rc,cuda", "rc,cuda_copy,cuda_ipc", "^ib", "rc,\\cuda_copy"})
    EXPECT_EQ(verdict("ENV021", {std::string("UCX_TLS=") + good}, nvlink_pair()), "") << good;
}

TEST(UcxWithoutCuda, IsANoteWhereNcclCarriesTheData) {
  EXPECT_EQ(verdict("ENV021", {"UCX_TLS=tcp", "NCCL_DEBUG=INFO"}, nvlink_pair()), "note");
}

TEST(UcxWithoutCuda, AmdWantsItsOwn) {
  Machine amd;
  const auto source = amd.sources.add("sysfs", model::Trust::kernel);
  amd[amd.add(model::DeviceKind::gpu, source)].name.claim("AMD Instinct MI300X", source);
  EXPECT_EQ(verdict("ENV021", {"UCX_TLS=rc,cuda"}, amd), "warning");
  EXPECT_EQ(verdict("ENV021", {"UCX_TLS=rc,rocm"}, amd), "");
}

TEST(UcxDeviceWithoutPort, NamesOfRdmaDevicesOnly) {
  const auto said = says("ENV022", with_settings({"UCX_NET_DEVICES=mlx5_0,eth0,mlx5_1:1"}));
  ASSERT_EQ(said.failures.size(), 1u);
  EXPECT_EQ(said.failures[0].remedy.at(0).command, "export UCX_NET_DEVICES=mlx5_0:1,eth0,mlx5_1:1");
  for (const char* good : {"all", "mlx5_0:1", "eth0,ib0"})
    EXPECT_EQ(verdict("ENV022", {std::string("UCX_NET_DEVICES=") + good}), "") << good;
}

TEST(UcxMemtypeCache, OffIsANote) {
  EXPECT_EQ(verdict("ENV023", {"UCX_MEMTYPE_CACHE=n"}), "note");
  EXPECT_EQ(verdict("ENV023", {"UCX_MEMTYPE_CACHE=try"}), "");
}

TEST(UcxProtocolForced, OneWayForEverything) {
  EXPECT_EQ(verdict("ENV024", {"UCX_RNDV_SCHEME=get_zcopy"}), "note");
  EXPECT_EQ(verdict("ENV024", {"UCX_RNDV_THRESH=0"}), "note");
  EXPECT_EQ(verdict("ENV024", {"UCX_RNDV_THRESH=8192"}), "");
  EXPECT_EQ(verdict("ENV024", {"UCX_RNDV_SCHEME=auto"}), "");
}

TEST(UcxWithoutRdma, OnAMachineThatHasIt) {
  EXPECT_EQ(verdict("ENV031", {"UCX_TLS=tcp,cuda"}, with_adapters({"mlx5_0"})), "warning");
  EXPECT_EQ(verdict("ENV031", {"UCX_TLS=^ib"}, with_adapters({"mlx5_0"})), "warning");
  EXPECT_EQ(verdict("ENV031", {"UCX_TLS=tcp,cuda", "NCCL_DEBUG=INFO"}, with_adapters({"mlx5_0"})),
            "note");
  EXPECT_EQ(verdict("ENV031", {"UCX_TLS=rc_x,cuda"}, with_adapters({"mlx5_0"})), "");
  EXPECT_EQ(verdict("ENV031", {"UCX_TLS=tcp"}), "");
}

}  // namespace
}  // namespace railgauge::judge
