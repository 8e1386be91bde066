// Who takes part:
//   ncclCommInitRank comm 0x5 rank 1 nranks 4 cudaDev 1 nvmlDev 2 busId 41000 commId 0x1 - Init
//   Init timings - ncclCommInitRank: rank 0 nranks 8 total 1.23 (kernels 0.18, alloc 0.35, …)
//   START comm 0x5 rank 0 nranks 8 cudaDev 0 busId 1b000 - Init COMPLETE comm 0x5 rank 0 nranks 8
//   cudaDev 0 nvmlDev 0 - Init COMPLETE                       (2.4) Setting affinity for GPU 2 to
//   ffffff,ffffffff
#include <algorithm>
#include <array>
#include <utility>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/nccl_log/bus_id.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 4> words{" cudaDev ", "Setting affinity for GPU ",
                                                "MNNVL busId ", "Init timings"};

std::optional<int> number_after(std::string_view text, std::string_view key) {
  const auto rest = after(text, key);
  return rest ? leading_int(*rest) : std::nullopt;
}

// "… total 1.23 (kernels 0.18, alloc 0.35, …)", in seconds
void take_time(std::string_view text, model::NcclRank& rank) {
  const auto total = after(text, " total ");
  if (!total) return;
  const auto seconds = parse_double(until(*total, " ("));
  // The first start is the job's; later communicators are made of what it left.
  if (!seconds || *seconds < 0 || rank.init_seconds) return;
  rank.init_seconds = *seconds;
  const auto phases = after(*total, "(");
  if (phases) rank.init_phases = event_text(until(*phases, ")"));
}

bool take_timings(const NcclLine& line, RunBuilder& run) {
  if (!line.text.starts_with("Init timings")) return false;
  const auto rank = number_after(line.text, " rank ");
  if (!rank || !line.device) return rank.has_value();
  take_time(line.text, run.rank(line, *line.device));
  return true;
}

bool take_init(const NcclLine& line, RunBuilder& run) {
  const auto device = number_after(line.text, " cudaDev ");
  const auto rank = number_after(line.text, " rank ");
  auto ranks = number_after(line.text, " nranks ");
  if (!ranks) ranks = number_after(line.text, " nRanks ");
  if (!device || !rank) return false;
  model::NcclRank& out = run.rank(line, *device);
  // A process has many communicators; the largest is the job.
  if (!out.rank || ranks.value_or(0) > out.ranks.value_or(0)) {
    out.rank = rank;
    out.ranks = ranks;
  }
  if (const auto nvml = number_after(line.text, " nvmlDev ")) out.nvml_device = nvml;
  if (const auto bus = after(line.text, " busId ")) {
    out.address = bus_id(*bus);
    if (!out.address) run.cut(line);
  }
  out.started = true;
  if (contains(line.text, "Init COMPLETE")) {
    out.complete = true;
    take_time(line.text, out);  // of versions that say it here
  }
  return true;
}

bool take_affinity(const NcclLine& line, RunBuilder& run) {
  const auto said = after(line.text, "Setting affinity for GPU ");
  if (!said) return false;
  const auto device = leading_int(*said);
  const auto mask = after(*said, " to ");
  if (!device || !mask) {
    run.cut(line);
    return false;
  }
  model::NcclRank& rank = run.rank(line, *device);
  const std::string text = event_text(until(*mask, " "));
  if (rank.affinity.empty()) rank.affinity = text;
  if (rank.affinity == text) return true;
  constexpr std::size_t masks_max = 8;
  auto& others = rank.other_affinities;
  if (others.size() < masks_max && std::find(others.begin(), others.end(), text) == others.end()) {
    others.push_back(text);
    run.two_masks(line, rank.affinity, text);
  }
  return true;
}

bool take_fabric(const NcclLine& line, RunBuilder& run) {
  const auto said = after(line.text, "MNNVL busId ");
  if (!said || !line.device) return false;
  const auto address = bus_id(*said);
  if (!address) {
    run.cut(line);
    return false;
  }
  run.rank(line, *line.device).address = *address;
  const std::pair<std::string_view, const char*> facts[] = {
      {"cliqueId ", "nccl.mnnvl_clique"},
      {"state ", "nccl.mnnvl_state"},
      {"healthMask ", "nccl.mnnvl_health_mask"}};
  for (const auto& [key, name] : facts)
    if (const auto value = after(*said, key))
      run.gpu_attribute(*address, {name, event_text(until(*value, " ")), run.here(line)});
  return true;
}

bool take(const NcclLine& line, RunBuilder& run) {
  return take_timings(line, run) || take_init(line, run) || take_affinity(line, run) ||
         take_fabric(line, run);
}

}  // namespace

Statement init_statement() { return {words, take}; }

}  // namespace railgauge::observe
