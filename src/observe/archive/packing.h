// How bytes are compressed, told by their first bytes and never by a file's name, and the text
// inside. Exactly one layer is opened: a .gz in a .gz stays what it is, so no stack of layers can
// multiply.
#pragma once

#include <archive.h>

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "observe/archive/named_file.h"

namespace railgauge::observe {

enum class Packing { none, gzip, zstd, xz };

Packing packing_of(std::string_view bytes);
bool is_zip(std::string_view bytes);

// One compressed text (topo.txt.gz), at most `limit_bytes` when unpacked. What `long_text` wants is
// given to it in pieces, without a limit, and nothing is left to return.
Result<std::string> decompress(std::string_view bytes, const std::string& name,
                               std::uint64_t limit_bytes, PieceTaker* long_text = nullptr);

// The same of a file that is not held either; false when it is small, no compressed text, or not
// wanted: read it in the usual way then.
Result<bool> decompress_in_pieces(const std::string& path, PieceTaker& long_text);

struct FreeArchive {
  void operator()(::archive* handle) const { ::archive_read_free(handle); }
};
using ArchiveReader = std::unique_ptr<::archive, FreeArchive>;

// libarchive at the start of the text inside; the bytes must outlive it. Only for packed bytes.
Result<ArchiveReader> open_compressed(std::string_view bytes, const std::string& name);

// What libarchive said last, safe to print.
std::string words_of(::archive* handle);

}  // namespace railgauge::observe
