#include "model/nccl_cost/collective.h"

#include <utility>

namespace railgauge::model::nccl_cost {
namespace {

constexpr std::pair<std::string_view, Collective> names[] = {
    {"all_reduce", Collective::all_reduce},
    {"all_gather", Collective::all_gather},
    {"reduce_scatter", Collective::reduce_scatter},
    {"broadcast", Collective::broadcast},
    {"reduce", Collective::reduce},
    {"alltoall", Collective::all_to_all},
    {"sendrecv", Collective::send_receive},
};

}  // namespace

std::optional<Collective> parse_collective(std::string_view name) {
  for (const auto& [word, collective] : names)
    if (word == name) return collective;
  return std::nullopt;
}

std::string_view text(Collective collective) {
  for (const auto& [word, value] : names)
    if (value == collective) return word;
  return "unknown";
}

double bus_factor(Collective collective, int ranks) {
  if (ranks < 2) return 0;
  const double others = static_cast<double>(ranks - 1) / ranks;
  switch (collective) {
    case Collective::all_reduce: return 2 * others;
    case Collective::all_gather:
    case Collective::reduce_scatter:
    case Collective::all_to_all: return others;
    case Collective::broadcast:
    case Collective::reduce:
    case Collective::send_receive: return 1;
  }
  return 1;
}

}  // namespace railgauge::model::nccl_cost
