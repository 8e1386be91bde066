// The one rule for paths inside recordings, wherever they come from.
//   entry_path("./sys//class/net")     // "sys/class/net"
//   entry_path("../x")                 // Error: has ".." in it
// Nothing is ever extracted to disk, but a path that could not be extracted safely is refused all
// the same: recordings are handed on, and unpacked by other programs.
#pragma once

#include <string>
#include <string_view>

#include "base/result.h"

namespace railgauge::observe {

inline constexpr std::size_t longest_path_bytes = 4096;  // PATH_MAX of Linux
inline constexpr std::size_t deepest_path = 64;          // the deepest of /sys is below 30

// Without "./", "//" and a closing "/". The empty result is the top directory itself. The error
// says what is wrong with the path, without naming it.
Result<std::string> entry_path(std::string_view raw);

// Whether `name` can stand as one part of such a path as it is, whatever else a path may hold: a
// short way round entry_path() for the next file of a directory whose path is known to be good.
bool is_plain_name(std::string_view name);

// A link is only text to us, but it must fit into an archive: not empty, no NUL, not too long.
Result<void> check_link_target(std::string_view target);

}  // namespace railgauge::observe
