// Little-endian registers of a configuration space that may be cut anywhere, and its two capability
// lists. Reading outside gives nothing; lists that loop end.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace railgauge::observe {

class ConfigBytes {
 public:
  explicit ConfigBytes(std::span<const std::uint8_t> bytes) : bytes_(bytes) {}

  std::size_t size() const { return bytes_.size(); }
  std::optional<std::uint8_t> u8(std::size_t at) const;
  std::optional<std::uint16_t> u16(std::size_t at) const;
  std::optional<std::uint32_t> u32(std::size_t at) const;

  // Offset of a capability in the first 256 bytes, or of an extended one from 0x100 on.
  std::optional<std::size_t> capability(std::uint8_t id) const;
  std::optional<std::size_t> extended_capability(std::uint16_t id) const;

 private:
  std::span<const std::uint8_t> bytes_;
};

}  // namespace railgauge::observe
