// libarchive's reader of tar and zip over bytes in memory, kept on a short leash: what one call may
// take from the stream is bounded, so that headers, which libarchive reads whole, cannot make it
// run out of memory (it ends the program then). A map of holes of 100 kB, compressed, is enough.
//   auto stream = ArchiveStream::open(bytes, "host.tar.zst");
//   while ((*stream)->next_header(&entry) == ARCHIVE_OK) (*stream)->read_data(chunk, size);
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "observe/archive/packing.h"

namespace railgauge::observe {

class ArchiveStream {
 public:
  // The bytes must outlive the stream.
  static Result<std::unique_ptr<ArchiveStream>> open(std::string_view bytes,
                                                     const std::string& name);
  ArchiveStream(const ArchiveStream&) = delete;
  ArchiveStream& operator=(const ArchiveStream&) = delete;

  int next_header(::archive_entry** entry);
  la_ssize_t read_data(char* to, std::size_t size);
  std::string words() const { return words_of(outer_.get()); }

  std::uint64_t unpacked_bytes() const { return taken_bytes_; }

  // After the last entry: the compressed stream goes on undamaged to its own end, as far as we
  // look.
  bool ends_undamaged();

 private:
  ArchiveStream() = default;
  static la_ssize_t feed(::archive* outer, void* self, const void** block);
  la_ssize_t next_block(const void** block);

  ArchiveReader inner_;    // takes the compression off; none for plain archives
  std::string_view rest_;  // of a plain archive
  std::array<char, 65536> buffer_{};
  std::uint64_t taken_bytes_ = 0;
  std::uint64_t allowed_bytes_ = 0;  // of taken_bytes_, until the next call
  ArchiveReader outer_;              // last: closed before what it reads from
};

}  // namespace railgauge::observe
