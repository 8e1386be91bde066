// What changed between two looks at a machine, as meaning and not as text: a GPU that is gone, a
// link that narrowed, firmware that was replaced. Derived facts are not compared, only what sources
// said.
//   Comparison c = compare(monday, friday);
//   for (const Difference& d : c.differences) d.text   // "gpu3 (0000:5d:00.0) is gone"
// Absence of evidence is not a difference: what only one side looked at is in `not_compared`.
// How devices are matched and when a fact counts: docs/design/0005-compare.md. Pure.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/fields.h"
#include "model/machine.h"

namespace railgauge::model {

enum class Change : std::uint8_t { gone, added, moved, changed, grew };
std::string_view text(Change change);  // also the JSON word

struct Difference {
  Topic topic = Topic::inventory;
  Change kind = Change::changed;
  std::string subject;  // "gpu3 (0000:5d:00.0)", "mlx5_0 port 1", "host"
  std::string key;      // of the fact: "firmware"
  std::string before;   // words with units; empty when there was nothing
  std::string after;
  std::string text;  // a whole sentence that holds the subject
  int weight = 0;    // within a topic the heaviest come first
  SourceRef before_source;
  SourceRef after_source;
};

struct NotCompared {
  std::string what;  // "serial numbers, GUIDs, addresses and host names"
  std::string why;   // "identities were replaced under different keys"
  friend bool operator==(const NotCompared&, const NotCompared&) = default;
};

struct Comparison {
  std::vector<Difference> differences;  // by topic, then weight
  std::vector<NotCompared> not_compared;
  Reading<double> seconds_between;  // negative when `after` was made earlier
  bool rebooted = false;            // between the two; counters started again
  std::string different_machines;   // why the two look like two machines; empty when they do not
  bool different_models = false;    // other GPUs or another product; different_machines names both
  // Read on neither side by the same source: only facts that both happen to state are compared.
  bool different_sources = false;
  std::string compared;        // then, which: "NUMA node (8), CPU affinity (8)"
  std::string sources_before;  // and from what: "nvidia-smi topo -m"
  std::string sources_after;
  bool nothing_common = false;  // no fact is known of both: nothing can be said
  std::string why_nothing;      // "A holds hwloc, B holds lspci"
};

struct CompareOptions {
  bool identities = true;  // false for two machines that should be alike
  bool growth = true;      // counters and events
  // What wrote the loose texts of a side: texts of different kinds are not one source.
  std::vector<std::string> before_texts = {};
  std::vector<std::string> after_texts = {};
};

Comparison compare(const Machine& before, const Machine& after, const CompareOptions& options = {});

// Differences that say the same of several subjects as one, the subjects listed: "firmware of
// mlx5_0, mlx5_1 and 6 more changed from …".
std::vector<Difference> folded(const std::vector<Difference>& differences);

}  // namespace railgauge::model
