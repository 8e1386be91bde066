// For tests: the events of a few pasted lines.
#pragma once

#include <string>

#include "observe/kernel_log/kernel_log.h"

namespace railgauge::observe {

inline model::Machine read_log(const std::string& text) {
  auto machine = read_kernel_log_text({"dmesg.txt", text});
  return machine ? std::move(*machine) : model::Machine{};
}

inline model::PciAddress at(const char* address) { return *model::PciAddress::parse(address); }

}  // namespace railgauge::observe
