#include "model/nccl_cost/verdict.h"

#include <algorithm>
#include <cmath>

namespace railgauge::model::nccl_cost {
namespace {

constexpr int most_ranks_by_ratio = 64;  // beyond, the printed digits do not tell ranks apart

// busbw over algbw of the fastest row, where rounding hurts least.
std::optional<double> ratio(const BenchmarkRun& run) {
  const BenchmarkRow* fastest = nullptr;
  for (const BenchmarkRow& row : run.rows)
    if (row.algbw && row.busbw && (fastest == nullptr || *row.algbw > *fastest->algbw))
      fastest = &row;
  if (fastest == nullptr || fastest->algbw->value < 1e9) return std::nullopt;
  return fastest->busbw->value / fastest->algbw->value;
}

std::optional<int> ranks_of(double above_share) {  // of (n-1)/n
  if (above_share < 0.45 || above_share > 0.99) return std::nullopt;
  const double ranks = 1 / (1 - above_share);
  const double whole = std::round(ranks);
  if (whole < 2 || whole > most_ranks_by_ratio) return std::nullopt;
  if (std::abs((whole - 1) / whole - above_share) > 0.25 / (whole * whole)) return std::nullopt;
  return static_cast<int>(whole);
}

std::optional<Collective> by_ratio(const BenchmarkRun& run, double share) {
  if (run.reduction.empty()) return std::nullopt;
  if (share > 1.01) return Collective::all_reduce;  // 2(n-1)/n of three ranks and more
  if (run.reduction != "none") {
    // 1: an all-reduce of two ranks, or a reduce.
    if (share > 0.99) return run.ranks == 2 ? std::optional(Collective::all_reduce) : std::nullopt;
    return Collective::reduce_scatter;
  }
  if (share > 0.99) return std::nullopt;  // broadcast, sendrecv
  return Collective::all_gather;          // or alltoall, of which links carry the same
}

}  // namespace

std::optional<Measured> measured_collective(const BenchmarkRun& run) {
  if (run.tool != BenchmarkTool::nccl_tests) return std::nullopt;
  const auto share = ratio(run);
  auto collective = parse_collective(run.name);
  if (!collective && run.name.empty() && share) collective = by_ratio(run, *share);
  if (!collective) return std::nullopt;
  // A list of one rank beside real traffic was cut.
  const bool listed = run.ranks && (*run.ranks > 1 || (*run.ranks == 1 && share.value_or(0) == 0));
  if (listed) return Measured{*collective, *run.ranks};
  if (!share) return std::nullopt;
  const double of_one_way = *collective == Collective::all_reduce ? *share / 2 : *share;
  const auto ranks = ranks_of(of_one_way);
  if (!ranks) return std::nullopt;
  return Measured{*collective, *ranks};
}

std::vector<SizeVerdict> verdicts(const BenchmarkRun& run, const Measured& what,
                                  const Fabric& found, const std::optional<Fabric>& nominal) {
  std::vector<SizeVerdict> out;
  for (const BenchmarkRow& row : run.rows) {
    if (!row.busbw || row.size_bytes == 0) continue;
    const auto bytes = static_cast<double>(row.size_bytes);
    const auto now = expected(found, what.collective, bytes);
    if (!now) continue;
    SizeVerdict verdict;
    verdict.row = &row;
    verdict.found = *now;
    verdict.of_found = row.busbw->value / now->busbw.value;
    if (nominal) verdict.nominal = expected(*nominal, what.collective, bytes);
    if (verdict.nominal) verdict.of_nominal = row.busbw->value / verdict.nominal->busbw.value;
    out.push_back(verdict);
  }
  std::stable_sort(out.begin(), out.end(), [](const SizeVerdict& a, const SizeVerdict& b) {
    if (a.row->in_place != b.row->in_place) return b.row->in_place;
    return a.row->size_bytes < b.row->size_bytes;
  });
  return out;
}

const SizeVerdict* best(const std::vector<SizeVerdict>& sizes) {
  const SizeVerdict* out = nullptr;
  for (const SizeVerdict& size : sizes)
    if (size.bandwidth_bound() && (out == nullptr || size.of_found > out->of_found)) out = &size;
  return out;
}

}  // namespace railgauge::model::nccl_cost
