// The readers of nvidia-smi together: what one recognises it reads, what it does not it refuses.
// The XML may be recognised and broken.
#include "observe/nvidia_smi/csv.h"
#include "observe/nvidia_smi/links.h"
#include "observe/nvidia_smi/query.h"
#include "observe/nvidia_smi/query_xml.h"
#include "observe/nvidia_smi/table.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Input input{"fuzz", bytes};
  if (looks_like_smi_query(bytes) != read_smi_query(input).has_value()) __builtin_trap();
  if (looks_like_smi_list(bytes) != read_smi_list(input).has_value()) __builtin_trap();
  if (looks_like_smi_csv(bytes) != read_smi_csv(input).has_value()) __builtin_trap();
  if (looks_like_smi_table(bytes) != read_smi_table(input).has_value()) __builtin_trap();
  if (read_smi_xml(input).has_value() && !looks_like_smi_xml(bytes)) __builtin_trap();
  return 0;
}
