// The tree and the hex reader; both must agree with their sniffers.
#include "observe/lspci/lspci_hex.h"
#include "observe/lspci/lspci_tree.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  if (looks_like_lspci_tree(bytes) != read_lspci_tree({"fuzz", bytes}).has_value())
    __builtin_trap();
  static_cast<void>(looks_like_lspci_hex(bytes));
  static_cast<void>(read_lspci_hex({"fuzz", bytes}));
  return 0;
}
