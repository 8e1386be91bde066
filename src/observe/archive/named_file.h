// What the user named on the command line, opened and read: bounded in memory and in time.
//   Result<std::string> bytes = read_named_file("topo.txt", bounds);
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/result.h"

namespace railgauge::observe {

// Takes a text that may be too long to hold, piece by piece. Asked once, with its start, when the
// text is longer than `StreamBounds::long_bytes`; what it wants is not bounded, and not returned.
class PieceTaker {
 public:
  virtual ~PieceTaker() = default;
  virtual bool wants(std::string_view start) = 0;
  virtual void take(std::string_view piece) = 0;
};

struct StreamBounds {
  std::uint64_t text_bytes = 64ull << 20;
  std::uint64_t long_bytes = 8ull << 20;
  PieceTaker* long_text = nullptr;  // optional; the caller keeps it alive
  std::uint64_t archive_bytes = 256ull
                                << 20;  // of an archive or a compressed text, as it is stored
  std::chrono::milliseconds pipe_silence{10'000};  // a FIFO that nobody writes to
};

// Regular files and FIFOs. Devices, sockets and directories are errors. A file that is too large is
// refused by its size, before it is read.
Result<std::string> read_named_file(const std::string& path, const StreamBounds& bounds);

// Standard input, or any open descriptor, which stays open; waits as long as the writer does.
Result<std::string> read_standard_input(int descriptor, const std::string& name,
                                        const StreamBounds& bounds);

}  // namespace railgauge::observe
