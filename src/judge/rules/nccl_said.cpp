#include "judge/rules/nccl_said.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::judge {

using namespace model;

namespace {

constexpr std::size_t shown_lines = 4;

bool holds(std::string_view text, std::string_view word) {
  const auto same = [](char a, char b) {
    const auto small = [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    };
    return small(a) == small(b);
  };
  return std::search(text.begin(), text.end(), word.begin(), word.end(), same) != text.end();
}

}  // namespace

Lines lines_with(const NcclRun& run, std::initializer_list<std::string_view> words) {
  Lines out;
  for (const NcclWarning& line : run.warnings)
    if (std::any_of(words.begin(), words.end(),
                    [&](std::string_view word) { return holds(line.text, word); }))
      out.push_back(&line);
  return out;
}

std::string speaker(const NcclRun& run, const NcclWarning& line) {
  if (line.host.empty()) return log_of(run);
  for (const NcclRank& rank : run.ranks)
    if (rank.rank && rank.host == line.host && rank.device == line.device)
      return fmt::format("rank {} ({})", *rank.rank, line.host);
  return line.device ? fmt::format("device {} ({})", *line.device, line.host) : line.host;
}

std::string speakers(const NcclRun& run, const Lines& lines) {
  std::uint64_t count = 0;
  for (const NcclWarning* line : lines) count += line->count;
  std::string out = speaker(run, *lines.front());
  if (count > 1) out += fmt::format(" and {} more {}", count - 1, count == 2 ? "line" : "lines");
  return out;
}

std::vector<Evidence> evidence_of(const Machine& machine, const Lines& lines) {
  std::vector<Evidence> out;
  for (const NcclWarning* line : lines) {
    if (out.size() == shown_lines) break;
    out.push_back(evidence(
        machine, line->count > 1 ? fmt::format("NCCL, {} times", line->count) : std::string("NCCL"),
        line->text, {}, line->source));
  }
  return out;
}

std::string log_of(const NcclRun& run) {
  const auto slash = run.name.rfind('/');
  return slash == std::string::npos || slash + 1 == run.name.size() ? run.name
                                                                    : run.name.substr(slash + 1);
}

Finding& fail_lines(const Patient& patient, Verdicts& out, const NcclRun& run, const Lines& lines,
                    std::string text) {
  Finding& finding = out.fail(log_of(run), std::move(text));
  finding.evidence = evidence_of(patient.machine, lines);
  return finding;
}

bool variable_is(const Machine& machine, std::string_view name,
                 std::initializer_list<std::string_view> values) {
  const Variable* found = variable(machine, name);
  return found != nullptr && std::any_of(values.begin(), values.end(), [&](std::string_view value) {
           return equal_nocase(trim(found->value), value);
         });
}

Evidence evidence_of(const Machine& machine, const Variable& variable) {
  return evidence(machine, "variable", variable.name + "=" + variable.value, {}, variable.source);
}

bool is_socket(std::string_view network) {
  return network == "Socket" || network == "FastSocket" || network == "GPUDirectTCPX";
}

bool uses_sockets(const NcclRun& run) { return run.network && is_socket(*run.network); }

std::optional<bool> on_one_host(const NcclRun& run) {
  const std::string* first = nullptr;
  int ranks_max = 0;
  int seen = 0;
  for (const NcclRank& rank : run.ranks) {
    ranks_max = std::max(ranks_max, rank.ranks.value_or(0));
    if (rank.host.empty()) continue;
    if (rank.rank) ++seen;
    if (first == nullptr) first = &rank.host;
    if (rank.host != *first) return false;
  }
  // A log of one node of several names one host, too, and fewer ranks than there are.
  if (first == nullptr || ranks_max == 0 || seen < ranks_max) return std::nullopt;
  return true;
}

const NcclRank* rank_of(const NcclRun& run, int rank) {
  const auto found = std::find_if(run.ranks.begin(), run.ranks.end(),
                                  [&](const NcclRank& one) { return one.rank == rank; });
  return found == run.ranks.end() ? nullptr : &*found;
}

namespace {

// The devices are those of one host.
bool is_elsewhere(const Machine& machine, const NcclRank& rank) {
  return machine.host.hostname && !rank.host.empty() && *machine.host.hostname != rank.host;
}

}  // namespace

std::optional<DeviceId> gpu_of(const Machine& machine, const NcclRank& rank) {
  if (is_elsewhere(machine, rank)) return std::nullopt;
  if (rank.address) return machine.at(*rank.address);
  const auto index = rank.nvml_device ? rank.nvml_device : rank.device;
  return index ? machine.indexed(DeviceKind::gpu, *index) : std::nullopt;
}

std::optional<DeviceId> gpu_of(const Machine& machine, const NcclRun& run, int rank) {
  const NcclRank* one = rank_of(run, rank);
  if (one != nullptr &&
      (is_elsewhere(machine, *one) || one->address || one->nvml_device || one->device))
    return gpu_of(machine, *one);
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    if (machine[id].gpu->rank && *machine[id].gpu->rank == rank) return id;
  return std::nullopt;
}

bool is_geforce(const Machine& machine) {
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  return std::any_of(gpus.begin(), gpus.end(), [&](DeviceId id) {
    return machine[id].name && contains(*machine[id].name, "GeForce");
  });
}

std::optional<NcclVersion> version_of(const NcclRun& run) {
  return run.version ? NcclVersion::parse(*run.version) : std::nullopt;
}

std::string some_of(const std::vector<std::string>& names, std::size_t shown) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < shown; ++i) out += (i > 0 ? ", " : "") + names[i];
  if (names.size() > shown) out += fmt::format(" and {} more", names.size() - shown);
  return out;
}

}  // namespace railgauge::judge
