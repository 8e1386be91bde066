// Jobs that hang, made by hand. Only tests include this.
//   HangCase job(4);                                   // ranks 0-3 of the group "default_pg"
//   job.all(1, "all_reduce", State::completed);
//   job.call(0, 2, "all_reduce", State::started);
//   job.found("NCC101")
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "judge/findings.h"
#include "judge/rule.h"

namespace railgauge::judge {

using State = model::CollectiveCall::State;

class HangCase {
 public:
  model::Machine machine;

  explicit HangCase(int ranks) {
    std::vector<int> all;
    for (int rank = 0; rank < ranks; ++rank) all.push_back(rank);
    for (int rank = 0; rank < ranks; ++rank) {
      model::HangDump dump{.kind = "flight recorder"};
      dump.source =
          machine.sources.add("nccl_trace_rank_" + std::to_string(rank), model::Trust::tool);
      dump.groups.push_back({.name = "0", .description = "default_pg", .ranks = all});
      dump.ranks.push_back({.rank = rank, .source = dump.source});
      machine.hangs.push_back(std::move(dump));
    }
  }

  // A group of some ranks, which their dumps name.
  void group(const std::string& name, const std::vector<int>& ranks) {
    for (const int rank : ranks)
      if (model::HangDump* one = dump(rank))
        one->groups.push_back({.name = name, .description = name, .ranks = ranks});
  }

  model::CollectiveCall& call(int rank, std::uint64_t sequence, const std::string& operation,
                              State state, const std::string& group = "0") {
    model::HangRank& one = dump(rank)->ranks[0];
    model::CollectiveCall& out = one.calls.emplace_back();
    out.group = group;
    out.sequence = sequence;
    out.operation = operation;
    out.state = state;
    out.state_word = state == State::completed ? "completed"
                     : state == State::started ? "started"
                                               : "scheduled";
    out.input_sizes = {{1024}};
    out.output_sizes = {{1024}};
    out.type = "Float";
    out.where = "train.py:214 step";
    out.source = one.source;
    return out;
  }
  void all(std::uint64_t sequence, const std::string& operation, State state) {
    for (const model::HangDump& one : machine.hangs)
      if (one.kind == "flight recorder") call(*one.ranks[0].rank, sequence, operation, state);
  }
  model::CollectiveCall& pair(int rank, const std::string& operation, int peer, State state,
                              const std::string& group = "0") {
    model::CollectiveCall& out = call(rank, 1, operation, state, group);
    out.point_to_point = true;
    out.peer = peer;
    return out;
  }

  model::HangDump* dump(int rank) {
    for (model::HangDump& one : machine.hangs)
      if (one.kind == "flight recorder" && one.ranks[0].rank == rank) return &one;
    return nullptr;
  }
  void without_dump(int rank) {
    std::erase_if(machine.hangs, [&](const model::HangDump& one) {
      return one.kind == "flight recorder" && one.ranks[0].rank == rank;
    });
  }
  void lost_oldest(int rank) { dump(rank)->ranks[0].oldest_lost = true; }

  // The stack of a rank's main thread, innermost frame first.
  void stack(std::optional<int> rank, int process_id, std::vector<std::string> frames) {
    model::HangDump dump{.kind = "stacks"};
    dump.source = machine.sources.add("stacks.txt", model::Trust::tool);
    model::HangRank one{.rank = rank, .process_id = process_id};
    one.stacks.push_back(
        {.thread = "MainThread", .frames = std::move(frames), .source = dump.source});
    dump.ranks.push_back(std::move(one));
    machine.hangs.push_back(std::move(dump));
  }

  // A log of the watchdog: ranks that wrote to it.
  model::HangDump& log(const std::vector<int>& ranks) {
    model::HangDump dump{.kind = "watchdog"};
    dump.source = machine.sources.add("job.log", model::Trust::tool);
    for (const int rank : ranks) dump.ranks.push_back({.rank = rank, .source = dump.source});
    machine.hangs.push_back(std::move(dump));
    return machine.hangs.back();
  }
  void timeout(model::HangDump& log, int rank, std::uint64_t sequence,
               const std::string& operation = "all_reduce", const std::string& group = "0") {
    log.timeouts.push_back({.rank = rank,
                            .group = group,
                            .sequence = sequence,
                            .operation = operation,
                            .input_count = 1024,
                            .output_count = 1024,
                            .timeout_seconds = 600,
                            .ran_seconds = 600.02,
                            .source = log.source.at_line(1)});
  }

  model::CheckReport check() const {
    static const model::Catalogue catalogue;
    static const model::Advice advice;
    const Patient patient{.machine = machine, .catalogue = catalogue, .advice = advice};
    return findings(patient, {.only = {"NCC101", "NCC102", "NCC103", "NCC104", "NCC105", "NCC106",
                                       "NCC107", "NCC109"}});
  }
  // "NCC101 rank 3: text", the causes first.
  std::vector<std::string> found() const {
    std::vector<std::string> out;
    for (const model::Finding& finding : check().findings)
      out.push_back(finding.id + " " + finding.subject + ": " + finding.text);
    return out;
  }
  // The ids alone: "NCC101 NCC109".
  std::string ids() const {
    std::string out;
    for (const model::Finding& finding : check().findings)
      out += (out.empty() ? "" : " ") + finding.id;
    return out;
  }
};

}  // namespace railgauge::judge
