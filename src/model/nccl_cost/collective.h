// The operations that nccl-tests measures, and how it counts their bytes.
//   if (const auto op = parse_collective("all_reduce")) busbw = algbw * bus_factor(*op, ranks);
// Source of the factors: nccl-tests, doc/PERFORMANCE.md.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

namespace railgauge::model::nccl_cost {

enum class Collective : std::uint8_t {
  all_reduce,
  all_gather,
  reduce_scatter,
  broadcast,
  reduce,
  all_to_all,
  send_receive,
};

// As nccl-tests names its programs and the tables below: "all_reduce", "alltoall", "sendrecv".
std::optional<Collective> parse_collective(std::string_view name);
std::string_view text(Collective collective);

// busbw over algbw. 0 where a single rank moves nothing.
double bus_factor(Collective collective, int ranks);

}  // namespace railgauge::model::nccl_cost
