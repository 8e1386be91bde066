#include "observe/system/capture.h"

#include <algorithm>
#include <filesystem>

#include "base/strings.h"
#include "observe/sysfs/copy.h"

namespace railgauge::observe {

void copy_path(const Root& root, const std::string& path, Recording& recording) {
  const std::filesystem::path place(path);
  if (const auto directory = Directory::open(root.prefix / place.parent_path()))
    copy_file(*directory, place.filename().string(), place.parent_path().string(), recording);
}

void copy_lines(const Root& root, const std::string& path, std::span<const std::string_view> starts,
                Recording& recording) {
  const std::filesystem::path place(path);
  const auto directory = Directory::open(root.prefix / place.parent_path());
  if (!directory) return;
  auto text = directory->read(place.filename().string());
  if (!text) return keep(std::move(text), path, recording);
  std::string kept;
  for (LineCursor lines(*text); lines.next();)
    if (std::any_of(starts.begin(), starts.end(),
                    [&](std::string_view start) { return lines.line().starts_with(start); }))
      kept += std::string(lines.line()) + "\n";
  recording.add_file(path, std::move(kept));
}

}  // namespace railgauge::observe
