// railgauge diff: what changed between two looks at a machine.
#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "apps/railgauge/envelope.h"
#include "apps/railgauge/failure.h"
#include "apps/railgauge/identities.h"
#include "apps/railgauge/look.h"
#include "apps/railgauge/output.h"
#include "apps/railgauge/verb.h"
#include "base/strings.h"
#include "model/compare/compare.h"
#include "present/diff.h"

namespace railgauge::app {
namespace {

constexpr const char* schema = "railgauge.diff/1";

Exit report(const Arguments& arguments, const Error& error) {
  return report_error(schema, arguments, error);
}

struct Side {
  model::Machine machine;
  std::vector<std::string> passed_over;
  std::vector<std::string> text_kinds;  // of loose texts
};

Result<Side> side(const std::string& input, const observe::Knowledge& knowledge) {
  if (is_synthetic(input)) {
    auto machine = synthetic_machine(input, knowledge);
    if (!machine) return tl::unexpected(std::move(machine.error()));
    return Side{std::move(*machine), {}, {}};
  }
  auto read = observe::machines({input}, knowledge);
  if (!read) return tl::unexpected(std::move(read.error()));
  if (read->machines.size() != 1)
    return fail(ErrorKind::usage,
                fmt::format("{} holds {} machines and diff takes one on each side: name one "
                            "recording, or see {} to group them",
                            input, read->machines.size(), input));
  return Side{std::move(read->machines.front()), std::move(read->passed_over),
              std::move(read->text_kinds)};
}

// Against a recording whose identities this machine's key replaced, it is read through the same
// replacement; under any other key identities are not comparable, which compare() says.
Result<Side> this_machine(observe::Knowledge knowledge, const model::Machine& saved,
                          const Arguments& arguments) {
  if (saved.taken && saved.taken->identities_replaced) {
    auto replacer = identity_replacer(arguments);
    if (!replacer) return tl::unexpected(std::move(replacer.error()));
    const observe::Recording probe = (*replacer)(observe::Recording());
    if (probe.manifest.identity_key == saved.taken->identity_key)
      knowledge.prepare = std::move(*replacer);
  }
  auto read = look_live(knowledge);
  if (!read) return tl::unexpected(std::move(read.error()));
  return Side{std::move(read->machines.front()), std::move(read->passed_over), {}};
}

Result<std::set<model::Topic>> ignored_topics(const Arguments& arguments) {
  std::set<model::Topic> out;
  if (!arguments.has("all")) out.insert(model::Topic::activity);
  std::string known;
  for (const model::Topic topic : model::all_topics)
    known += (known.empty() ? "" : ", ") + std::string(model::text(topic));
  for (const std::string& list : arguments.values("ignore"))
    for (const std::string_view word : split(list, ',')) {
      const auto topic = model::parse_topic(trim(word));
      if (!topic)
        return fail(ErrorKind::usage, fmt::format("--ignore: {} is no class of facts; there are {}",
                                                  railgauge::quoted(word), known));
      out.insert(*topic);
    }
  return out;
}

// Moves what is not to be counted out of the comparison.
std::vector<model::Difference> take_ignored(model::Comparison& comparison,
                                            const std::set<model::Topic>& topics) {
  auto& all = comparison.differences;
  const auto kept = std::stable_partition(
      all.begin(), all.end(),
      [&](const model::Difference& one) { return !topics.contains(one.topic); });
  std::vector<model::Difference> out(std::make_move_iterator(kept),
                                     std::make_move_iterator(all.end()));
  all.erase(kept, all.end());
  return out;
}

void next_step(const Arguments& arguments, const model::Comparison& comparison) {
  if (wants_json(arguments)) return;
  const auto& inputs = arguments.values("INPUT");
  if (!comparison.different_machines.empty()) {
    std::string both;
    for (const std::string& input : inputs) both += " " + shell_word(input);
    hint(arguments, fmt::format("next: railgauge see{}   (how alike machines are)", both));
  } else if (!comparison.differences.empty()) {
    hint(arguments, fmt::format("next: railgauge see {}",
                                inputs.size() > 1 ? shell_word(inputs[1]) : std::string()));
  }
}

Exit run(const Arguments& arguments) {
  const auto& inputs = arguments.values("INPUT");
  if (inputs.empty() || inputs.size() > 2)
    return report(arguments, {ErrorKind::usage,
                              "diff takes two machines, or one to compare with this machine now: "
                              "railgauge diff A B",
                              {}});
  const auto ignored = ignored_topics(arguments);
  if (!ignored) return report(arguments, ignored.error());
  const auto knowledge = load_knowledge(arguments);
  if (!knowledge) return report(arguments, knowledge.error());
  const auto before = side(inputs[0], *knowledge);
  if (!before) return report(arguments, before.error());
  const auto after = inputs.size() == 2 ? side(inputs[1], *knowledge)
                                        : this_machine(*knowledge, before->machine, arguments);
  if (!after) return report(arguments, after.error());

  model::Comparison comparison = model::compare(
      before->machine, after->machine, {true, true, before->text_kinds, after->text_kinds});
  if (comparison.nothing_common)
    return report(arguments,
                  {ErrorKind::input, "nothing could be compared: " + comparison.why_nothing, {}});
  const auto left_out = take_ignored(comparison, *ignored);
  const present::DiffView view{before->machine, after->machine, comparison, left_out};
  std::vector<std::string> warnings;
  for (const auto* one : {&*before, &*after})
    for (const std::string& why : one->passed_over) warnings.push_back("passed over: " + why);
  const std::string text = wants_json(arguments)
                               ? envelope(schema, arguments, warnings, present::diff_json(view))
                               : present::text_diff(view, style_for(arguments));
  for (const std::string& warning : warnings) say_error("warning: " + warning);
  const Exit exit = write_result(arguments, text);
  if (exit != Exit::done) return exit;
  next_step(arguments, comparison);
  return comparison.differences.empty() ? Exit::done : Exit::findings;
}

}  // namespace

VerbSpec diff_verb() {
  VerbSpec verb;
  verb.name = "diff";
  verb.summary = "Say what changed between two looks at a machine; exit 1 when something did";
  verb.description =
      "Compares two machines by meaning: devices that are gone or new, links that narrowed, "
      "firmware, drivers, settings, GID tables, counters that grew. A and B are anything that see "
      "takes; without B, A is compared with this machine now. Devices are matched by identity, "
      "then by PCI address. What only one side looked at is listed as not compared. Exit status: 0 "
      "no difference, 1 differences, 2 it could not be done.";
  verb.positional = {
      "INPUT",
      "",
      "A, then B: recording, directory, file, '-' or synthetic:NAME; without B this machine",
      {},
      -1,
      Completes::files};
  std::vector<std::string> classes;
  for (const model::Topic topic : model::all_topics) classes.emplace_back(model::text(topic));
  std::string known;
  for (const std::string& one : classes) known += (known.empty() ? "" : ", ") + one;
  verb.options = {
      {"--ignore",
       "CLASS",
       "Leave out classes of facts, separated by commas: " + known,
       {},
       1,
       Completes::nothing,
       true,
       classes,
       true},
      {"--all", "", "Also what changes from second to second: clocks, temperatures, traffic", {}},
      {"--format", "FORMAT", "How to show it", {"text", "json"}, 1, Completes::choices},
      pci_ids_option(),
      {"--json", "", "One JSON document, also on failure", {}},
  };
  verb.examples = {
      {"railgauge diff monday.tar.zst friday.tar.zst", "what changed in a week"},
      {"railgauge diff good.tar.zst", "this machine against a recording of it"},
      {"railgauge diff a.tar.zst b.tar.zst --ignore firmware,counters", "without two classes"},
  };
  verb.run = run;
  return verb;
}

}  // namespace railgauge::app
