// Any bytes: unpack gives a recording or an Error; what it gives packs and comes back equal. Where
// the short way through an archive gives something, libarchive gives the same.
#include <cstdint>
#include <cstdlib>

#include "observe/archive/archive.h"
#include "observe/archive/packing.h"
#include "observe/archive/plain_text.h"
#include "observe/archive/quick_tar.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  ArchiveBounds bounds;
  bounds.total_bytes = 1 << 20;
  bounds.entry_bytes = 1 << 19;
  bounds.entries = 1000;
  const std::string_view bytes(reinterpret_cast<const char*>(data), size);
  if (packing_of(bytes) != Packing::none) (void)decompress(bytes, "fuzz", bounds.entry_bytes);
  (void)looks_binary(plain_text(std::string(bytes)));
  UnpackRoom room;
  if (const auto quick = quick_tar_entries(bytes, "fuzz", bounds, room)) {
    const auto slow = library_entries(bytes, "fuzz", bounds);
    if (!slow || *slow != *quick) std::abort();
  }
  const auto recording = unpack(bytes, "fuzz", bounds);
  if (!recording) return 0;
  const auto packed = pack(*recording);
  if (!packed) std::abort();
  const auto back = unpack(*packed, "fuzz");
  if (!back || back->entries != recording->entries) std::abort();
  return 0;
}
