// Places in a text that are known to hold a name: "Serial Number : 1653922030345", /home/NAME,
// "name=my_train" of a kernel log, MASTER_ADDR of environment.txt.
//   for (const Field& field : find_fields("commands/dmesg.txt", text)) …
// In order, none over another. One pass over the segments of the text, with a bounded look around
// the few that announce something.
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "observe/privacy/pseudonyms.h"

namespace railgauge::observe::privacy {

struct Field {
  std::size_t offset = 0;
  std::size_t length = 0;
  NameKind kind = NameKind::host;
  friend bool operator==(const Field&, const Field&) = default;
};

using Fields = std::vector<Field>;

// `path` is the entry's path in the recording; empty for a link's target or a refusal.
Fields find_fields(std::string_view path, std::string_view text);

}  // namespace railgauge::observe::privacy
