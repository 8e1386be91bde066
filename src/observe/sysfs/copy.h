// Copies single attributes of an open directory into a recording: the file's bytes, the link's
// text, or why it could not be read. What is absent leaves no entry.
//   copy_file(function, "vendor", "sys/devices/pci0000:00/0000:00:01.0", recording);
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include "observe/recording.h"
#include "observe/sysfs/directory.h"

namespace railgauge::observe {

void copy_file(const Directory& from, const std::string& name, const std::string& to_directory,
               Recording& recording);
void copy_link(const Directory& from, const std::string& name, const std::string& to_directory,
               Recording& recording);

// Reads again every file of `first` whose path is `counted`: what a second sample is made of.
void reread(const std::filesystem::path& prefix, const Recording& first,
            bool (*counted)(std::string_view path), Recording& sample);

// What was read, or refused, under a path of its own.
void keep(Result<std::string> bytes, const std::string& path, Recording& recording);

}  // namespace railgauge::observe
