#include "observe/nccl_log/bus_id.h"

#include "observe/kernel_log/scan.h"

namespace railgauge::observe {

std::optional<model::PciAddress> bus_id(std::string_view text) {
  const auto value = leading_hex(text);
  if (!value || (*value & 0xf) > 7 || (*value >> 4 & 0xff) > 31 || *value >> 52 != 0)
    return std::nullopt;
  return model::PciAddress{
      static_cast<std::uint32_t>(*value >> 20), static_cast<std::uint8_t>(*value >> 12 & 0xff),
      static_cast<std::uint8_t>(*value >> 4 & 0xff), static_cast<std::uint8_t>(*value & 0xf)};
}

}  // namespace railgauge::observe
