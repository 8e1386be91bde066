// The rules about jobs that hang, a file for each matter; their list and pages are in hang.cpp.
#pragma once

#include "judge/rule.h"
#include "judge/rules/hang_job.h"
#include "judge/rules/hang_stalls.h"

namespace railgauge::judge::hang {

void never_arrived(const Patient& patient, Verdicts& out);     // NCC101
void calls_differ(const Patient& patient, Verdicts& out);      // NCC102
void sizes_differ(const Patient& patient, Verdicts& out);      // NCC103
void rank_dead(const Patient& patient, Verdicts& out);         // NCC104
void watchdog_timeout(const Patient& patient, Verdicts& out);  // NCC105
void stuck_in_network(const Patient& patient, Verdicts& out);  // NCC106
void busy_elsewhere(const Patient& patient, Verdicts& out);    // NCC107
void dumps_missing(const Patient& patient, Verdicts& out);     // NCC109

// NCC101, as far as RAS tells: launch counts of communicators.
void behind_by_ras(const model::Machine& machine, bool timed_out, Verdicts& out);

// Ranks that wrote to a log in which others of the default group reported timeouts, and did not.
std::vector<int> silent_ranks(const Job& job);

// Where a rank stands, in words; empty where nothing is known.
std::string stands(const Job& job, const std::vector<Stall>& all, int rank);

// "py-spy dump --pid 1906", on the rank's host where that is known.
model::RemedyStep look_at_stack(const Job& job, int rank);

}  // namespace railgauge::judge::hang
