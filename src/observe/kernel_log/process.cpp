// What happened to processes: faults inside communication libraries, hung tasks, kills for memory.
//   python3[253644]: segfault at 7f79… ip … error 4 in libnccl.so.2[7f7c7ac00000+d3d3000]
//   INFO: task nccl-worker:4242 blocked for more than 120 seconds.
//   Out of memory: Killed process 4242 (python3) total-vm:…
// A fault in any other library is the program's own business and is left alone.
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using model::EventKind;
using model::EventSeverity;

constexpr std::array<std::string_view, 6> words{"segfault at ",        "general protection",
                                                "trap invalid opcode", "blocked for more than ",
                                                "Killed process ",     "Kill process "};

constexpr std::array<std::string_view, 18> libraries{
    "libnccl", "libcuda",   "libucp",   "libuct",     "libucs",    "libmlx5",
    "librccl", "libfabric", "libtorch", "libibverbs", "libnvidia", "libnvshmem",
    "libmpi",  "libc10",    "libefa",   "libmscclpp", "libamdhip", "libhsa"};

bool take_segfault(const LogLine& line, EventLog& log) {
  const auto in = line.text.rfind(" in ");
  if (in == std::string_view::npos) return false;
  const std::string_view library = line.text.substr(in + 4);
  bool known = false;
  for (const std::string_view name : libraries)
    known = known || library.substr(0, name.size()) == name;
  if (!known) return false;
  // "pt_main_thread[2536443]: segfault …"; "traps: python3[12] general protection …"
  std::string_view who = line.text;
  if (who.substr(0, 7) == "traps: ") who.remove_prefix(7);
  const auto bracket = who.find('[');
  model::Event& event = log.add(line, EventKind::segfault, EventSeverity::warning, line.text);
  if (bracket == std::string_view::npos || bracket > 64) return true;
  event.process = event_text(who.substr(0, bracket));
  event.process_id = leading_int(who.substr(bracket + 1));
  return true;
}

// "task NAME:PID blocked": the name may hold colons itself.
bool take_hung(const LogLine& line, EventLog& log) {
  const auto task = after(line.text, "task ");
  const auto end = task ? task->find(" blocked for more than ") : std::string_view::npos;
  if (end == std::string_view::npos) return false;
  const std::string_view who = task->substr(0, end);
  const auto colon = who.rfind(':');
  model::Event& event = log.add(line, EventKind::hung_task, EventSeverity::warning, line.text);
  if (colon == std::string_view::npos || colon > 64) return true;
  event.process = event_text(who.substr(0, colon));
  event.process_id = leading_int(who.substr(colon + 1));
  return true;
}

bool take_killed(const LogLine& line, EventLog& log) {
  auto who = after(line.text, "Killed process ");
  if (!who) who = after(line.text, "Kill process ");
  if (!who || !leading_int(*who)) return false;
  model::Event& event = log.add(line, EventKind::out_of_memory, EventSeverity::warning,
                                line.text.substr(0, line.text.find(" total-vm")));
  event.process_id = leading_int(*who);
  if (const auto name = after(until(*who, ","), "("))
    event.process = event_text(until(*name, ")").substr(0, 64));
  return true;
}

bool take(const LogLine& line, EventLog& log) {
  if (contains(line.text, "blocked for more than ")) return take_hung(line, log);
  if (contains(line.text, " process ")) return take_killed(line, log);
  return take_segfault(line, log);
}

}  // namespace

Form process_form() { return {words, take}; }

}  // namespace railgauge::observe
