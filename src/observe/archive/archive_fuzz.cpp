// Any bytes: unpack gives a recording or an Error; what it gives packs and comes back equal.
#include <cstdint>
#include <cstdlib>

#include "observe/archive/archive.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  ArchiveBounds bounds;
  bounds.total_bytes = 1 << 20;
  bounds.entry_bytes = 1 << 19;
  bounds.entries = 1000;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  const auto recording = unpack(bytes, "fuzz", bounds);
  if (!recording) return 0;
  const auto packed = pack(*recording);
  if (!packed) std::abort();
  const auto back = unpack(*packed, "fuzz");
  if (!back || back->entries != recording->entries) std::abort();
  return 0;
}
