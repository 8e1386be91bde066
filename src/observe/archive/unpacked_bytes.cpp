#include "observe/archive/unpacked_bytes.h"

#include <zstd.h>

#include <algorithm>
#include <cstring>

#include "observe/archive/packing.h"

namespace railgauge::observe {
namespace {

// Room for one block of zstd (128 KiB, its largest) behind what is still held.
constexpr std::size_t buffer_bytes = UnpackedBytes::most_at_once + (128u << 10);

}  // namespace

void UnpackedBytes::FreeContext::operator()(ZSTD_DCtx_s* context) const {
  ::ZSTD_freeDCtx(context);
}

UnpackedBytes::UnpackedBytes(std::string_view packed) : rest_(packed) {
  if (packing_of(packed) != Packing::zstd) {
    held_ = packed.data();
    end_ = packed.size();
    unpacked_bytes_ = packed.size();
    frame_ended_ = true;
    rest_ = {};
    return;
  }
  context_.reset(::ZSTD_createDCtx());
  buffer_ = std::make_unique_for_overwrite<char[]>(buffer_bytes);
  held_ = buffer_.get();
  if (!context_) rest_ = {};
}

// Unpacks something behind what is held; false at the end, and when the data is damaged.
bool UnpackedBytes::more() {
  if (frame_ended_ || rest_.empty()) return false;
  std::memmove(buffer_.get(), buffer_.get() + at_, end_ - at_);
  end_ -= at_;
  at_ = 0;
  ZSTD_inBuffer in{rest_.data(), rest_.size(), 0};
  ZSTD_outBuffer out{buffer_.get(), buffer_bytes, end_};
  const std::size_t wanted = ::ZSTD_decompressStream(context_.get(), &out, &in);
  if (::ZSTD_isError(wanted)) {
    rest_ = {};
    return false;
  }
  rest_.remove_prefix(in.pos);
  frame_ended_ = wanted == 0;
  const std::size_t got = out.pos - end_;
  end_ = out.pos;
  unpacked_bytes_ += got;
  return got > 0 || in.pos > 0;
}

const char* UnpackedBytes::need(std::size_t size) {
  while (end_ - at_ < size)
    if (!more()) return nullptr;
  return held_ + at_;
}

bool UnpackedBytes::append_to(std::string& to, std::size_t size) {
  while (size > 0) {
    if (need(1) == nullptr) return false;
    const std::size_t piece = std::min(size, end_ - at_);
    to.append(held_ + at_, piece);
    take(piece);
    size -= piece;
  }
  return true;
}

bool UnpackedBytes::ends_well(std::uint64_t most_bytes) {
  if (!context_) return std::all_of(held_ + at_, held_ + end_, [](char c) { return c == '\0'; });
  while (!frame_ended_) {
    if (unpacked_bytes_ > most_bytes) return false;
    at_ = end_;
    if (!more() && !frame_ended_) return false;
  }
  return rest_.empty();
}

}  // namespace railgauge::observe
