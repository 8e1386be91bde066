// The parts of find_fields. The ..._at functions are asked at a segment start..end of the text and
// look around it within one line, a bounded way; the others read a whole text of a known kind.
#pragma once

#include "observe/privacy/fields.h"

namespace railgauge::observe::privacy {

constexpr std::size_t longest_field = 255;

// "Serial Number : X", "serial": "X", serial="X", and what NVML and hwloc call it.
void serial_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields);
// Whether a value is a serial number, not "N/A", "0", "To be filled by O.E.M." or a GUID.
bool is_serial(std::string_view value);

// The name of a process in lines of the kernel's log and in nvidia-smi -q.
void process_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields);

// /home/NAME, /Users/NAME, ~NAME, user=NAME, uid=N(NAME).
void user_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields);
bool is_user(std::string_view name);
// Where a user's or a machine's name ends: segments, and single separators between them.
std::size_t name_end(std::string_view text, std::size_t start);

// "alice@node08": the segment before the '@'.
void login_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields);

// Interfaces that somebody named, in lines of the kernel's log.
void netdev_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields);

// The host in front of a line of NCCL or syslog, HostName of hwloc.
void host_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields);
bool is_host(std::string_view name);
// In a place that holds this machine's own name: whatever stands there, but for a name nobody gave.
bool is_own_host(std::string_view name);

// NAME=VALUE lines: hosts, users, and what is not common in paths.
void environment_fields(std::string_view text, Fields& fields);
// The paths in "argv" of commands/NAME.json.
void argv_fields(std::string_view text, Fields& fields);

}  // namespace railgauge::observe::privacy
