#include "observe/sysfs/copy.h"

namespace railgauge::observe {

void keep(Result<std::string> bytes, const std::string& path, Recording& recording) {
  if (bytes)
    recording.add_file(path, std::move(*bytes));
  else if (bytes.error().kind != ErrorKind::not_found)
    recording.add_refused(path, bytes.error().text());
}

void copy_file(const Directory& from, const std::string& name, const std::string& to_directory,
               Recording& recording) {
  keep(from.read(name), to_directory + "/" + name, recording);
}

void copy_link(const Directory& from, const std::string& name, const std::string& to_directory,
               Recording& recording) {
  auto target = from.link(name);
  const std::string path = to_directory + "/" + name;
  if (target)
    recording.add_link(path, std::move(*target));
  else if (target.error().kind != ErrorKind::not_found)
    recording.add_refused(path, target.error().text());
}

void reread(const std::filesystem::path& prefix, const Recording& first,
            bool (*counted)(std::string_view path), Recording& sample) {
  for (const auto& [path, entry] : first.entries) {
    if (entry.kind != Entry::Kind::file || !counted(path)) continue;
    const std::filesystem::path place(path);
    const auto directory = Directory::open(prefix / place.parent_path());
    if (directory)
      copy_file(*directory, place.filename().string(), place.parent_path().string(), sample);
  }
}

}  // namespace railgauge::observe
