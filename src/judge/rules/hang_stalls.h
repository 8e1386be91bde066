// Where a job stands still: for each group the first operation that some ranks entered and did not
// finish, which ranks never came to it, and which other standstill keeps those. Used by hang*.cpp.
//   for (const Stall& stall : stalls(job)) if (stall.is_root()) …
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "judge/rules/hang_job.h"

namespace railgauge::judge::hang {

struct Stall {
  std::size_t group = 0;  // in Job::groups; of point-to-point operations the one they belong to
  bool point_to_point = false;
  const CollectiveCall* call = nullptr;  // as one of the waiting ranks entered it
  std::vector<int> waiting;              // entered it and did not finish
  std::vector<int> late;                 // did not enter it
  std::vector<int> not_started;          // those of `late` that did, but whose GPU never began it
  std::vector<int> unknown;              // belong to it and gave no dump
  std::vector<int> done;
  bool gave_up = false;                  // a watchdog's time ran out
  std::optional<double> waited_seconds;  // at least, by the times in the dumps
  std::vector<std::size_t> behind;       // the stalls in which late ranks wait
  bool kept_by_others = false;           // all of its late ranks wait in other stalls

  // No other standstill explains this one.
  bool is_root() const { return !kept_by_others; }
};

std::vector<Stall> stalls(const Job& job);

// The stalls that wait for each other in a circle, in order; empty where there is none.
std::vector<std::size_t> circle(const std::vector<Stall>& all);

// "all_reduce #1580 of group default_pg", "recv #4 of group pp (rank 1 from rank 0)"
std::string text(const Job& job, const Stall& stall);

// Whether the operation ends on no rank before all have entered it.
bool needs_all_ranks(const std::string& operation);

}  // namespace railgauge::judge::hang
