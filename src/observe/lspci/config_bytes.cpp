#include "observe/lspci/config_bytes.h"

namespace railgauge::observe {
namespace {

// A capability takes at least 4 bytes, so longer lists can only be loops.
constexpr int capabilities_max = (256 - 64) / 4;
constexpr int extended_capabilities_max = (4096 - 256) / 4;

}  // namespace

std::optional<std::uint8_t> ConfigBytes::u8(std::size_t at) const {
  if (at >= bytes_.size()) return std::nullopt;
  return bytes_[at];
}

std::optional<std::uint16_t> ConfigBytes::u16(std::size_t at) const {
  if (bytes_.size() < 2 || at > bytes_.size() - 2) return std::nullopt;
  return static_cast<std::uint16_t>(bytes_[at] | bytes_[at + 1] << 8);
}

std::optional<std::uint32_t> ConfigBytes::u32(std::size_t at) const {
  const auto low = u16(at);
  const auto high = u16(at + 2);
  if (!low || !high) return std::nullopt;
  return static_cast<std::uint32_t>(*low) | static_cast<std::uint32_t>(*high) << 16;
}

std::optional<std::size_t> ConfigBytes::capability(std::uint8_t id) const {
  const auto status = u16(0x06);
  if (!status || !(*status & 0x10)) return std::nullopt;
  auto next = u8(0x34);
  for (int i = 0; i < capabilities_max && next; ++i) {
    const std::size_t at = *next & 0xfcu;
    if (at < 0x40) return std::nullopt;
    const auto found = u8(at);
    if (!found || *found == 0xff) return std::nullopt;
    if (*found == id) return at;
    next = u8(at + 1);
  }
  return std::nullopt;
}

std::optional<std::size_t> ConfigBytes::extended_capability(std::uint16_t id) const {
  std::size_t at = 0x100;
  for (int i = 0; i < extended_capabilities_max; ++i) {
    const auto header = u32(at);
    if (!header || *header == 0 || *header == 0xffffffff) return std::nullopt;
    if ((*header & 0xffff) == id) return at;
    at = *header >> 20 & 0xffc;
    if (at < 0x100) return std::nullopt;
  }
  return std::nullopt;
}

}  // namespace railgauge::observe
