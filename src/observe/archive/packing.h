// How bytes are compressed, told by their first bytes and never by a file's name, and the text
// inside. Exactly one layer is opened: a .gz in a .gz stays what it is, so no stack of layers can
// multiply.
#pragma once

#include <archive.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"

namespace railgauge::observe {

enum class Packing { none, gzip, zstd, xz };

Packing packing_of(std::string_view bytes);
bool is_zip(std::string_view bytes);

// One compressed text (topo.txt.gz), at most `limit_bytes` when unpacked.
Result<std::string> decompress(std::string_view bytes, const std::string& name,
                               std::uint64_t limit_bytes);

// A libarchive reader over bytes, which must outlive it.
struct FreeArchive {
  void operator()(::archive* handle) const { ::archive_read_free(handle); }
};
using ArchiveReader = std::unique_ptr<::archive, FreeArchive>;
enum class Inside { archive, one_text };
Result<ArchiveReader> open_reader(std::string_view bytes, const std::string& name, Inside inside);

// What libarchive said last, safe to print.
std::string words_of(::archive* handle);

}  // namespace railgauge::observe
