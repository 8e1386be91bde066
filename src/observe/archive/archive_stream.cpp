#include "observe/archive/archive_stream.h"

#include <algorithm>
#include <cerrno>

namespace railgauge::observe {
namespace {

// Room for what one call honestly needs: 64 kB of data, or names of 4 kB in headers of 1 MiB.
constexpr std::uint64_t allowance_bytes = 4u << 20;

}  // namespace

la_ssize_t ArchiveStream::next_block(const void** block) {
  if (inner_) {
    *block = buffer_.data();
    return ::archive_read_data(inner_.get(), buffer_.data(), buffer_.size());
  }
  const std::string_view piece = rest_.substr(0, buffer_.size());
  rest_.remove_prefix(piece.size());
  *block = piece.data();
  return static_cast<la_ssize_t>(piece.size());
}

la_ssize_t ArchiveStream::feed(::archive* outer, void* self, const void** block) {
  auto& stream = *static_cast<ArchiveStream*>(self);
  if (stream.taken_bytes_ >= stream.allowed_bytes_) {
    ::archive_set_error(outer, EFBIG, "a header of more than 4 MiB");
    return -1;
  }
  const la_ssize_t size = stream.next_block(block);
  if (size < 0)
    ::archive_set_error(outer, EIO, "the compressed data is cut or damaged");
  else
    stream.taken_bytes_ += static_cast<std::uint64_t>(size);
  return size < 0 ? -1 : size;
}

Result<std::unique_ptr<ArchiveStream>> ArchiveStream::open(std::string_view bytes,
                                                           const std::string& name) {
  std::unique_ptr<ArchiveStream> stream(new ArchiveStream);
  if (packing_of(bytes) == Packing::none) {
    stream->rest_ = bytes;
  } else {
    auto inner = open_compressed(bytes, name);
    if (!inner) return tl::unexpected(std::move(inner.error()));
    stream->inner_ = std::move(*inner);
  }
  stream->outer_.reset(::archive_read_new());
  ::archive* outer = stream->outer_.get();
  if (outer == nullptr) return fail(ErrorKind::limit, "no memory to read " + name);
  stream->allowed_bytes_ = allowance_bytes;
  int opened = ARCHIVE_FATAL;
  if (is_zip(bytes)) {  // its directory is at the end: only that is true, so it needs to seek
    ::archive_read_support_format_zip_seekable(outer);
    opened = ::archive_read_open_memory(outer, bytes.data(), bytes.size());
  } else {
    ::archive_read_support_format_tar(outer);
    opened = ::archive_read_open(outer, stream.get(), nullptr, feed, nullptr);
  }
  if (opened >= ARCHIVE_WARN) return stream;
  return fail(ErrorKind::input, name + " cannot be opened: " + words_of(outer) +
                                    "; the file is cut or damaged, copy it again");
}

int ArchiveStream::next_header(::archive_entry** entry) {
  allowed_bytes_ = taken_bytes_ + allowance_bytes;
  return ::archive_read_next_header(outer_.get(), entry);
}

la_ssize_t ArchiveStream::read_data(char* to, std::size_t size) {
  allowed_bytes_ = taken_bytes_ + allowance_bytes;
  return ::archive_read_data(outer_.get(), to, size);
}

bool ArchiveStream::ends_undamaged() {
  if (!inner_) return true;
  for (std::uint64_t looked_at = 0; looked_at < allowance_bytes; looked_at += buffer_.size()) {
    const la_ssize_t size = ::archive_read_data(inner_.get(), buffer_.data(), buffer_.size());
    if (size <= 0) return size == 0;
  }
  return true;
}

}  // namespace railgauge::observe
