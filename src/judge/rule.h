// A rule: one thing that can be wrong, how to see it, what it costs and what to do.
//   {.id = "PCI001", .name = "pcie-link-narrow", .severity = Severity::error, .weight = 80,
//    .needs = {Need::pcie_link}, .explains = {{"NCC204", Relation::anything}}, .look = link_narrow,
//    .page = {…}}
// `look` is called only when every need is there. It reports through Verdicts, for each subject it
// judged; a rule that judged nothing is not applicable. Rules read the patient only: no I/O, no
// clock. All rules stand in rules.cpp, in families; the pages of docs/rules are made from them.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "judge/need.h"
#include "judge/patient.h"
#include "model/finding.h"

namespace railgauge::judge {

using model::Severity;

// Where a rule reports. One per rule and run.
class Verdicts {
 public:
  explicit Verdicts(Severity severity) : severity_(severity) {}
  // A failure of `subject` with the rule's severity and weight, which may be set to others here;
  // fill in evidence, impact and remedy. The reference is good until the next call.
  model::Finding& fail(std::string subject, std::string text);
  model::Finding& fail(const model::Machine& machine, model::DeviceId device, std::string text);
  void pass() { passed_ = true; }
  // This subject could not be judged: `need` is missing for it, or `why` in other words.
  void unknown(std::string subject, Need need);
  void unknown(std::string subject, std::string needs, std::string command = {});

  std::vector<model::Finding> failures;
  std::vector<model::NotChecked> unknowns;
  bool passed() const { return passed_; }

 private:
  Severity severity_;
  bool passed_ = false;
};

struct RulePage {
  std::string_view what;       // what is wrong, one or two sentences
  std::string_view why;        // why it matters, with figures
  std::string_view by_hand;    // how to see it without railgauge: commands and what to look for
  std::string_view remedy;     // what to do
  std::string_view benign_if;  // when it is no fault, or cannot be told
  std::vector<std::string_view> references;
};

// How the subjects of a cause and of its consequence must be related.
enum class Relation : std::uint8_t {
  anything,     // the cause explains every finding of that rule
  same_device,  // both name a common device
  same_path,    // a device of one stands above or below one of the other in the PCIe tree
};

struct Explains {
  std::string_view consequence;  // rule id
  Relation relation = Relation::anything;
};

struct Rule {
  std::string_view id;                    // category and three digits, never reused
  std::string_view name;                  // "pcie-link-narrow"
  Severity severity = Severity::warning;  // of a finding, unless the rule sets another
  int weight = 50;  // how decisive: 100 stops the job, 80 halves it, 50 costs, 20 is advice
  std::vector<Need> needs;
  std::vector<Explains> explains;  // consequences that this one, found, takes in
  void (*look)(const Patient&, Verdicts&) = nullptr;
  RulePage page;
};

// A family is a file in rules/ with one function that returns its rules.
using Family = std::span<const Rule>;
std::span<const Family> families();
std::vector<const Rule*> all_rules();  // by id
const Rule* find_rule(std::string_view id_or_name);

// "gpu3 (0000:5d:00.0)", "mlx5_0 port 1"
std::string subject_of(const model::Machine& machine, model::DeviceId device);
std::string subject_of(const model::Machine& machine, model::DeviceId device, int port);

// The evidence that a fact is: its value as words, and where it was read.
model::Evidence evidence(const model::Machine& machine, std::string what, std::string observed,
                         std::string expected, model::SourceRef source);

// Whether the machine is a guest: PCIe links, ACS and distances are then the hypervisor's words.
bool in_virtual_machine(const Patient& patient);

}  // namespace railgauge::judge
