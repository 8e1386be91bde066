#include "judge/rules/variables_value.h"

#include <gtest/gtest.h>

#include "judge/rules/variables_environment.h"

namespace railgauge::judge {
namespace {

using model::NcclVersion;

struct Case {
  const char* form;
  const char* value;
  const char* instead;  // nullptr: a good value; otherwise what is proposed
};

std::optional<ValueFault> fault(const char* form, const char* value,
                                std::optional<NcclVersion> nccl = {}) {
  model::VariableRow row;
  row.form = form;
  row.library = "nccl";
  return value_fault(row, value, nccl);
}

TEST(VariableValue, EachFormTakesItsOwnAndNoOther) {
  for (const Case& one : std::initializer_list<Case>{
           {"", "anything", nullptr},
           {"text", "any thing", nullptr},
           {"bool", "0", nullptr},
           {"bool", "1", nullptr},
           {"bool", "false", nullptr},
           {"bool", "true", "1"},
           {"bool", "maybe", ""},
           {"int", "-2", nullptr},
           {"int", "0x10", nullptr},
           {"int", "ten", ""},
           {"int:0:7", "7", nullptr},
           {"int:0:7", "8", ""},
           {"int:1:", "0", ""},
           {"int:1:", "1000", nullptr},
           {"bytes", "8388608", nullptr},
           {"bytes", "8M", "8388608"},
           {"bytes", "64KB", "65536"},
           {"enum:AF_INET|AF_INET6", "AF_INET", nullptr},
           {"enum:AF_INET|AF_INET6", "af_inet", "AF_INET"},
           {"ienum:WARN|INFO", "info", nullptr},
           {"ienum:WARN|INFO", "INF", "INFO"},
           {"ilist:INIT|NET|ALL", "init,NET", nullptr},
           {"ilist:INIT|NET|ALL", "^net", nullptr},
           {"ilist:INIT|NET|ALL", "INIT,NETS", "NET"},
           {"level", "SYS", nullptr},
           {"level", "3", nullptr},
           {"level", "sys", "SYS"},
           {"level", "NODE", "PHB"},
           {"level", "NVLink", "NVL"},
           {"nccl_algo", "ring,TREE", nullptr},
           {"nccl_algo", "^NVLS", nullptr},
           {"nccl_algo", "allreduce:tree,ring;allgather:ring", nullptr},
           {"nccl_algo", "Rings", "Ring"},
           {"nccl_algo", "allreduces:ring", "AllReduce"},
           {"nccl_proto", "LL,LL128,Simple", nullptr},
           {"nccl_proto", "Simpel", "Simple"},
           {"nccl_net", "ib", nullptr},
           {"nccl_net", "AWS Libfabric", nullptr},
           {"nccl_net", "RoCE", "IB"},
           {"nccl_net", "tcp", "Socket"},
           {"ib_hca", "^=mlx5_0:1,mlx5_1", nullptr},
           {"ib_hca", "mlx5_*", "mlx5_"},
           {"ib_hca", "=mlx5_0,=mlx5_1", ""},
           {"ifname", "=eth0", nullptr},
           {"ifname", "eth0;eth1", ""},
           {"cidr", "10.1.0.0/16", nullptr},
           {"cidr", "10.1.0.0", ""},
           {"xml_path", "/etc/topo.xml", nullptr},
           {"xml_path", "/etc/topo.json", ""},
           {"ucx_bool", "Y", nullptr},
           {"ucx_bool", "perhaps", ""},
           {"ucx_try", "try", nullptr},
           {"ucx_int", "inf", nullptr},
           {"ucx_int", "three", ""},
           {"ucx_size", "64kb", nullptr},
           {"ucx_size", "64 apples", ""},
           {"ucx_time", "1.5ms", nullptr},
           {"ucx_thresh", "intra:1k,inter:8k", nullptr},
           {"ucx_tls", "rc_x,ud:aux,\\cuda_copy", nullptr},
           {"ucx_tls", "^ib", nullptr},
           {"ucx_tls", "rc,cuda_cpy", "cuda_copy"},
       }) {
    const auto found = fault(one.form, one.value);
    EXPECT_EQ(found.has_value(), one.instead != nullptr) << one.form << " " << one.value;
    if (found && one.instead != nullptr) {
      EXPECT_EQ(found->instead, one.instead) << one.form << " " << one.value;
      EXPECT_NE(found->why, "") << one.value;
    }
  }
}

TEST(VariableValue, UnknownAlgorithmsStopTheJobFrom224On) {
  EXPECT_TRUE(fault("nccl_algo", "Rings")->stops_job);
  EXPECT_TRUE(fault("nccl_algo", "Rings", NcclVersion{2, 24, 3})->stops_job);
  EXPECT_FALSE(fault("nccl_algo", "Rings", NcclVersion{2, 20, 5})->stops_job);
}

TEST(VariableValue, PyTorchTakesWordsForSwitches) {
  model::VariableRow row;
  row.form = "bool";
  row.library = "pytorch";
  EXPECT_FALSE(value_fault(row, "true", {}));
}

TEST(VariableValue, NumbersAreReadAsNcclReadsThem) {
  const auto number = [](const char* value) { return EnvironmentSetting{"X", value, {}}.number(); };
  EXPECT_EQ(number("8"), 8);
  EXPECT_EQ(number(" -2"), -2);
  EXPECT_EQ(number("0x1F"), 31);
  EXPECT_EQ(number("010"), 8);  // octal
  EXPECT_EQ(number("4M"), 4);
  EXPECT_EQ(number("true"), 0);
  EXPECT_EQ(number("NVL"), 0);
  EXPECT_EQ(number(""), 0);
  EXPECT_GT(number("99999999999999999999999999"), 0);
}

}  // namespace
}  // namespace railgauge::judge
