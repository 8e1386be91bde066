#include <cstdint>
#include <string>

#include "observe/nccl_xml/nccl_graph_xml.h"
#include "observe/nccl_xml/nccl_topo_xml.h"
#include "observe/nccl_xml/other_xml.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const Input input{"fuzz.xml", std::string(reinterpret_cast<const char*>(data), size)};
  looks_like_nccl_topo_xml(input.bytes);
  looks_like_nccl_graph_xml(input.bytes);
  looks_like_other_xml(input.bytes);
  (void)read_nccl_topo_xml(input);
  (void)read_nccl_graph_xml(input);
  (void)read_other_xml(input);
  return 0;
}
