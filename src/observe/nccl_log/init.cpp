// Who takes part:
//   ncclCommInitRank comm 0x5 rank 1 nranks 4 cudaDev 1 nvmlDev 2 busId 41000 commId 0x1 - Init
//   START comm 0x5 rank 0 nranks 8 cudaDev 0 busId 1b000 - Init COMPLETE comm 0x5 rank 0 nranks 8
//   cudaDev 0 nvmlDev 0 - Init COMPLETE                       (2.4) Setting affinity for GPU 2 to
//   ffffff,ffffffff
#include <array>
#include <utility>

#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 3> words{" cudaDev ", "Setting affinity for GPU ",
                                                "MNNVL busId "};

std::optional<int> number_after(std::string_view text, std::string_view key) {
  const auto rest = after(text, key);
  return rest ? leading_int(*rest) : std::nullopt;
}

// NCCL packs "0000:1b:00.0" into the number 0x00001b000: the digits without what stands between.
std::optional<model::PciAddress> bus_id(std::string_view text) {
  const auto value = leading_hex(text);
  if (!value || (*value & 0xf) > 7 || (*value >> 4 & 0xff) > 31 || *value >> 52 != 0)
    return std::nullopt;
  return model::PciAddress{
      static_cast<std::uint32_t>(*value >> 20), static_cast<std::uint8_t>(*value >> 12 & 0xff),
      static_cast<std::uint8_t>(*value >> 4 & 0xff), static_cast<std::uint8_t>(*value & 0xf)};
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
    if (!out.address) run.not_understood(line);
  }
  if (contains(line.text, "Init COMPLETE")) out.complete = true;
  return true;
}

bool take_affinity(const NcclLine& line, RunBuilder& run) {
  const auto said = after(line.text, "Setting affinity for GPU ");
  if (!said) return false;
  const auto device = leading_int(*said);
  const auto mask = after(*said, " to ");
  if (!device || !mask) {
    run.not_understood(line);
    return false;
  }
  model::NcclRank& rank = run.rank(line, *device);
  const std::string text = event_text(until(*mask, " "));
  if (rank.affinity.empty()) rank.affinity = text;
  if (rank.affinity != text) run.two_masks(line, rank.affinity, text);
  return true;
}

bool take_fabric(const NcclLine& line, RunBuilder& run) {
  const auto said = after(line.text, "MNNVL busId ");
  if (!said || !line.device) return false;
  const auto address = bus_id(*said);
  if (!address) {
    run.not_understood(line);
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
  return take_init(line, run) || take_affinity(line, run) || take_fabric(line, run);
}

}  // namespace

Statement init_statement() { return {words, take}; }

}  // namespace railgauge::observe
