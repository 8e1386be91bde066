// nvbandwidth: copies between host and GPU, and between GPUs.
#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "base/strings.h"
#include "judge/rules/bandwidth_runs.h"
#include "judge/rules/pcie_link_path.h"

namespace railgauge::judge::bandwidth {
namespace {

using namespace model;

// Copy engines reach 80-90 % of PCIe and NVLink; C2C is bounded by the CPU's memory as well.
constexpr double of_pcie = 0.65;
constexpr double of_nvlink = 0.65;
constexpr double of_c2c = 0.4;
constexpr double of_others = 0.7;              // cells of one matrix against their median
constexpr std::size_t certainly_switched = 5;  // more GPUs than boards of four join directly

struct Expectation {
  double gbps = 0;  // one direction, as sold or as found
  double part = 0;  // that a copy should reach
  std::string what;
};

bool between_host_and_gpu(const BenchmarkRow& row) {
  return (row.from == "host") != (row.to == "host");
}

// Tests of one copy at a time in one direction: the others share links or count both ways.
bool single_copy(const BenchmarkRun& run) {
  return (run.name.starts_with("host_to_device_memcpy") ||
          run.name.starts_with("device_to_host_memcpy") ||
          run.name.starts_with("device_to_device_memcpy_read") ||
          run.name.starts_with("device_to_device_memcpy_write"));
}

std::optional<DeviceId> gpu_of(const Machine& machine, const BenchmarkRow& row) {
  const std::string& name = row.from == "host" ? row.to : row.from;
  if (!name.starts_with("GPU")) return std::nullopt;
  const auto index = parse_int(std::string_view(name).substr(3));
  if (!index || *index < 0 || *index > 1'000'000) return std::nullopt;
  return machine.indexed(DeviceKind::gpu, static_cast<int>(*index));
}

const GpuBoard* board_of(const Patient& patient, const BenchmarkRun& run) {
  Machine scratch;
  if (run.devices.size() != 1) return nullptr;  // of mixed ones a cell does not say which
  Device gpu;
  gpu.name.claim(run.devices.front(), scratch.sources.add("nvbandwidth", Trust::tool));
  return patient.catalogue.board(gpu);
}

std::size_t gpus_in(const BenchmarkRun& run) {
  std::vector<std::string> names;
  for (const BenchmarkRow& row : run.rows)
    if (std::find(names.begin(), names.end(), row.to) == names.end() && names.size() < 256)
      names.push_back(row.to);
  return names.size();
}

std::optional<Expectation> of_host_copy(const Patient& patient, const BenchmarkRow& row,
                                        const GpuBoard* board) {
  const Machine& machine = patient.machine;
  if (board != nullptr && board->c2c)
    return Expectation{board->c2c->value / 1e9, of_c2c, board->name + ", NVLink-C2C"};
  const auto gpu = gpu_of(machine, row);
  const bool guest = links_are_virtual(patient);
  if (gpu && !guest)
    for (const Link& link : machine.links)
      if (link.kind == LinkKind::pcie && link.a == *gpu && link.nominal)
        return Expectation{link.nominal->value / 1e9, of_pcie, "PCIe link of " + machine[*gpu].id};
  if (board == nullptr) return std::nullopt;
  const auto speed = PcieSpeed::of_generation(board->pcie_generation);
  const PcieRate* rate = speed ? patient.catalogue.pcie_rate(*speed) : nullptr;
  if (rate == nullptr) return std::nullopt;
  return Expectation{
      rate->per_lane.value * board->pcie_width / 1e9, of_pcie,
      fmt::format("{}, PCIe Gen{} x{}", board->name, board->pcie_generation, board->pcie_width)};
}

// NVLink between two GPUs by name alone: only where switches give every pair all links.
std::optional<Expectation> of_peer_copy(const Patient& patient, const BenchmarkRun& run,
                                        const GpuBoard* board) {
  if (board == nullptr || !board->nvlink_count || board->compute_capability < 80)
    return std::nullopt;
  if (contains(board->name, "PCIe") || contains(board->name, "NVL") ||
      gpus_in(run) < certainly_switched)
    return std::nullopt;
  const NvLinkRate* rate = patient.catalogue.nvlink_rate(board->nvlink_version.value_or(0));
  if (rate == nullptr) return std::nullopt;
  const double each = board->nvlink_per_link.value_or(rate->per_link).value / 1e9;
  return Expectation{each * *board->nvlink_count, of_nvlink,
                     fmt::format("{}, {} NVLinks", board->name, *board->nvlink_count)};
}

double median_gbps(const BenchmarkRun& run) {
  std::vector<double> rates;
  for (const BenchmarkRow& row : run.rows)
    if (row.busbw) rates.push_back(row.busbw->value / 1e9);
  if (rates.empty()) return 0;
  std::nth_element(rates.begin(), rates.begin() + static_cast<std::ptrdiff_t>(rates.size() / 2),
                   rates.end());
  return rates[rates.size() / 2];
}

struct Slow {
  const BenchmarkRow* row = nullptr;
  Expectation expected;
};

void report(const Patient& patient, const BenchmarkRun& run, std::vector<Slow> slow,
            Verdicts& out) {
  std::sort(slow.begin(), slow.end(),
            [](const Slow& a, const Slow& b) { return *a.row->busbw < *b.row->busbw; });
  const Slow& worst = slow.front();
  const double gbps = worst.row->busbw->value / 1e9;
  Finding& finding =
      out.fail(bandwidth::subject_of(patient, run),
               fmt::format("{} to {}: {} of {} ({:.0f} %){}", worst.row->from, worst.row->to,
                           text(*worst.row->busbw), text(gigabytes_per_second(worst.expected.gbps)),
                           100 * gbps / worst.expected.gbps,
                           slow.size() > 1 ? fmt::format(", and {} more", slow.size() - 1) : ""));
  for (std::size_t i = 0; i < slow.size() && i < 8; ++i)
    finding.evidence.push_back(evidence(
        patient.machine, slow[i].row->from + " to " + slow[i].row->to, text(*slow[i].row->busbw),
        fmt::format("at least {:.3g} GB/s: {}", slow[i].expected.gbps * slow[i].expected.part,
                    slow[i].expected.what),
        slow[i].row->source));
  finding.impact.text = "copies over this link";
  finding.impact.now = *worst.row->busbw;
  finding.impact.could = gigabytes_per_second(worst.expected.gbps);
  finding.impact.lost_fraction = std::clamp(1 - gbps / worst.expected.gbps, 0.0, 1.0);
  const bool host = between_host_and_gpu(*worst.row);
  finding.remedy = {
      {.text = host ? "look at the GPU's PCIe link under load, and run from a CPU near it"
                    : "look at the NVLinks of both GPUs",
       .command = host ? "nvidia-smi --query-gpu=index,pcie.link.gen.current,"
                         "pcie.link.width.current --format=csv; numactl -N NODE -m NODE nvbandwidth"
                       : "nvidia-smi nvlink -s; nvidia-smi nvlink -e"}};
}

void judge_matrix(const Patient& patient, const BenchmarkRun& run, Verdicts& out) {
  const GpuBoard* board = board_of(patient, run);
  const double median = median_gbps(run);
  const bool peers = run.name.starts_with("device_to_device");
  const auto of_peers = peers ? of_peer_copy(patient, run, board) : std::nullopt;
  // Meshes of direct links have pairs of one and of two links, so cells differ by design.
  const bool comparable = (!peers || (board != nullptr && board->compute_capability >= 80 &&
                                      !contains(board->name, "PCIe") &&
                                      !contains(board->name, "NVL") && board->nvlink_count)) &&
                          run.rows.size() > 2;
  std::vector<Slow> slow;
  bool judged = false;
  for (const BenchmarkRow& row : run.rows) {
    if (!row.busbw) continue;
    const auto expected = peers ? of_peers : of_host_copy(patient, row, board);
    const double gbps = row.busbw->value / 1e9;
    judged |= expected || comparable;
    if (expected && gbps < expected->gbps * expected->part)
      slow.push_back({&row, *expected});
    else if (comparable && gbps < median * of_others)
      slow.push_back({&row, {median, of_others, "the other copies of this test"}});
  }
  if (!slow.empty())
    report(patient, run, std::move(slow), out);
  else if (judged)
    out.pass();
  else
    out.unknown(bandwidth::subject_of(patient, run), "the GPUs it ran on",
                "the whole output of nvbandwidth, or railgauge record on that machine");
}

void below_expected(const Patient& patient, Verdicts& out) {
  for (const BenchmarkRun& run : patient.machine.benchmarks)
    if (run.tool == BenchmarkTool::nvbandwidth && single_copy(run)) judge_matrix(patient, run, out);
}

}  // namespace

std::vector<Rule> copy_rules() {
  Rule rule;
  rule.id = "NCC208";
  rule.name = "copy-below-expected";
  rule.severity = Severity::warning;
  rule.weight = 60;
  rule.needs = {Need::benchmark};
  rule.explains = {{"NCC201"}};
  rule.look = below_expected;
  rule.page = {
      .what =
          "nvbandwidth copied between host and GPU, or between GPUs, slower than the link "
          "carries, or one pair slower than the others.",
      .why =
          "A PCIe Gen5 x16 link gives 50 to 57 GB/s, Gen4 24 to 26; NVLink gives 260 to 280 GB/s "
          "on A100 and 390 to 420 on H100. A link with half of its lanes gives half.",
      .by_hand =
          "nvbandwidth -t host_to_device_memcpy_ce device_to_device_memcpy_read_ce\nCompare "
          "the cells with each other and with the figures above.",
      .remedy =
          "Look at the link of the slow GPU while it copies: generation and width, NVLink "
          "states and errors. Bind the program to the GPU's NUMA node.",
      .benign_if =
          "The GPU was busy, the host's memory is far away or slow, or GPUs are joined "
          "by fewer links on purpose: pairs on boards of four and meshes are not judged "
          "by their name. Judged below 65 % of the link and 70 % of the other cells.",
      .references = {"NVIDIA/nvbandwidth: README, Test Details"}};
  return {rule};
}

}  // namespace railgauge::judge::bandwidth
