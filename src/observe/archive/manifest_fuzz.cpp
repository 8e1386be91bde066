// Any bytes: a manifest or an Error; what was read is written and read the same.
#include <cstdint>
#include <cstdlib>

#include "observe/archive/archive.h"
#include "observe/archive/refused.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (const auto manifest = parse_manifest(bytes)) {
    const auto back = parse_manifest(manifest_json(*manifest));
    if (!back || *back != *manifest) std::abort();
  }
  if (const auto refused = parse_refused(bytes)) {
    const auto back = parse_refused(refused_json(*refused));
    if (!back || *back != *refused) std::abort();
  }
  return 0;
}
