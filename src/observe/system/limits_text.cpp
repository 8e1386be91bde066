// Limits of a process: /proc/PID/limits, `ulimit -a` of bash, zsh and dash, `prlimit`.
#include <array>

#include "base/strings.h"
#include "observe/system/host_text.h"

namespace railgauge::observe {
namespace {

using model::Fact;
using model::HostFacts;
using model::Limit;

// How one tool writes one limit: the line starts with `start` and has `inside`; the soft limit is
// the word `from_end` words before the end (1 is the last), counted in `unit_bytes`.
struct Form {
  std::string_view start;
  std::string_view inside;
  std::size_t from_end;
  std::uint64_t unit;
  Fact<Limit> HostFacts::*fact;
};

constexpr auto memory = &HostFacts::locked_memory_limit_bytes;
constexpr auto files = &HostFacts::open_files_limit;
constexpr std::array<Form, 10> forms{{
    {"Max locked memory ", " bytes", 3, 1, memory},  // /proc/PID/limits
    {"Max open files ", " files", 3, 1, files},
    {"max locked memory ", "(kbytes, -l)", 1, 1024, memory},  // bash
    {"open files ", "(-n)", 1, 1, files},
    {"-l: locked-in-memory size (kbytes) ", "", 1, 1024, memory},  // zsh
    {"-n: file descriptors ", "", 1, 1, files},
    {"locked memory(kbytes) ", "", 1, 1024, memory},  // dash
    {"nofiles ", "", 1, 1, files},
    {"MEMLOCK ", "max locked-in-memory", 3, 1, memory},  // prlimit
    {"NOFILE ", "max number of open files", 3, 1, files},
}};

Reading<Limit> limit(std::string_view word, std::uint64_t unit) {
  if (word == "unlimited") return Limit{};
  const auto number = parse_int(word);
  if (!number || *number < 0 || static_cast<std::uint64_t>(*number) > UINT64_MAX / unit)
    return Reading<Limit>::not_reported();
  return Limit{static_cast<std::uint64_t>(*number) * unit};
}

}  // namespace

bool limits_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  bool found = false;
  for (LineCursor lines(text); lines.next() && machine.remarks.size() < 100;) {
    const auto line = trim(lines.line().substr(0, 1024));
    for (const Form& form : forms) {
      if (!line.starts_with(form.start) || !contains(line, form.inside)) continue;
      const auto words = split_blank(line);
      if (words.size() <= form.from_end) continue;
      const auto here = source.at_line(lines.number());
      const auto word = words[words.size() - form.from_end];
      if (const auto value = limit(word, form.unit)) {
        (machine.host.*form.fact).claim(*value, here);
        found = true;
      } else if (!std::string_view(form.inside)
                      .empty()) {  // a line of a form as common as "nofiles …" may be anybody's
        machine.remark(model::RemarkLevel::warning,
                       "expected a number or unlimited, found " + railgauge::quoted(word), here);
        found = true;
      }
    }
  }
  return found;
}

}  // namespace railgauge::observe
