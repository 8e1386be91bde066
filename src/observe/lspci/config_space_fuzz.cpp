#include "observe/lspci/config_space.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  railgauge::model::PciFacts facts;
  railgauge::observe::decode_config_space({data, size}, {}, facts);
  static_cast<void>(railgauge::observe::aer_status_bits({data, size}));
  return 0;
}
