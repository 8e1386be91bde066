// Files, bounded. Every read has a limit; every write is whole or not at all.
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>
#include <string_view>

#include "base/result.h"

namespace railgauge {

// The bytes of a file (or of a pipe, a device, a /proc file: size 0 there means nothing), at most
// `limit_bytes`. A longer file is an error of kind limit, not a cut text. Errors name the path and
// what the system said.
Result<std::string> read_file(const std::filesystem::path& path, std::uint64_t limit_bytes);

// The same from an open descriptor, which stays open. `name` is used in messages.
Result<std::string> read_descriptor(int descriptor, const std::string& name,
                                    std::uint64_t limit_bytes);

// Writes beside the target, flushes, renames: a reader sees the old file or the new one, never a
// part.
Result<void> write_file_atomically(const std::filesystem::path& path, std::string_view bytes);

}  // namespace railgauge
