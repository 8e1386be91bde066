// Recordings on disk: directories and .tar.zst (also .tar, .tar.gz, .zip) archives, packed and
// unpacked in memory. Nothing is ever extracted to disk. Absolute paths, "..", devices, more than
// the bounds below: an Error each.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"
#include "observe/recording.h"

namespace railgauge::observe {

struct ArchiveBounds {
  std::uint64_t total_bytes = 256ull << 20;  // unpacked
  std::uint64_t entry_bytes = 64ull << 20;
  std::uint64_t entries = 200'000;
};

bool looks_like_archive(std::string_view bytes);
Result<Recording> unpack(std::string_view bytes, const std::string& name,
                         const ArchiveBounds& bounds = {});
Result<std::string> pack(
    const Recording& recording);  // tar + zstd, byte-identical for equal recordings

Result<Recording> read_directory(const std::filesystem::path& path,
                                 const ArchiveBounds& bounds = {});

// manifest.json
Result<Manifest> parse_manifest(std::string_view json);
std::string manifest_json(const Manifest& manifest);

}  // namespace railgauge::observe
