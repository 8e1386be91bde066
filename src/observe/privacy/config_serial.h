// The device serial number in a PCI function's configuration space, which adapters derive from
// their MAC address.
#pragma once

#include <string>

namespace railgauge::observe::privacy {

// The space with the eight bytes of its Device Serial Number capability zeroed, if it has one.
std::string without_device_serial(std::string config);

}  // namespace railgauge::observe::privacy
