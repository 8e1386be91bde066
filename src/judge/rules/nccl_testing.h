// A machine with one NCCL log, built by hand, and what one rule says of it. Only tests include
// this.
//   NcclCase c;
//   c.warn("transport/net_ib.cc", "NET/IB : Got completion with error 12");
//   EXPECT_EQ(c.only("NCC008").severity, Severity::error);
#pragma once

#include <gtest/gtest.h>

#include <string>

#include "judge/findings.h"
#include "judge/rule.h"
#include "model/testing.h"

namespace railgauge::judge {

struct NcclCase {
  model::Machine machine;
  model::Catalogue catalogue = model::round_catalogue();
  model::Advice advice;
  model::SourceRef here = machine.sources.add("job.log", model::Trust::tool);
  std::uint32_t line = 0;

  NcclCase() {
    model::NcclRun& log = machine.nccl_runs.emplace_back();
    log.name = "job.log";
    log.source = here;
  }
  model::NcclRun& run() { return machine.nccl_runs.front(); }

  void say(const char* file, std::string text, bool information) {
    run().warnings.push_back({.file = file,
                              .text = std::move(text),
                              .source = here.at_line(++line),
                              .information = information,
                              .host = "n1",
                              .device = 0});
  }
  void warn(const char* file, std::string text) { say(file, std::move(text), false); }
  void info(std::string text) { say("", std::move(text), true); }

  model::NcclRank& rank(int number, const char* host = "n1") {
    model::NcclRank rank;
    rank.rank = number;
    rank.ranks = 2;
    rank.host = host;
    rank.device = number;
    rank.source = here.at_line(++line);
    run().ranks.push_back(rank);
    return run().ranks.back();
  }
  void nic(const char* network, const char* name, const char* layer, int index = 0) {
    run().nics.push_back({.network = network,
                          .index = index,
                          .name = name,
                          .layer = layer,
                          .host = "n1",
                          .source = here.at_line(++line)});
  }
  void gdr(const char* network, bool enabled, std::optional<int> distance = {},
           std::optional<int> allowed = {}) {
    run().gdr.push_back({.network = network,
                         .nic = "mlx5_0",
                         .gpu = distance ? "ca000" : "",
                         .enabled = enabled,
                         .distance = distance,
                         .distance_allowed = allowed,
                         .source = here.at_line(++line)});
  }
  void way(int from, int to, const char* via) {
    run().connections.push_back(
        {.from = from, .to = to, .via = via, .channels = 2, .source = here.at_line(++line)});
  }
  void set(const char* name, const char* value) {
    machine.variables.push_back({name, value, here.at_line(++line)});
  }
  // GPU of a rank, and what joins two of them.
  model::DeviceId gpu(int rank, const char* name = "NVIDIA H100 80GB HBM3") {
    const model::DeviceId id = machine.add(model::DeviceKind::gpu, here);
    machine[id].index.claim(rank, here);
    machine[id].gpu->rank.claim(rank, here);
    machine[id].name.claim(name, here);
    return id;
  }
  void joined(model::DeviceId a, model::DeviceId b, const char* word) {
    machine.pair(a, b).smi.claim(*model::PathClass::parse(word), here);
  }

  model::CheckReport check(std::string rule) const {
    return findings({.machine = machine, .catalogue = catalogue, .advice = advice},
                    {.only = {std::move(rule)}});
  }
  // The one finding of this rule; an empty one, and a failed test, when there is another number.
  model::Finding only(const std::string& rule) const {
    const model::CheckReport report = check(rule);
    EXPECT_EQ(report.findings.size(), 1U) << rule;
    return report.findings.size() == 1 ? report.findings[0] : model::Finding{};
  }
  bool passes(const std::string& rule) const {
    return check(rule).passed == std::vector<std::string>{rule};
  }
  bool is_unknown(const std::string& rule) const {
    const model::CheckReport report = check(rule);
    return report.findings.empty() && report.not_checked.size() == 1;
  }
  // Fails nothing above a note.
  bool is_quiet(const std::string& rule) const {
    for (const model::Finding& finding : check(rule).findings)
      if (finding.severity > Severity::note) return false;
    return true;
  }
};

inline bool holds(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

}  // namespace railgauge::judge
