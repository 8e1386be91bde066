// What is known of a CPU package or a NUMA node.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "model/fact.h"

namespace railgauge::model {

struct CpuFacts {                  // package and numa_node
  Fact<std::string> vendor;        // "GenuineIntel", "AuthenticAMD", "ARM"
  Fact<std::string> architecture;  // "x86_64", "arm64", "ppc64"
  Fact<std::string> model_name;
  Fact<int> family;
  Fact<int> model;
  Fact<std::string> cpus;  // list form: "0-47,96-143"
  Fact<int> core_count;
  Fact<std::uint64_t> memory_bytes;
  Fact<std::vector<int>> distances;  // ACPI SLIT row of a numa_node
  Fact<std::string> caches;          // "L3 32 MiB x8"
  friend bool operator==(const CpuFacts&, const CpuFacts&) = default;
};

}  // namespace railgauge::model
