// Names that name nobody: words of the formats in a recording, directories every system has,
// programs everybody runs.
#pragma once

#include <string_view>

namespace railgauge::observe::privacy {

// Whether a name could also be a word of some text ("gpu", "node1", "state"). Such a host or user
// is replaced only in places known to hold one. So are names of one or two bytes and numbers.
bool reads_as_word(std::string_view name);

// Whether an identifier such as "rx_ecn_mark" is an attribute's name, of which "mark" is a later
// part and all others are words of our formats: then no user is meant.
bool part_of_format_word(std::string_view identifier, std::string_view part);

// A component of a path that is the same on many systems: "usr", "cuda-12.4", "libnccl.so.2".
bool is_common_path_component(std::string_view component);

// ".xml" of "topo.xml", and only endings that are known; else empty.
std::string_view known_extension(std::string_view component);

// A process that says nothing of who runs it: "python3", "pt_main_thread", "kworker/3:1".
bool is_common_process(std::string_view name);

}  // namespace railgauge::observe::privacy
