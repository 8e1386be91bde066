#include "judge/rules/xid_episodes.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <map>
#include <set>

namespace railgauge::judge {

using namespace model;

namespace {

constexpr int recovery_action_changed = 154;
// What follows within this time is taken for a consequence; without times, within so many lines.
constexpr double soon_seconds = 60;
constexpr std::uint32_t near_lines = 200;

// Gravest first. A remap that failed says more than the error that asked for it.
constexpr std::array<int, 10> memory_codes{64, 95, 140, 48, 171, 172, 94, 157, 63, 92};
// Faults of programs; they cause no fault of the hardware.
constexpr std::array<int, 8> program_codes{13, 14, 31, 43, 45, 68, 69, 137};
constexpr std::array<int, 20> hardware_codes{74,  79,  119, 120, 121, 136, 143, 144, 145, 146,
                                             147, 148, 149, 150, 155, 158, 167, 110, 54,  169};

template <class List>
bool is_one_of(const List& list, int code) {
  return std::find(list.begin(), list.end(), code) != list.end();
}

std::ptrdiff_t gravity(int code) {
  return std::find(memory_codes.begin(), memory_codes.end(), code) - memory_codes.begin();
}

bool soon_after(const Event& first, const Event& next) {
  if (first.source.index != next.source.index) return false;
  const auto clock = [](const Event& event) {
    return event.uptime_seconds ? event.uptime_seconds : event.clock_seconds;
  };
  if (const auto a = clock(first), b = clock(next); a && b) return *b - *a <= soon_seconds;
  return next.source.line - first.source.line <= near_lines;
}

bool follows(const XidEpisode& episode, const Event& last, const Event& next) {
  const int code = next.code.value_or(0);
  if (code == recovery_action_changed) return true;
  if (!soon_after(last, next)) return false;
  if (code == episode.code()) return true;
  const bool hard = is_one_of(hardware_codes, code) || is_one_of(memory_codes, code);
  return !(hard && is_one_of(program_codes, episode.code()));
}

struct Open {
  std::size_t place = 0;
  const Event* last = nullptr;
};

void add(XidEpisode& episode, const Event& event) {
  const int code = event.code.value_or(0);
  if (code == episode.code()) {
    episode.count += event.count;
    return;
  }
  const bool memory = is_one_of(memory_codes, code) && is_one_of(memory_codes, episode.code());
  if (memory && gravity(code) < gravity(episode.code())) {
    episode.followers.insert(episode.followers.begin(), episode.cause);
    episode.cause = &event;
    episode.count = event.count;
    return;
  }
  episode.followers.push_back(&event);
}

std::vector<XidEpisode> separate_episodes(const Machine& machine) {
  std::vector<XidEpisode> out;
  std::map<std::optional<PciAddress>, Open> open;
  for (const Event& event : machine.events) {
    if (event.kind != EventKind::xid || !event.code) continue;
    const auto at = open.find(event.device);
    if (at != open.end() && follows(out[at->second.place], *at->second.last, event)) {
      add(out[at->second.place], event);
      at->second.last = &event;
      continue;
    }
    open[event.device] = {out.size(), &event};
    out.push_back({event.device, &event, {}, event.count});
  }
  return out;
}

std::string address_word(const XidEpisode& episode) {
  return episode.address ? episode.address->text() : std::string("GPU");
}

RemedyStep restart_application() {
  return {.text =
              "start the job again; run it under compute-sanitizer if it fails at the same "
              "place",
          .command = "compute-sanitizer --tool memcheck PROGRAM"};
}

RemedyStep reset_gpu(const std::string& address) {
  return {.text =
              "stop the jobs, then reset the GPU (all GPUs of the board where they share "
              "NVSwitches)",
          .command = fmt::format("sudo nvidia-smi --gpu-reset -i {}", address),
          .needs_root = true,
          .risk = Risk::interrupts,
          .risk_text = "jobs on the GPU end"};
}

RemedyStep power_cycle() {
  return {.text = "drain the node and power it off and on",
          .command = "sudo ipmitool chassis power cycle",
          .needs_root = true,
          .needs_reboot = true,
          .risk = Risk::interrupts,
          .risk_text = "everything on the node ends"};
}

RemedyStep support() {
  return {.text = "if it comes back: collect the driver's report and ask the maker",
          .command = "sudo nvidia-bug-report.sh",
          .needs_root = true};
}

}  // namespace

std::vector<XidEpisode> xid_episodes(const Machine& machine) {
  std::vector<XidEpisode> out;
  std::map<std::pair<std::optional<PciAddress>, int>, std::size_t> places;
  for (XidEpisode& one : separate_episodes(machine)) {
    const auto [at, made] = places.try_emplace({one.address, one.code()}, out.size());
    if (made) {
      out.push_back(std::move(one));
      continue;
    }
    XidEpisode& first = out[at->second];
    first.count += one.count;
    first.followers.insert(first.followers.end(), one.followers.begin(), one.followers.end());
  }
  return out;
}

std::string name_of_xid(const Patient& patient, int code) {
  const XidRow* row = patient.advice.xid(code);
  return row != nullptr ? fmt::format("Xid {} ({})", code, row->name) : fmt::format("Xid {}", code);
}

std::vector<RemedyStep> steps_of(std::string_view action, const std::string& address) {
  if (action == "RESTART_APP") return {restart_application()};
  if (action == "RESTART_BM" || action == "RESTART_VM") return {power_cycle(), support()};
  if (action == "CHECK_MECHANICALS")
    return {{.text = "plug in the GPU's power cables and seat the card", .command = {}}, support()};
  if (action == "UPDATE_SWFW")
    return {{.text = "update driver and firmware together", .command = "nvidia-smi"}};
  if (action == "CONTACT_SUPPORT") return {support()};
  if (action == "IGNORE" || action == "XID_154" || action == "WORKFLOW_XID_45") return {};
  return {reset_gpu(address), support()};  // RESET_GPU and the workflows that end in it
}

Finding& report_xid(const Patient& patient, const XidEpisode& episode, Verdicts& out) {
  const Machine& machine = patient.machine;
  const auto device = episode.address ? machine.at(*episode.address) : std::nullopt;
  std::string text = name_of_xid(patient, episode.code());
  if (episode.count > 1) text += fmt::format(", {} times", episode.count);
  if (!episode.cause->process.empty()) text += " while " + episode.cause->process + " ran";
  std::set<int> later;
  for (const Event* event : episode.followers)
    if (event->code && *event->code != episode.code()) later.insert(*event->code);
  if (!later.empty()) text += fmt::format("; Xid {} followed from it", fmt::join(later, ", "));
  Finding& finding =
      device ? out.fail(machine, *device, std::move(text))
             : out.fail(episode.address ? "GPU " + episode.address->text()
                                        : std::string("a GPU that the log does not name"),
                        std::move(text));
  finding.evidence.push_back(
      {"kernel log", episode.cause->text, {}, machine.sources.text(episode.cause->source)});
  constexpr std::size_t most_shown = 4;
  for (const Event* event : episode.followers) {
    if (finding.evidence.size() > most_shown) break;
    finding.evidence.push_back({"after it", event->text, {}, machine.sources.text(event->source)});
  }
  if (const XidRow* row = patient.advice.xid(episode.code())) {
    finding.remedy = steps_of(row->action, address_word(episode));
    if (!row->note.empty()) finding.impact.text = row->note;
  } else {
    finding.remedy = {support()};
  }
  return finding;
}

}  // namespace railgauge::judge
