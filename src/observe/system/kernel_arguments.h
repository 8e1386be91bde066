// The kernel's command line, without what is nobody's business.
//   known_arguments("BOOT_IMAGE=/vmlinuz root=UUID=… iommu=pt site.key=… quiet")
//     // "BOOT_IMAGE=(hidden) root=(hidden) iommu=pt (hidden) quiet"
// This is done while the line is read, so the rest never enters a recording.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace railgauge::observe {

std::string known_arguments(std::string_view command_line);

// Those that are kept as they are written: {"iommu=pt", "quiet"}.
std::vector<std::string> plain_arguments(std::string_view command_line);

}  // namespace railgauge::observe
