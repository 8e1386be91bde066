// One word for one collective, whoever writes it: "nccl:_all_gather_base", "_ALLGATHER_BASE" and
// "AllGather" are all "all_gather". What is not known keeps its own word in small letters.
#pragma once

#include <string>
#include <string_view>

namespace railgauge::observe {

std::string operation_name(std::string_view word);

}  // namespace railgauge::observe
