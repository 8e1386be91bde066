// Where archives are unpacked, one after the other: zstd's state, and a buffer that is used again
// once nobody holds what was unpacked into it before.
//   UnpackRoom room;
//   if (auto plain = room.unpacked(bytes, 64 << 20)) use(plain->bytes);
// What comes back lives as long as `hold` does. A thousand recordings one after the other then
// touch the memory of one.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string_view>

struct ZSTD_DCtx_s;

namespace railgauge::observe {

class UnpackRoom {
 public:
  struct Plain {
    std::string_view bytes;
    std::shared_ptr<const void> hold;
  };

  // The bytes themselves when they are not packed, or one undamaged frame of zstd unpacked. Nothing
  // for any other packing, and when there is more than `most_bytes`.
  std::optional<Plain> unpacked(std::string_view packed, std::size_t most_bytes);

 private:
  struct FreeContext {
    void operator()(ZSTD_DCtx_s* context) const;
  };
  void make_room(std::size_t bytes);
  std::optional<Plain> first_of_buffer(std::size_t bytes) const;

  std::unique_ptr<ZSTD_DCtx_s, FreeContext> context_;
  std::shared_ptr<char[]> buffer_;
  std::size_t buffer_bytes_ = 0;
};

}  // namespace railgauge::observe
