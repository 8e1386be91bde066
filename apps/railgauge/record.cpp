// railgauge record: this machine into one file.
#include <fmt/format.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>

#include "apps/railgauge/envelope.h"
#include "apps/railgauge/file_name.h"
#include "apps/railgauge/identities.h"
#include "apps/railgauge/live.h"
#include "apps/railgauge/output.h"
#include "apps/railgauge/record_report.h"
#include "apps/railgauge/verb.h"
#include "apps/railgauge/version.h"
#include "base/duration.h"
#include "base/files.h"
#include "base/strings.h"
#include "observe/archive/archive.h"
#include "observe/record/capture.h"

namespace railgauge::app {
namespace {

constexpr const char* schema = "railgauge.record/1";
constexpr std::chrono::milliseconds shortest_interval{10};
constexpr std::chrono::hours longest_interval{24};
constexpr int most_samples = 100;

Exit report(const Arguments& arguments, const Error& error) {
  if (arguments.has("json")) print_result(error_envelope(schema, arguments, error));
  say_error(error.text());
  return Exit::could_not;
}

Result<observe::CaptureOptions> capture_options(const Arguments& arguments) {
  observe::CaptureOptions options;
  options.tool_version = version;
  if (arguments.has("keep-identities") && arguments.has("identity-key"))
    return fail(ErrorKind::usage,
                "--keep-identities and --identity-key contradict each other; give one of them");
  if (arguments.has("samples") && !arguments.has("interval"))
    return fail(ErrorKind::usage, "--samples needs --interval, the time between two of them");
  if (!arguments.has("interval")) return options;
  const std::string text = arguments.value("interval");
  const auto interval = parse_duration(text);
  if (!interval || *interval < shortest_interval || *interval > longest_interval)
    return fail(ErrorKind::usage, "--interval takes a time from 10ms to 24h, such as 10s, not " +
                                      railgauge::quoted(text));
  const auto samples = parse_int(arguments.value("samples", "2"));
  if (!samples || *samples < 2 || *samples > most_samples)
    return fail(ErrorKind::usage, "--samples takes a number from 2 to 100");
  options.interval = *interval;
  options.samples = static_cast<int>(*samples) - 1;
  const auto all = options.interval * options.samples;
  if (!arguments.has("quiet") && !arguments.has("list"))
    options.before_sample = [all](int sample, int samples_to_come) {
      fmt::print(stderr, "counters are read again: sample {} of {} ({} in all)\n", sample + 1,
                 samples_to_come + 1, text_of_duration(all));
    };
  return options;
}

// The deadline of the whole program must not cut a recording that was asked to last longer.
bool outlasts_deadline(const Arguments& arguments, const observe::CaptureOptions& options) {
  if (options.samples == 0) return false;
  const auto deadline = parse_int(arguments.value("timeout", "60")).value_or(60);
  return options.interval * options.samples + std::chrono::seconds(5) >
         std::chrono::seconds(deadline);
}

Result<std::string> target(const Arguments& arguments, const observe::Manifest& manifest) {
  const std::string pattern = arguments.value("output");
  if (pattern == "-") {
    if (::isatty(STDOUT_FILENO) == 1)
      return fail(ErrorKind::usage,
                  "a recording is not for a terminal: give -o FILE, or send it into a pipe");
    if (arguments.has("json"))
      return fail(ErrorKind::usage, "-o - and --json both want standard output; give -o FILE");
    return pattern;
  }
  const auto environment = [](const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? std::string() : std::string(value);
  };
  return recording_path(pattern, {manifest.hostname, manifest.made_at, environment});
}

// What could not be opened for want of descriptors would look absent.
bool ran_out_of_descriptors(const observe::Recording& recording) {
  for (const auto& [path, entry] : recording.entries)
    if (entry.kind == observe::Entry::Kind::refused && contains(entry.bytes, "Too many open files"))
      return true;
  return false;
}

Exit run(const Arguments& arguments) {
  const auto options = capture_options(arguments);
  if (!options) return report(arguments, options.error());
  if (outlasts_deadline(arguments, *options))
    return report(arguments,
                  {ErrorKind::usage,
                   fmt::format("the samples take {}, longer than --timeout; give a larger one",
                               text_of_duration(options->interval * options->samples)),
                   {}});
  const LiveRoot live;
  observe::Captured captured = observe::capture(live.root(), *options);
  if (ran_out_of_descriptors(captured.recording))
    return report(arguments, {ErrorKind::limit,
                              "this process may not open enough files at once, so the recording "
                              "would lack devices; raise the limit: ulimit -n 1024",
                              {}});
  auto recording = treat_identities(arguments, std::move(captured.recording));
  if (!recording) return report(arguments, recording.error());
  RecordReport said{*recording, captured.sources, {}, 0, key_is_for_once(arguments)};
  if (arguments.has("list")) {
    print_result(arguments.has("json") ? envelope(schema, arguments, {}, list_json(said))
                                       : list_text(said, style_for(arguments)));
    return Exit::done;
  }
  const auto path = target(arguments, recording->manifest);
  if (!path) return report(arguments, path.error());
  const auto bytes = observe::pack(*recording);
  if (!bytes) return report(arguments, bytes.error());
  if (const auto written = write_to(*path, *bytes); !written)
    return report(arguments, written.error());
  said.path = *path;
  said.packed_bytes = bytes->size();
  if (arguments.has("json"))
    print_result(envelope(schema, arguments, {}, record_json(said)));
  else if (!arguments.has("quiet"))
    std::fputs(record_text(said, style_for(arguments)).c_str(), *path == "-" ? stderr : stdout);
  if (*path != "-") hint(arguments, "next: railgauge see " + shell_word(*path));
  return Exit::done;
}

}  // namespace

VerbSpec record_verb() {
  VerbSpec verb;
  verb.name = "record";
  verb.summary = "Put this machine into one file, to be seen, checked and compared elsewhere";
  verb.description =
      "Reads what there is to know of this machine's interconnect and the software around it, "
      "and writes one .tar.zst. Nothing on the machine is changed, no root is needed (what root "
      "would add is said), and each program that is run has a deadline. Environment variables and "
      "kernel arguments are taken from a fixed list only; kernel messages only where they speak of "
      "this hardware. Host names, addresses, GUIDs, serial numbers and user names are replaced, "
      "the same by the same, unless --keep-identities is given. In --output, %h is the host, %r "
      "the rank a launcher gave and %t the time; a directory gets %h-%t.tar.zst.";
  verb.options = {
      {"--list", "", "Show what would be taken, and write nothing; -v names each file", {}},
      {"--interval",
       "TIME",
       "Read the counters twice, TIME apart (10s), so that they become rates",
       {},
       1,
       Completes::nothing,
       false,
       {"1s", "10s", "1m", "10m"}},
      {"--samples", "N", "Read the counters N times, one --interval apart (default 2)", {}},
  };
  verb.options.push_back(
      {"--keep-identities",
       "",
       "Keep host names, addresses, GUIDs, serial numbers and user names as they are",
       {}});
  verb.options.push_back(identity_key_option());
  verb.options.push_back(
      {"--json", "", "One JSON document about the recording, also on failure", {}});
  verb.examples = {
      {"railgauge record", "into HOST-TIME.tar.zst here"},
      {"railgauge record --interval 10s -o /shared/%h.tar.zst", "with rates, named by host"},
      {"railgauge record --list", "what is taken, before it is"},
      {"ssh node07 railgauge record -o - > node07.tar.zst", "from another machine"},
  };
  verb.run = run;
  return verb;
}

}  // namespace railgauge::app
