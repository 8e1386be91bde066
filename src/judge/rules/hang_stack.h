// What a process is doing, by its main thread's stack. Used by the rules hang*.cpp.
//   Standing at = standing_of(stacks);     // Busy::data_loader, "dataloader.py:1284 _try_get_data"
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "model/hang.h"

namespace railgauge::judge::hang {

enum class Busy : std::uint8_t {
  communication,  // inside a collective
  gpu,            // waits for the GPU, which may be inside a collective
  data_loader,
  storage,  // a checkpoint, a file
  gpu_memory,
  compile,
  lock,
  own_code,
  helper,  // no rank: a DataLoader's worker, torchrun's agent, a compile worker
};

struct Standing {
  Busy busy = Busy::own_code;
  std::string frame;       // the one that says so
  std::string user_frame;  // the innermost of the user's own code
};

Standing standing_of(const std::vector<model::Stack>& stacks);

// "waits for its DataLoader", "allocates or frees GPU memory"
std::string_view words(Busy busy);

// What to do about it, one sentence.
std::string_view remedy(Busy busy);

}  // namespace railgauge::judge::hang
