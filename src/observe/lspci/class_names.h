// lspci's words for classes and vendors, for outputs without -nn.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace railgauge::observe {

// Base class and sub-class: "3D controller" is 0x0302, "Class 0b40" is 0x0b40.
std::optional<std::uint16_t> class_of_name(std::string_view name);

// Only vendors that decide what a device is to us: "NVIDIA Corporation GH100 …" is 0x10de.
std::optional<std::uint16_t> vendor_of_name(std::string_view device_name);

}  // namespace railgauge::observe
