#include "observe/archive/unpack_room.h"

#include <zstd.h>
#include <zstd_errors.h>

#include <algorithm>
#include <cstring>

#include "observe/archive/packing.h"

namespace railgauge::observe {
namespace {

// A recording of a large server unpacks to 3 to 8 MB; what is not touched costs nothing.
constexpr std::size_t first_bytes = 8u << 20;
constexpr std::size_t growth = 4;

}  // namespace

void UnpackRoom::FreeContext::operator()(ZSTD_DCtx_s* context) const { ::ZSTD_freeDCtx(context); }

void UnpackRoom::make_room(std::size_t bytes) {
  const bool free = buffer_ && buffer_.use_count() == 1;
  if (free && buffer_bytes_ >= bytes) return;
  buffer_.reset();
  buffer_bytes_ = std::max(bytes, buffer_bytes_);
  buffer_ = std::make_shared_for_overwrite<char[]>(buffer_bytes_);
}

std::optional<UnpackRoom::Plain> UnpackRoom::first_of_buffer(std::size_t bytes) const {
  return Plain{{buffer_.get(), bytes}, buffer_};
}

std::optional<UnpackRoom::Plain> UnpackRoom::unpacked(std::string_view packed,
                                                      std::size_t most_bytes) {
  const Packing packing = packing_of(packed);
  if (packing == Packing::none) {
    if (packed.size() > most_bytes) return std::nullopt;
    make_room(packed.size());
    std::memcpy(buffer_.get(), packed.data(), packed.size());
    return first_of_buffer(packed.size());
  }
  if (packing != Packing::zstd) return std::nullopt;
  if (::ZSTD_findFrameCompressedSize(packed.data(), packed.size()) != packed.size())
    return std::nullopt;
  if (!context_) context_.reset(::ZSTD_createDCtx());
  if (!context_) return std::nullopt;
  // Frames that are written as a stream do not state their size. A second try is rare: the buffer
  // stays as large as it was needed once.
  std::size_t room = std::min(std::max(first_bytes, buffer_bytes_), most_bytes);
  for (;; room = std::min(room * growth, most_bytes)) {
    make_room(room);
    const std::size_t size =
        ::ZSTD_decompressDCtx(context_.get(), buffer_.get(), room, packed.data(), packed.size());
    if (!::ZSTD_isError(size)) return first_of_buffer(size);
    const bool larger = ::ZSTD_getErrorCode(size) == ZSTD_error_dstSize_tooSmall;
    if (!larger || room == most_bytes) return std::nullopt;
  }
}

}  // namespace railgauge::observe
