// The process: argv in, exit status out. The last place that catches an exception.
#include <malloc.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "apps/railgauge/envelope.h"
#include "apps/railgauge/output.h"
#include "apps/railgauge/parse.h"
#include "base/strings.h"

namespace railgauge::app {
namespace {

constexpr long default_timeout_seconds = 60;

void on_interrupt(int) { ::_exit(static_cast<int>(Exit::interrupted)); }

// Written before the alarm is set and only read by its handler, which may not allocate.
std::string& deadline_document() {
  static std::string document;
  return document;
}

bool wants_json(const std::vector<std::string>& argv) {
  return std::find(argv.begin(), argv.end(), "--json") != argv.end();
}

std::string failure_document(Arguments arguments, const std::vector<std::string>& argv,
                             ErrorKind kind, const std::string& said) {
  arguments.command = argv;
  constexpr std::array<std::string_view, 4> with_schema{"see", "diff", "check", "explain"};
  const bool known = argv.size() > 1 && std::find(with_schema.begin(), with_schema.end(),
                                                  argv[1]) != with_schema.end();
  const std::string verb = known ? argv[1] : "error";
  return error_envelope("railgauge." + verb + "/1", arguments,
                        Error{kind, std::string(trim(said)), {}});
}

void write_plainly(int descriptor, std::string_view text) {
  while (!text.empty()) {
    const ssize_t written = ::write(descriptor, text.data(), text.size());
    if (written <= 0) return;  // nobody is left to tell
    text.remove_prefix(static_cast<std::size_t>(written));
  }
}

std::string& deadline_sentence() {
  static std::string sentence;
  return sentence;
}

void on_deadline(int) {
  write_plainly(STDOUT_FILENO, deadline_document());
  write_plainly(STDERR_FILENO, deadline_sentence());
  ::_exit(static_cast<int>(Exit::could_not));
}

// What was being looked at when time ran out: "a.txt, b.txt and 3 more".
std::string looked_at(const Arguments& arguments) {
  constexpr std::size_t most_named = 3;
  std::vector<std::string> inputs;
  for (const char* name : {"INPUT", "from"})
    for (const std::string& input : arguments.values(name))
      inputs.push_back(input == "-" ? "standard input" : valid_utf8(input));
  if (inputs.empty()) return "this machine";
  std::string out;
  for (std::size_t i = 0; i < inputs.size() && i < most_named; ++i)
    out += (i == 0 ? "" : ", ") + inputs[i];
  if (inputs.size() > most_named)
    out += " and " + std::to_string(inputs.size() - most_named) + " more";
  return out;
}

// One deadline over everything: no library call and no pipe can hold the caller for ever.
bool set_deadline(const Arguments& arguments, const std::vector<std::string>& argv) {
  const auto seconds =
      parse_int(arguments.value("timeout", std::to_string(default_timeout_seconds)));
  if (!seconds || *seconds < 1 || *seconds > 86400) {
    const std::string said = "--timeout takes whole seconds from 1 to 86400";
    if (wants_json(argv))
      write_result({}, failure_document(arguments, argv, ErrorKind::usage, said));
    say_error(said);
    return false;
  }
  const std::string said = looked_at(arguments) + ": gave up after " + std::to_string(*seconds) +
                           " s, the deadline. The input is very large, or a driver or a pipe did "
                           "not answer; --timeout SECONDS waits longer";
  deadline_sentence() = "railgauge: " + valid_utf8(strip_terminal_codes(said)) + "\n";
  if (wants_json(argv) && !arguments.has("output"))
    deadline_document() = failure_document(arguments, argv, ErrorKind::limit, said);
  std::signal(SIGALRM, on_deadline);
  ::alarm(static_cast<unsigned>(*seconds));
  return true;
}

Exit run(const std::vector<std::string>& argv) {
  const Parsed parsed = parse(argv);
  if (parsed.verb == nullptr) {
    if (!parsed.failed) return write_result({}, parsed.print);
    const std::string said = valid_utf8(strip_terminal_codes(parsed.print));
    if (wants_json(argv))
      write_result({}, failure_document(parsed.arguments, argv, ErrorKind::usage, said));
    std::fputs(said.c_str(), stderr);
    return Exit::could_not;
  }
  if (!set_deadline(parsed.arguments, argv)) return Exit::could_not;
  return parsed.verb->run(parsed.arguments);
}

// Reading many machines takes and frees the same 20 MB for each. glibc would give them back to the
// kernel every time and fault them in again, page by page: a tenth of all the time.
void keep_freed_memory() {
#ifdef __GLIBC__
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);  // the most glibc takes
  ::mallopt(M_TRIM_THRESHOLD, 128 << 20);
  ::mallopt(M_TOP_PAD, 4 << 20);
#endif
}

}  // namespace
}  // namespace railgauge::app

int main(int argc, char** argv) {
  railgauge::app::keep_freed_memory();
  std::signal(SIGINT, railgauge::app::on_interrupt);
  std::signal(SIGPIPE, SIG_DFL);
  try {
    return static_cast<int>(railgauge::app::run(std::vector<std::string>(argv, argv + argc)));
  } catch (const std::bad_alloc&) {
    railgauge::app::say_error(
        "out of memory: the input describes more than fits; give fewer or smaller files");
    return static_cast<int>(railgauge::app::Exit::could_not);
  } catch (const std::exception& error) {
    railgauge::app::say_error(std::string("this is a bug, please report it: ") + error.what());
    return static_cast<int>(railgauge::app::Exit::could_not);
  }
}
