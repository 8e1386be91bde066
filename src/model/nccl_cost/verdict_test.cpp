#include "model/nccl_cost/verdict.h"

#include <gtest/gtest.h>

namespace railgauge::model::nccl_cost {
namespace {

BenchmarkRun run_of(const char* name, const char* reduction, double algbw, double busbw) {
  BenchmarkRun out;
  out.name = name;
  out.reduction = reduction;
  BenchmarkRow row;
  row.size_bytes = 1u << 30;
  row.algbw = gigabytes_per_second(algbw);
  row.busbw = gigabytes_per_second(busbw);
  out.rows = {row};
  return out;
}

TEST(MeasuredCollective, NameAndRanksAsPrinted) {
  BenchmarkRun run = run_of("all_gather", "none", 400, 350);
  run.ranks = 8;
  EXPECT_EQ(measured_collective(run), (Measured{Collective::all_gather, 8}));
}

TEST(MeasuredCollective, RatioGivesAwayWhatIsNotPrinted) {
  EXPECT_EQ(measured_collective(run_of("", "sum", 254.4, 445.2)),
            (Measured{Collective::all_reduce, 8}));
  EXPECT_EQ(measured_collective(run_of("", "sum", 200, 375)),
            (Measured{Collective::all_reduce, 16}));
  EXPECT_EQ(measured_collective(run_of("", "sum", 400, 350)),
            (Measured{Collective::reduce_scatter, 8}));
  EXPECT_EQ(measured_collective(run_of("", "none", 100, 75)),
            (Measured{Collective::all_gather, 4}));
  EXPECT_FALSE(measured_collective(run_of("", "sum", 300, 300)));
  EXPECT_FALSE(measured_collective(run_of("", "", 254.4, 445.2)));
  EXPECT_FALSE(measured_collective(run_of("hypercube", "none", 254.4, 445.2)));
}

TEST(MeasuredCollective, ListOfOneRankBesideTrafficWasCut) {
  BenchmarkRun run = run_of("all_reduce", "sum", 254.4, 445.2);
  run.ranks = 1;
  EXPECT_EQ(measured_collective(run), (Measured{Collective::all_reduce, 8}));
  run.rows[0].busbw = gigabytes_per_second(0);
  EXPECT_EQ(measured_collective(run), (Measured{Collective::all_reduce, 1}));
}

TEST(Verdicts, MeasuredBesideExpected) {
  Fabric found;
  found.gpu_gbps = 240;
  found.compute_capability = 80;
  Fabric nominal = found;
  nominal.gpu_gbps = 240;
  found.gpu_gbps = 120;
  BenchmarkRun run = run_of("all_reduce", "sum", 64, 112);
  run.ranks = 8;
  BenchmarkRow small = run.rows[0];
  small.size_bytes = 1024;
  small.busbw = gigabytes_per_second(1);
  run.rows.push_back(small);
  const auto sizes = verdicts(run, *measured_collective(run), found, nominal);
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_EQ(sizes[0].row->size_bytes, 1024u);
  EXPECT_FALSE(sizes[0].bandwidth_bound());
  ASSERT_EQ(best(sizes), &sizes[1]);
  EXPECT_NEAR(sizes[1].of_found, 0.96, 0.04);
  EXPECT_NEAR(*sizes[1].of_nominal, 0.48, 0.03);
}

}  // namespace
}  // namespace railgauge::model::nccl_cost
