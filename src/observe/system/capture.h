// Copies single files by their path below the root.
//   copy_path(root, "proc/sys/kernel/numa_balancing", recording);
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

void copy_path(const Root& root, const std::string& path, Recording& recording);

// Of the file only the lines that start with one of `starts`.
void copy_lines(const Root& root, const std::string& path, std::span<const std::string_view> starts,
                Recording& recording);

}  // namespace railgauge::observe
