// What is not common in a path: "/home/alice/projects/x.xml" names a user, a project and a file.
#pragma once

#include "observe/privacy/fields.h"

namespace railgauge::observe::privacy {

// The paths in text[start..end), each beginning with '/', '~', "./" or "../". Paths of the kernel
// (/proc, /sys) say nothing of people.
void path_fields(std::string_view text, std::size_t start, std::size_t end, Fields& fields);

}  // namespace railgauge::observe::privacy
