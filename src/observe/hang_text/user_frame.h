// Of a stack, the innermost frame that is the user's own code: not PyTorch's, not Python's, not
// that of an installed package.
//   user_frame({{"all_reduce", "…/torch/distributed/distributed_c10d.py", 2696}, …}, …)
//   "train.py:214 step"
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace railgauge::observe {

struct CodeFrame {
  std::string_view function;
  std::string_view file;
  std::int64_t line = 0;  // 0: not known
};

// "train.py:214 step"
std::string frame_text(const CodeFrame& frame);

// Innermost first. The innermost of an installed package where none is the user's; the very
// innermost where all are PyTorch's; empty without frames.
std::string user_frame(std::span<const CodeFrame> frames);

}  // namespace railgauge::observe
