// The process: argv in, exit status out. The last place that catches an exception.
#include <unistd.h>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <exception>

#include "apps/railgauge/output.h"
#include "apps/railgauge/parse.h"
#include "base/strings.h"

namespace railgauge::app {
namespace {

constexpr long default_timeout_seconds = 60;

void on_interrupt(int) { ::_exit(static_cast<int>(Exit::interrupted)); }

void on_deadline(int) {
  static constexpr char text[] =
      "railgauge: gave up: the deadline passed. A driver or a pipe did not answer; see --timeout\n";
  if (::write(STDERR_FILENO, text, sizeof text - 1) < 0) {
    // Nothing is left to tell it to.
  }
  ::_exit(static_cast<int>(Exit::could_not));
}

// One deadline over everything: no library call and no pipe can hold the caller for ever.
bool set_deadline(const Arguments& arguments) {
  const auto seconds =
      parse_int(arguments.value("timeout", std::to_string(default_timeout_seconds)));
  if (!seconds || *seconds < 1 || *seconds > 86400) {
    say_error("--timeout takes whole seconds from 1 to 86400");
    return false;
  }
  std::signal(SIGALRM, on_deadline);
  ::alarm(static_cast<unsigned>(*seconds));
  return true;
}

Exit run(const std::vector<std::string>& argv) {
  const Parsed parsed = parse(argv);
  if (parsed.verb == nullptr) {
    if (!parsed.failed) return write_result({}, parsed.print);
    std::fputs(parsed.print.c_str(), stderr);
    return Exit::could_not;
  }
  if (!set_deadline(parsed.arguments)) return Exit::could_not;
  return parsed.verb->run(parsed.arguments);
}

}  // namespace
}  // namespace railgauge::app

int main(int argc, char** argv) {
  std::signal(SIGINT, railgauge::app::on_interrupt);
  std::signal(SIGPIPE, SIG_DFL);
  try {
    return static_cast<int>(railgauge::app::run(std::vector<std::string>(argv, argv + argc)));
  } catch (const std::exception& error) {
    railgauge::app::say_error(std::string("this is a bug, please report it: ") + error.what());
    return static_cast<int>(railgauge::app::Exit::could_not);
  }
}
