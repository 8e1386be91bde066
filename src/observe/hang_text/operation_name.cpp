#include "observe/hang_text/operation_name.h"

#include <array>
#include <utility>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

// Without underscores, in small letters: PyTorch's profiling names, its OpTypes, NCCL's names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 30> names{{
    {"allreduce", "all_reduce"},
    {"allreducecoalesced", "all_reduce"},
    {"allreducesparse", "all_reduce"},
    {"allgather", "all_gather"},
    {"allgatherbase", "all_gather"},
    {"allgathersingle", "all_gather"},
    {"allgathercoalesced", "all_gather"},
    {"allgatherintotensorcoalesced", "all_gather"},
    {"allgatherv", "all_gather_v"},
    {"reducescatter", "reduce_scatter"},
    {"reducescatterbase", "reduce_scatter"},
    {"reducescattersingle", "reduce_scatter"},
    {"reducescattercoalesced", "reduce_scatter"},
    {"reducescattertensorcoalesced", "reduce_scatter"},
    {"reducescatterv", "reduce_scatter_v"},
    {"broadcast", "broadcast"},
    {"broadcastoop", "broadcast"},
    {"reduce", "reduce"},
    {"reduceoop", "reduce"},
    {"gather", "gather"},
    {"scatter", "scatter"},
    {"alltoall", "all_to_all"},
    {"alltoallbase", "all_to_all"},
    {"alltoallsingle", "all_to_all"},
    {"alltoallvsingle", "all_to_all"},
    {"barrier", "barrier"},
    {"allreducebarrier", "barrier"},
    {"send", "send"},
    {"recv", "recv"},
    {"recvanysource", "recv"},
}};

}  // namespace

std::string operation_name(std::string_view word) {
  for (const std::string_view library : {"nccl:", "xccl:", "rccl:"})
    if (word.starts_with(library)) word.remove_prefix(library.size());
  word = word.substr(0, 60);
  std::string plain;
  for (const char c : lower(word))
    if (c != '_') plain += c;
  for (const auto& [from, to] : names)
    if (plain == from) return std::string(to);
  return valid_utf8(strip_terminal_codes(lower(word)));
}

}  // namespace railgauge::observe
