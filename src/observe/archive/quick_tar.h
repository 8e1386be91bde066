// The short way through the archives that we write ourselves and that GNU tar writes: plain GNU or
// ustar headers with files, links, directories and long names, packed with zstd or not at all.
//   if (auto entries = quick_tar_entries(bytes, name, bounds, room)) return std::move(*entries);
//   return library_entries(bytes, name, bounds);
// It knows no errors. Whatever is not exactly as expected, from another dialect to damage to a
// bound that is passed, is nothing, and libarchive then reads the same bytes from their start and
// has the last word. What it does give is what libarchive would have given.
#pragma once

#include <optional>

#include "observe/archive/contents.h"
#include "observe/archive/unpack_room.h"

namespace railgauge::observe {

// The entries look into what was unpacked, so nothing is copied.
std::optional<Entries> quick_tar_entries(std::string_view bytes, const std::string& name,
                                         const ArchiveBounds& bounds, UnpackRoom& room);

}  // namespace railgauge::observe
