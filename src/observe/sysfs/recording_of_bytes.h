// For fuzz targets: a recording made of arbitrary bytes. Entries are separated by the byte 0x1e;
// each is a letter (f file, l link, r refused), a path up to the end of the line, and the contents.
#pragma once

#include <string>
#include <string_view>

#include "base/strings.h"
#include "observe/recording.h"

namespace railgauge::observe {

inline Recording recording_of_bytes(std::string_view bytes) {
  Recording recording;
  for (const auto part : split(bytes, '\x1e')) {
    const auto end = part.find('\n');
    if (part.size() < 2 || end == std::string_view::npos) continue;
    std::string path(part.substr(1, end - 1));
    std::string contents(part.substr(end + 1));
    if (part[0] == 'l')
      recording.add_link(std::move(path), std::move(contents));
    else if (part[0] == 'r')
      recording.add_refused(std::move(path), std::move(contents));
    else
      recording.add_file(std::move(path), std::move(contents));
  }
  return recording;
}

}  // namespace railgauge::observe
