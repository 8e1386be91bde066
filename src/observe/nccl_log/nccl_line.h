// One message of NCCL's log, taken apart:
//   [2026-03-02 10:11:12] node01:77:131 [0] misc/shmutils.cc:88 NCCL WARN Error: …
//   [1,0]<stdout>:node01:97095:97196 [3] NCCL INFO Channel 00/0 : 0[0] -> 1[1] via P2P/IPC
//   NCCL version 2.12.9+cuda11.6
// Times and the prefixes of launchers (mpirun, srun, torchrun) before it are passed over. Ranks
// that write at once leave several messages in one line.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace railgauge::observe {

struct NcclLine {
  bool warning = false;
  bool bare_version = false;  // "NCCL version …" without a prefix
  std::string_view host;      // empty when the line names none
  std::optional<int> process_id;
  std::optional<int> device;  // "[3]"
  std::string_view file;      // "misc/shmutils.cc", of warnings
  std::optional<int> file_line;
  std::string_view text;
  std::uint32_t number = 0;
};

// The messages of one line, in order; more than these are left out.
struct NcclMessages {
  std::array<NcclLine, 8> all;
  std::size_t count = 0;
  std::span<const NcclLine> lines() const { return {all.data(), count}; }
};

// None for a line that is not NCCL's. `known_host`, if any, tells a host's name from the words that
// another rank glued before it.
NcclMessages split_nccl_line(std::string_view raw, std::string_view known_host = {});

// The same into `out`, for millions of lines; no mark is looked for before `from`.
void split_nccl_line(std::string_view raw, std::string_view known_host, std::size_t from,
                     NcclMessages& out);

}  // namespace railgauge::observe
