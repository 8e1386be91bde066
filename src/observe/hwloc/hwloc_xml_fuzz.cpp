#include <cstdint>
#include <string>

#include "observe/hwloc/hwloc_xml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const Input input{"fuzz.xml", std::string(reinterpret_cast<const char*>(data), size)};
  looks_like_hwloc_xml(input.bytes);
  (void)read_hwloc_xml(input);
  return 0;
}
