// railgauge check: what is wrong with a machine, from whatever was given.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "apps/railgauge/check_fleet.h"
#include "apps/railgauge/check_live.h"
#include "apps/railgauge/check_options.h"
#include "apps/railgauge/each_machine.h"
#include "apps/railgauge/envelope.h"
#include "apps/railgauge/failure.h"
#include "apps/railgauge/look.h"
#include "apps/railgauge/output.h"
#include "apps/railgauge/rule_texts.h"
#include "apps/railgauge/version.h"
#include "judge/findings.h"
#include "present/check.h"

namespace railgauge::app {
namespace {

constexpr const char* schema = "railgauge.check/1";

Exit report(const Arguments& arguments, const Error& error) {
  return report_error(schema, arguments, error);
}

// What a machine is judged by and compared with.
struct Standards {
  const CheckOptions& options;
  const observe::Knowledge& knowledge;
  model::Advice advice;
  std::vector<model::Machine> earlier;
  std::optional<model::Machine> reference;
};

Result<Standards> standards(const CheckOptions& options, const observe::Knowledge& knowledge) {
  auto advice = observe::advice();
  if (!advice) return tl::unexpected(std::move(advice.error()));
  Standards out{options, knowledge, std::move(*advice), {}, {}};
  if (!options.machine.empty()) {
    auto known = observe::synthetic(options.machine, knowledge.catalogue);
    if (!known) return tl::unexpected(std::move(known.error()).because("--machine"));
    out.reference = std::move(*known);
  }
  if (options.earlier.empty()) return out;
  auto visited = each_machine({options.earlier}, knowledge, true,
                              [&](model::Machine machine, const std::string&) {
                                out.earlier.push_back(std::move(machine));
                              });
  if (!visited) return tl::unexpected(std::move(visited.error()).because("--earlier"));
  return out;
}

// One recording is that of the machine; of several, the one with its name is.
const model::Machine* earlier_of(const Standards& standards, const model::Machine& machine) {
  if (standards.earlier.size() == 1) return &standards.earlier.front();
  for (const model::Machine& one : standards.earlier)
    if (one.name == machine.name) return &one;
  return nullptr;
}

model::CheckReport judged(const Standards& standards, const model::Machine& machine) {
  const judge::Patient patient{
      .machine = machine,
      .catalogue = standards.knowledge.catalogue,
      .advice = standards.advice,
      .earlier = earlier_of(standards, machine),
      .reference = standards.reference ? &*standards.reference : nullptr,
      .trust_virtual_links = standards.options.trust_virtual_links,
      .nodes = standards.options.nodes,
      .nics = standards.options.nics,
  };
  return judge::findings(patient, standards.options.selection);
}

struct Checked {
  GatheredCheck gathered;
  std::optional<model::Machine> machine;  // when it is one
  std::vector<std::string> warnings;
};

Result<Checked> check_all(const Standards& standards, const Arguments& arguments) {
  Checked out;
  CheckGatherer gatherer;
  std::size_t count = 0;
  const auto take = [&](model::Machine machine, const std::string& input) {
    gatherer.add(machine.name, input, judged(standards, machine));
    out.machine.reset();
    if (++count == 1) out.machine = std::move(machine);
  };
  if (standards.options.inputs.empty()) {
    auto live = look_at_level(standards.options.level, standards.knowledge, arguments);
    if (!live) return tl::unexpected(std::move(live.error()));
    take(std::move(live->machines.front()), "");
  } else {
    auto visited =
        each_machine(standards.options.inputs, standards.knowledge, arguments.has("quiet"), take);
    if (!visited) return tl::unexpected(std::move(visited.error()));
    for (const std::string& why : visited->passed_over)
      out.warnings.push_back("passed over: " + why);
  }
  if (count > 1 && standards.earlier.size() == 1)
    return fail(ErrorKind::usage,
                fmt::format("--earlier is one machine and these are {}: give a directory with an "
                            "older recording of each",
                            count));
  out.gathered = gatherer.finish();
  const auto& said = out.gathered.report.warnings;
  out.warnings.insert(out.warnings.end(), said.begin(), said.end());
  return out;
}

std::string name_of(const Checked& checked) {
  if (checked.machine) return checked.machine->name;
  return fmt::format("{} machines", checked.gathered.nodes.size());
}

std::string render(const present::CheckView& view, const CheckOptions& options,
                   const Checked& checked, const Arguments& arguments) {
  if (options.format == "json")
    return envelope(schema, arguments, checked.warnings, present::check_json(view));
  if (options.format == "sarif") return present::check_sarif(view);
  if (options.format == "junit") return present::check_junit(view);
  if (options.format == "html") return present::check_html(view);
  if (arguments.has("quiet")) return present::summary_line(view.report) + "\n";
  return present::text_check(view, style_for(arguments));
}

Exit verdict(const CheckOptions& options, const model::CheckReport& report) {
  if (!options.fail_on) return Exit::done;
  const bool failed =
      std::any_of(report.findings.begin(), report.findings.end(),
                  [&](const auto& finding) { return finding.severity >= *options.fail_on; });
  return failed ? Exit::findings : Exit::done;
}

Exit run(const Arguments& arguments) {
  const auto options = check_options(arguments);
  if (!options) return report(arguments, options.error());
  const auto knowledge = load_knowledge(arguments);
  if (!knowledge) return report(arguments, knowledge.error());
  const auto judged_by = standards(*options, *knowledge);
  if (!judged_by) return report(arguments, judged_by.error());
  const auto checked = check_all(*judged_by, arguments);
  if (!checked) return report(arguments, checked.error());

  const auto rules = rule_texts();
  present::CheckView view{rules, checked->gathered.report};
  view.machine = checked->machine ? &*checked->machine : nullptr;
  view.name = name_of(*checked);
  view.nodes = checked->gathered.nodes;
  view.rule_counts = checked->gathered.rule_counts;
  view.fail_on = options->fail_on_word;
  view.tool_version = version;
  for (const std::string& warning : checked->warnings) say_error("warning: " + warning);
  if (arguments.has("level") && !options->inputs.empty())
    hint(arguments, "--level is about looking at this machine; a recording stays as it is");
  const Exit exit = write_result(arguments, render(view, *options, *checked, arguments));
  if (exit != Exit::done) return exit;
  if (options->format == "text" && !view.report.findings.empty())
    hint(arguments, "next: railgauge explain " + view.report.findings.front().id);
  return verdict(*options, view.report);
}

}  // namespace

VerbSpec check_verb() {
  VerbSpec verb;
  verb.name = "check";
  verb.summary =
      "Find what makes GPU communication slow or fail: the cause, what it costs, what to do";
  verb.description =
      "Judges a machine by rules and names causes, with evidence, cost and remedy. Without INPUT "
      "it "
      "looks at this machine. INPUT is anything that see takes, and logs of NCCL and the kernel, "
      "environments and job scripts, outputs of benchmarks, dumps of jobs that hang, NCCL topology "
      "files. Loose texts together are one machine; several recordings are checked together and "
      "the "
      "odd ones are named. What nobody gave is listed as not checked, never as good. Findings that "
      "a "
      "site accepts stand in railgauge.yaml, each with a reason and an end date. Exit status: 0 "
      "nothing at or above --fail-on, 1 findings, 2 it could not be done.";
  verb.positional = {
      "INPUT", "", "Files, directories, archives, '-' or synthetic:NAME; none: this machine",
      {},      -1, Completes::files};
  verb.options = check_option_specs();
  verb.examples = {
      {"railgauge check", "what is wrong with this machine"},
      {"railgauge check node07.tar.zst nccl.log", "a recording and a log of the job"},
      {"railgauge check recordings/ --format html -o fleet.html", "many machines on one page"},
      {"railgauge check --only PCI,NVL --fail-on warning", "two categories, strictly"},
  };
  verb.run = run;
  return verb;
}

}  // namespace railgauge::app
