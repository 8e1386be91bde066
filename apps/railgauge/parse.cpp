#include "apps/railgauge/parse.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>

#include "apps/railgauge/version.h"
#include "base/strings.h"
#include "gpu/engine.h"

namespace railgauge::app {
namespace {

// CLI11 writes into these; they outlive the parse.
struct Slots {
  std::map<std::string, std::vector<std::string>> values;
  std::map<std::string, CLI::Option*> options;
};

void add_option(CLI::App& app, const OptionSpec& spec, Slots& slots) {
  CLI::Option* option = nullptr;
  if (spec.value.empty()) {
    option = app.add_flag(spec.flags, spec.help);
  } else {
    option = app.add_option(spec.flags, slots.values[spec.name()], spec.help);
    option->type_name(spec.value);
    if (spec.count == -1) option->expected(-1);
    if (spec.count > 1) option->expected(spec.count);
    if (spec.count == 1)
      option->expected(1)->multi_option_policy(spec.repeats ? CLI::MultiOptionPolicy::TakeAll
                                                            : CLI::MultiOptionPolicy::TakeLast);
    // Otherwise an option of a fixed count swallows the words that follow its values.
    if (spec.count > 0) option->allow_extra_args(false);
    if (!spec.choices.empty()) option->check(CLI::IsMember(spec.choices));
  }
  slots.options[spec.name()] = option;
}

void describe(CLI::App& app, const VerbSpec& verb, Slots& slots) {
  if (!verb.positional.flags.empty()) {
    OptionSpec positional = verb.positional;
    positional.value = positional.flags;
    add_option(app, positional, slots);
    slots.options[positional.name()]->type_name("");
  }
  for (const OptionSpec& option : verb.options) add_option(app, option, slots);
  for (const OptionSpec& option : common_options()) add_option(app, option, slots);
  std::string footer = "\nExamples:\n";
  for (const Example& example : verb.examples)
    footer += fmt::format("  {:<52} {}\n", example.command, example.says);
  if (!verb.examples.empty()) app.footer(footer);
}

std::vector<std::string> long_flags(const VerbSpec& verb) {
  std::vector<std::string> flags{"--help"};
  for (const auto* list : {&verb.options, &common_options()})
    for (const OptionSpec& option : *list) flags.push_back("--" + option.name());
  return flags;
}

// CLI11's words for a wrong flag, with the flag that was probably meant.
std::string explain(const CLI::ParseError& error, const VerbSpec& verb,
                    const std::vector<std::string>& argv) {
  std::string message = error.what();
  std::replace(message.begin(), message.end(), '\n', ' ');
  std::string hint;
  for (const std::string& word : argv) {
    if (!word.starts_with("--")) continue;
    const std::string flag = word.substr(0, word.find('='));
    const auto flags = long_flags(verb);
    if (std::find(flags.begin(), flags.end(), flag) != flags.end()) continue;
    if (const std::string meant = did_you_mean(flag, flags); !meant.empty())
      hint = fmt::format(" Did you mean {}?", meant);
  }
  return fmt::format("railgauge {}: {}.{} See: railgauge {} --help\n", verb.name,
                     std::string(trim(message)), hint, verb.name);
}

Parsed parse_verb(const VerbSpec& verb, const std::vector<std::string>& argv) {
  CLI::App app(verb.summary, "railgauge " + verb.name);
  Slots slots;
  describe(app, verb, slots);
  std::vector<std::string> reversed(argv.rbegin(), argv.rend() - 2);
  Parsed out;
  try {
    app.parse(reversed);
  } catch (const CLI::CallForHelp&) {
    out.print = app.help();
    return out;
  } catch (const CLI::ParseError& error) {
    out.print = explain(error, verb, argv);
    out.failed = true;
    return out;
  }
  out.verb = &verb;
  for (const auto& [name, option] : slots.options)
    if (option->count() > 0) out.arguments.given[name] = slots.values[name];
  return out;
}

}  // namespace

std::string did_you_mean(std::string_view wrong, const std::vector<std::string>& words) {
  std::string best;
  std::size_t distance = std::max<std::size_t>(2, wrong.size() / 3) + 1;
  for (const std::string& word : words) {
    const std::size_t d = edit_distance(wrong, word);
    if (d < distance) {
      distance = d;
      best = word;
    }
  }
  return best;
}

std::string overview() {
  std::string out =
      "railgauge: see and check the interconnect of a GPU machine\n\nUsage: railgauge VERB "
      "[options]\n\n";
  for (const VerbSpec& verb : verbs()) out += fmt::format("  {:<12} {}\n", verb.name, verb.summary);
  out += "\nExamples:\n";
  for (const VerbSpec& verb : verbs()) {
    if (&verb - verbs().data() >= 3) break;
    const Example& example = verb.examples.front();
    out += fmt::format("  {:<44} {}\n", example.command, example.says);
  }
  return out + "\nMore: railgauge VERB --help, railgauge --version\n";
}

std::string version_text() {
  return fmt::format("railgauge {} ({})\nGPU kernels need: {}\n", version, commit,
                     gpu::driver_floor());
}

Parsed parse(const std::vector<std::string>& argv) {
  Parsed out;
  if (argv.size() < 2 || argv[1] == "--help" || argv[1] == "-h" || argv[1] == "help") {
    out.print = overview();
    return out;
  }
  if (argv[1] == "--version" || argv[1] == "-V") {
    out.print = version_text();
    return out;
  }
  std::vector<std::string> names;
  for (const VerbSpec& verb : verbs()) {
    names.push_back(verb.name);
    if (verb.name != argv[1]) continue;
    out = parse_verb(verb, argv);
    out.arguments.command = argv;
    return out;
  }
  const std::string meant = did_you_mean(argv[1], names);
  out.print = fmt::format("railgauge: {} is not a verb.{} See: railgauge --help\n",
                          railgauge::quoted(argv[1]),
                          meant.empty() ? "" : " Did you mean railgauge " + meant + "?");
  out.failed = true;
  return out;
}

}  // namespace railgauge::app
