// The plain bytes of a tar file in memory, packed with zstd or not at all, a few at a time: what a
// 6 MB archive of a recording needs at once is one block. For tar_blocks.cpp.
//   UnpackedBytes from(bytes);
//   const char* header = from.need(512);   // nullptr: not that many are left, or damaged
//   from.take(512);
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

struct ZSTD_DCtx_s;

namespace railgauge::observe {

class UnpackedBytes {
 public:
  static constexpr std::size_t most_at_once = 64u << 10;

  // The packed bytes must outlive this.
  explicit UnpackedBytes(std::string_view packed);

  // The next `size` bytes, at most `most_at_once`, valid until the next call; nullptr when there
  // are not so many.
  const char* need(std::size_t size);
  void take(std::size_t size) { at_ += size; }

  // Moves the next `size` bytes to the end of `to`.
  bool append_to(std::string& to, std::size_t size);

  // Reads on and throws away. True when packed bytes end where their one frame ends, within
  // `most_bytes` unpacked, and when of plain bytes only zeros are left.
  bool ends_well(std::uint64_t most_bytes);

  std::uint64_t unpacked_bytes() const { return unpacked_bytes_; }

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  bool more();

  std::string_view rest_;                              // still packed
  std::unique_ptr<ZSTD_DCtx_s, FreeContext> context_;  // none: the bytes are plain
  std::unique_ptr<char[]> buffer_;
  const char* held_ = nullptr;  // unpacked, from at_ to end_
  std::size_t at_ = 0;
  std::size_t end_ = 0;
  std::uint64_t unpacked_bytes_ = 0;
  bool frame_ended_ = false;
};

}  // namespace railgauge::observe
