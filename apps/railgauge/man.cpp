// railgauge man: the manual page in troff, from the table of verbs.
#include <fmt/format.h>

#include "apps/railgauge/output.h"
#include "apps/railgauge/verb.h"
#include "apps/railgauge/version.h"
#include "base/strings.h"

namespace railgauge::app {
namespace {

// Dashes and backslashes mean something to troff, and so do a dot and a quote at the start of a
// line.
std::string troff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string option_entry(const OptionSpec& option) {
  std::string flags;
  for (const auto flag : split(option.flags, ','))
    flags += (flags.empty() ? "" : ", ") + fmt::format("\\fB{}\\fR", troff(flag));
  std::string value = option.value.empty() ? "" : fmt::format(" \\fI{}\\fR", troff(option.value));
  std::string choices;
  for (const std::string& choice : option.choices)
    choices += (choices.empty() ? "" : ", ") + choice;
  return fmt::format(".TP\n{}{}\n{}{}.\n", flags, value, troff(option.help),
                     choices.empty() ? "" : troff(": " + choices));
}

std::string verb_section(const VerbSpec& verb) {
  std::string out =
      fmt::format(".SS railgauge {} [options] {}\n{}\n", verb.name,
                  verb.positional.flags.empty() ? "" : "[" + verb.positional.flags + "...]",
                  troff(verb.description));
  for (const OptionSpec& option : verb.options) out += option_entry(option);
  return out;
}

Exit run(const Arguments& arguments) {
  std::string out = fmt::format(
      ".TH RAILGAUGE 1 \"\" \"railgauge {}\" \"User Commands\"\n.SH NAME\nrailgauge \\- see the "
      "interconnect of a "
      "GPU machine\n.SH SYNOPSIS\n.B railgauge\n.I VERB\n[options] [arguments]\n.SH VERBS\n",
      version);
  for (const VerbSpec& verb : verbs()) out += verb_section(verb);
  out += ".SH OPTIONS OF EVERY VERB\n";
  for (const OptionSpec& option : common_options()) out += option_entry(option);
  out +=
      ".SH OUTPUT\nStandard output is the result; progress, warnings and one hint go to standard "
      "error. Rates are "
      "GB/s = 10^9 bytes per second in one direction. What is unknown says why.\n"
      ".SH EXIT STATUS\n.TP\n0\nDone.\n.TP\n1\nFindings or a difference.\n.TP\n2\nIt could not be "
      "done: usage, "
      "input or device.\n.TP\n130\nInterrupted.\n.SH ENVIRONMENT\n.TP\nNO_COLOR\nNo colour, "
      "whatever the "
      "terminal.\n.SH EXAMPLES\n";
  for (const VerbSpec& verb : verbs())
    for (const Example& example : verb.examples)
      out += fmt::format(".TP\n.B {}\n{}\n", troff(example.command), troff(example.says));
  return write_result(arguments, out);
}

}  // namespace

VerbSpec man_verb() {
  VerbSpec verb;
  verb.name = "man";
  verb.summary = "Print the manual page";
  verb.description = "Prints the manual page in troff, made from the same table as --help.";
  verb.examples = {{"railgauge man | man -l -", "read it"}};
  verb.run = run;
  return verb;
}

}  // namespace railgauge::app
