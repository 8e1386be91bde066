// What the tests of `nvidia-smi -q` share: a text read, and looking up what it said.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "observe/nvidia_smi/query.h"

namespace railgauge::observe {

inline model::Machine read_query(const std::string& text) {
  EXPECT_TRUE(looks_like_smi_query(text));
  auto machine = read_smi_query({"q.txt", text});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? *machine : model::Machine{};
}

inline const model::Device& only_gpu(const model::Machine& machine) {
  EXPECT_EQ(machine.of_kind(model::DeviceKind::gpu).size(), 1u);
  return machine.devices.front();
}

inline std::string attribute(const model::Device& device, std::string_view key) {
  for (const auto& a : device.attributes)
    if (a.key == key) return a.value;
  return "absent";
}

inline std::uint64_t ecc(const model::Device& device, std::string_view name) {
  const auto found = device.gpu->ecc_errors.find(name);
  return found == device.gpu->ecc_errors.end() ? 999 : found->second.value.value_or(998);
}

}  // namespace railgauge::observe
