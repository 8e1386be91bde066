// The two forms of RAS answers. Used by nccl_ras.cpp only.
#pragma once

#include <string>
#include <string_view>

#include "model/machine.h"

namespace railgauge::observe {

inline constexpr std::string_view ras_dump_kind = "NCCL RAS";
// What HangRank::statements says of a process.
inline constexpr std::string_view ras_dead =
    "DEAD: considered dead, unreachable via the RAS network";
inline constexpr std::string_view ras_missing = "INCOMPLETE: the process did not answer";

bool looks_like_ras_text(std::string_view bytes);
void read_ras_text(std::string_view bytes, model::SourceRef source, model::Machine& machine);

bool looks_like_ras_json(std::string_view bytes);
void read_ras_json(std::string_view bytes, const std::string& name, model::SourceRef source,
                   model::Machine& machine);

// The rank of a process on a host in a dump, made when it is new.
model::HangRank& ras_process(model::HangDump& dump, std::optional<int> process_id,
                             std::string_view host);
void add_statement(model::HangRank& rank, std::string_view statement);

}  // namespace railgauge::observe
