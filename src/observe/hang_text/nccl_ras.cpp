#include "observe/hang_text/nccl_ras.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/hang_text/ras_parts.h"

namespace railgauge::observe {

using namespace model;

HangRank& ras_process(HangDump& dump, std::optional<int> process_id, std::string_view host) {
  const auto same = std::find_if(dump.ranks.begin(), dump.ranks.end(), [&](const HangRank& rank) {
    return rank.process_id == process_id && rank.host == host && process_id.has_value();
  });
  if (same != dump.ranks.end()) return *same;
  HangRank& rank = dump.ranks.emplace_back();
  rank.process_id = process_id;
  rank.host = valid_utf8(host.substr(0, 120));
  return rank;
}

void add_statement(HangRank& rank, std::string_view statement) {
  if (std::find(rank.statements.begin(), rank.statements.end(), statement) == rank.statements.end())
    rank.statements.emplace_back(statement);
}

bool looks_like_nccl_ras(std::string_view bytes) {
  return looks_like_ras_text(bytes) || looks_like_ras_json(bytes);
}

Result<Machine> read_nccl_ras(const Input& input) {
  Machine machine;
  const SourceRef here = machine.sources.add(input.name, Trust::tool);
  if (looks_like_ras_text(input.bytes)) read_ras_text(input.bytes, here, machine);
  if (looks_like_ras_json(input.bytes)) read_ras_json(input.bytes, input.name, here, machine);
  if (machine.hangs.empty())
    return fail(ErrorKind::input,
                input.name +
                    ": nothing of NCCL's RAS: expected \"Communicators...\" and a table, or "
                    "JSON with \"communicators\"");
  return machine;
}

}  // namespace railgauge::observe
