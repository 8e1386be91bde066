#include "apps/railgauge/verb.h"

#include "base/strings.h"

namespace railgauge::app {

std::string OptionSpec::name() const {
  for (const std::string_view flag : split(flags, ','))
    if (flag.starts_with("--")) return std::string(flag.substr(2));
  return flags;
}

bool Arguments::has(std::string_view option) const { return given.find(option) != given.end(); }

const std::vector<std::string>& Arguments::values(std::string_view option) const {
  static const std::vector<std::string> none;
  const auto found = given.find(option);
  return found == given.end() ? none : found->second;
}

std::string Arguments::value(std::string_view option, std::string_view otherwise) const {
  const auto& all = values(option);
  return all.empty() ? std::string(otherwise) : all.back();
}

const std::vector<VerbSpec>& verbs() {
  static const std::vector<VerbSpec> all{see_verb(),  check_verb(),   record_verb(),
                                         diff_verb(), explain_verb(), completions_verb(),
                                         man_verb()};
  return all;
}

const std::vector<OptionSpec>& common_options() {
  static const std::vector<OptionSpec> all{
      {"-o,--output",
       "FILE",
       "Write the result to FILE, whole or not at all",
       {},
       1,
       Completes::files},
      {"-q,--quiet", "", "No hints and no progress on standard error", {}},
      {"-v,--verbose", "", "Also sources of facts, hidden devices, and the time per source", {}},
      {"--color", "WHEN", "Colour in text", {"auto", "always", "never"}, 1, Completes::choices},
      {"--timeout", "SECONDS", "Give up after this long (default 60)", {}},
  };
  return all;
}

}  // namespace railgauge::app
