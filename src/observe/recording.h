// A machine in a file, held in memory: what was captured, path by path, and the manifest that says
// so. A live run makes one of these and reads it back, so live and offline analysis cannot differ.
// Layout and manifest: docs/design/0002-recording.md.
//   recording.add_file("sys/devices/pci0000:00/0000:00:01.0/class", "0x060400\n");
//   const Entry* entry = recording.find("sys/devices/…/class");
// Paths are relative, without "." or "..", separated by '/'.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/reading.h"
#include "model/source.h"
#include "observe/entries.h"

namespace railgauge::observe {

struct Manifest {
  int schema = 1;
  std::string tool_version;
  std::string made_at;  // RFC 3339, UTC; empty in loose inputs
  std::string hostname;
  bool as_root = false;
  bool identities_replaced = false;
  std::string identity_key;  // equal in recordings whose identities were replaced alike
  friend bool operator==(const Manifest&, const Manifest&) = default;
};

struct Recording {
  std::string name;  // what the user called it: file, directory or host
  Manifest manifest;
  Entries entries;

  void add_file(std::string path, std::string bytes);
  void add_link(std::string path, std::string target);
  void add_refused(std::string path, std::string why);

  const Entry* find(std::string_view path) const;

  // The trimmed contents of a small text file; failed(why) when it was refused, not_reported when
  // absent.
  Reading<std::string> text(std::string_view path) const;

  // The last component of a symbolic link's target: "mlx5_core" for driver ->
  // ../../bus/pci/drivers/mlx5_core.
  Reading<std::string> link_name(std::string_view path) const;

  // Names directly inside a directory (files and sub-directories), sorted, each once.
  std::vector<std::string> list(std::string_view directory) const;
  bool has_directory(std::string_view directory) const;
};

}  // namespace railgauge::observe
