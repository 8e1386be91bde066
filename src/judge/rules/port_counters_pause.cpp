// Priority flow control: links that are paused much of the time, and RoCE that runs outside the
// priority which PFC protects.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/port_counters_parts.h"

namespace railgauge::judge {
namespace {

using namespace model;

// One direction of one priority.
struct Pause {
  std::string_view direction;  // "rx": we are told to stop; "tx": we tell others to
  int priority = 0;
  std::uint64_t frames = 0;
  std::uint64_t frames_other_way = 0;
  std::optional<double> share;  // of the time, paused
  bool since_start = false;     // the share is over the whole uptime
};

constexpr double least_share = 0.05;  // of the time: what a burst does not reach over seconds
constexpr double storm_share = 0.20;
constexpr std::uint64_t many_frames = 100'000;

std::optional<Pause> pause_of(const Patient& patient, const PortView& view,
                              std::string_view direction, int priority) {
  const NicPort& port = *view.port;
  const auto frames = counter(port, priority_counter(direction, "pause_frames", priority));
  const std::string duration = priority_counter(direction, "pause_duration_us", priority);
  const auto paused = counter(port, duration);
  if (!frames && !paused) return std::nullopt;
  Pause out{direction, priority, frames.value_or(0), 0, {}, false};
  const std::string_view other = direction == "rx" ? "tx" : "rx";
  out.frames_other_way =
      counter(port, priority_counter(other, "pause_frames", priority)).value_or(0);
  if (const auto rate = counter_rate(port, duration)) {
    out.share = *rate / 1e6;
  } else if (const auto& uptime = patient.machine.host.uptime_seconds;
             paused && uptime && *uptime > 60) {
    out.share = static_cast<double>(*paused) / 1e6 / *uptime;
    out.since_start = true;
  }
  return out;
}

// Without a time: far more pauses one way than the other, and not because of the port's age: one
// for each hundred thousand packets is somebody who keeps stopping others. What is received comes
// from many hosts, so where packets are not told it must be more.
bool is_lopsided(const PortView& view, const Pause& pause) {
  constexpr double each_packets = 1e-5;
  if (pause.frames < many_frames) return false;
  if (pause.frames < 10 * std::max<std::uint64_t>(pause.frames_other_way, 1)) return false;
  const std::string_view data = pause.direction == "tx" ? "rx" : "tx";
  const auto packets = counter(*view.port, priority_counter(data, "packets", pause.priority));
  if (packets && *packets > 0)
    return static_cast<double>(pause.frames) / static_cast<double>(*packets) >= each_packets;
  return pause.direction == "tx" || (is_excerpt(*view.port) && pause.frames >= 10 * many_frames);
}

std::string what_happens(const Pause& pause) {
  const std::string whom =
      pause.direction == "tx"
          ? fmt::format("this host pauses its senders on priority {}", pause.priority)
          : fmt::format("the network pauses this host on priority {}", pause.priority);
  if (pause.share && !pause.since_start)
    return fmt::format("{} {} of the time", whom, percent(*pause.share));
  if (pause.share && *pause.share >= least_share)
    return fmt::format("{} {} of the time since the start", whom, percent(*pause.share));
  const bool sent = pause.direction == "tx";
  return fmt::format("{}: {} pause frames sent, {} received", whom,
                     sent ? pause.frames : pause.frames_other_way,
                     sent ? pause.frames_other_way : pause.frames);
}

std::vector<RemedyStep> remedy(const PortView& view, const Pause& pause) {
  const std::string watch = fmt::format("ethtool -S {} | grep -E 'prio{}_pause|out_of_buffer|pci'",
                                        interface_of(view), pause.priority);
  if (pause.direction == "tx")
    return {step("find why this host takes its data slowly: PCIe link narrow or slow, IOMMU, "
                 "memory on another socket, no posted receive buffers",
                 "railgauge check --only PCI,NUM,RDM012"),
            step("watch the counters while the job runs", watch)};
  return {step("find the slow receiver: the host whose own tx pause counters grow",
               "railgauge check NODE1.tar NODE2.tar …"),
          step("watch the counters while the job runs", watch),
          step("look at the switches' PFC watchdog and at their pause counters, port by port")};
}

void report(const Machine& machine, const PortView& view, const Pause& pause, Verdicts& out) {
  Finding& finding = fail_port(out, machine, view, what_happens(pause));
  for (const char* what : {"pause_frames", "pause_duration_us"}) {
    const std::string name = priority_counter(pause.direction, what, pause.priority);
    if (counter(*view.port, name))
      finding.evidence.push_back(counter_evidence(machine, view, name));
  }
  const std::string marked = fmt::format("ecn_marked_priority_{}", pause.priority);
  if (counter(*view.port, marked).value_or(0) > 0)
    finding.evidence.push_back(counter_evidence(machine, view, marked));
  if (pause.share) finding.impact.lost_fraction = std::min(*pause.share, 1.0);
  if (pause.share && *pause.share >= storm_share) finding.severity = Severity::error;
  finding.impact.text = pause.direction == "tx"
                            ? "switches fill up behind this host and stop others that never send "
                              "to it: one slow receiver slows a fabric"
                            : "what is sent waits; nothing is dropped, so nothing else shows it";
  finding.remedy = remedy(view, pause);
}

void storm(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const PortView& view : port_views(machine)) {
    bool judged = false;
    bool timeless = false;
    for (const std::string_view direction : {"tx", "rx"})
      for (int priority = 0; priority < priorities; ++priority) {
        const auto pause = pause_of(patient, view, direction, priority);
        if (!pause) continue;
        if (pause->share && *pause->share >= least_share)
          report(machine, view, *pause, out);
        else if (!pause->share && is_lopsided(view, *pause))
          report(machine, view, *pause, out);
        else if (!pause->share && pause->frames >= many_frames)
          timeless = true;
        judged = true;
      }
    for (const char* name : {"tx_pause_storm_warnings", "tx_pause_storm_errors"})
      if (counter(*view.port, name).value_or(0) > 0) {
        Finding& finding =
            fail_port(out, machine, view, "the adapter itself has seen a pause storm of its own");
        finding.severity = Severity::error;
        finding.evidence = {counter_evidence(machine, view, name, "0")};
        finding.impact.text = "the adapter stopped receiving for so long that its watchdog acted";
        finding.remedy = remedy(view, {"tx", 3, 0, 0, {}, false});
      }
    if (timeless)
      out.unknown(subject_of(machine, view), Need::port_samples);
    else if (judged)
      out.pass();
  }
}

std::uint64_t bytes_on(const NicPort& port, int first, int last) {
  std::uint64_t sum = 0;
  for (int priority = first; priority <= last; ++priority)
    for (const char* direction : {"rx", "tx"})
      sum += counter(port, priority_counter(direction, "bytes", priority)).value_or(0);
  return sum;
}

std::uint64_t pauses_on(const NicPort& port, int first, int last) {
  std::uint64_t sum = 0;
  for (int priority = first; priority <= last; ++priority)
    for (const char* direction : {"rx", "tx"})
      sum += counter(port, priority_counter(direction, "pause_frames", priority)).value_or(0);
  return sum;
}

// Whether loss is known to be absent: a fabric that is run lossy on purpose and works.
bool known_lossless(const NicPort& port) {
  const auto timeouts = counter(port, "local_ack_timeouts");
  return timeouts == 0u && counter(port, "packet_sequence_errors").value_or(0) == 0 &&
         counter(port, "rx_discards_phy").value_or(0) == 0;
}

std::vector<RemedyStep> priority_remedy(const PortView& view) {
  const std::string name = interface_of(view);
  return {
      step("mark the traffic: DSCP 26 (traffic class 106 with ECN) is priority 3 by the usual "
           "map",
           "export NCCL_IB_TC=106 UCX_IB_TRAFFIC_CLASS=106"),
      root_step("let the adapter go by DSCP",
                fmt::format("dcb app add dev {} dscp-prio 26:3", name)),
      root_step("make priority 3 alone lossless",
                fmt::format("dcb pfc set dev {} prio-pfc all:off 3:on", name)),
      step("the same on every switch: DSCP 26 to class 3, PFC and ECN on it. A stock SONiC maps "
           "DSCP 26 to the lossy class 1"),
      step("see that the bytes move", fmt::format("ethtool -S {} | grep prio3_bytes", name))};
}

void all_on_0(const Machine& machine, const PortView& view, const RoceTraffic& roce,
              Verdicts& out) {
  const NicPort& port = *view.port;
  const std::uint64_t bytes = bytes_on(port, 0, 0);
  Finding& finding = fail_port(
      out, machine, view,
      fmt::format("{}: {} so far, none on priorities 1 to 7",
                  roce.seen ? "RoCE runs in priority 0"
                            : "all traffic is in priority 0, RoCE with it if the port carries any",
                  text_of_bytes(bytes)));
  for (const char* direction : {"rx", "tx"}) {
    const std::string name = priority_counter(direction, "bytes", 0);
    if (counter(port, name))
      finding.evidence.push_back(counter_evidence(machine, view, name, "bytes on priority 3"));
  }
  if (roce.seen) finding.evidence.push_back(counter_evidence(machine, view, roce.evidence));
  finding.impact.text =
      "nothing protects it from loss: PFC and ECN are set up for another class, "
      "and one lost packet costs a retransmission timeout";
  finding.remedy = priority_remedy(view);
  if (known_lossless(port)) {
    finding.severity = Severity::note;
    finding.weight = 15;
    finding.text += "; no loss so far";
  }
}

void on_0(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr std::uint64_t some_pauses = 1000;
  constexpr std::uint64_t much = 1'000'000'000'000;  // bytes: what a management port does not move
  for (const PortView& view : port_views(machine)) {
    const NicPort& port = *view.port;
    if (is_infiniband(view)) continue;
    const std::uint64_t pauses = pauses_on(port, 0, 0);
    if (pauses >= some_pauses && pauses_on(port, 1, priorities - 1) == 0) {
      Finding& finding = fail_port(
          out, machine, view,
          fmt::format("priority 0 is paused ({} frames) where RoCE should be in a class of its own",
                      pauses));
      for (const char* direction : {"tx", "rx"})
        if (const auto name = priority_counter(direction, "pause_frames", 0); counter(port, name))
          finding.evidence.push_back(counter_evidence(machine, view, name, "0"));
      finding.impact.text =
          "flow control acts on the class of all ordinary traffic: TCP and "
          "management stop with RoCE";
      finding.remedy = priority_remedy(view);
      continue;
    }
    const std::uint64_t bytes = bytes_on(port, 0, 0);
    if (bytes == 0) continue;
    const RoceTraffic roce = roce_traffic(view);
    if (bytes_on(port, 1, priorities - 1) > 0 || roce.ruled_out ||
        !(roce.seen || (is_excerpt(port) && bytes >= much))) {
      out.pass();
      continue;
    }
    all_on_0(machine, view, roce, out);
  }
}

}  // namespace

std::vector<Rule> pause_rules() {
  return {
      Rule{
          .id = "RDM010",
          .name = "pfc-storm",
          .severity = Severity::warning,
          .weight = 80,
          .needs = {Need::port_counters},
          .explains = {{"RDM014", Relation::same_device}, {"NCC207", Relation::same_device}},
          .look = storm,
          .page = {.what = "Priority flow control stops a port for much of the time.",
                   .why = "A paused link loses bandwidth and drops nothing. Pauses sent (tx) mean "
                          "that this host takes its data slowly; pauses received (rx) that the "
                          "network or a peer does. They spread backwards through switches, so "
                          "one slow receiver stops hosts that never send to it.",
                   .by_hand = "ethtool -S INTERFACE | grep -E 'prio[0-7]_pause'; again after 10 s\n"
                              "The growth of pause_duration is microseconds: over the time "
                              "between, it is the share of time paused. More than 5 % hurts. The "
                              "counters alone say nothing without a time.",
                   .remedy = "tx: find what makes this host slow (PCIe link, IOMMU, NUMA, posted "
                             "buffers). rx: find the host whose tx grows.",
                   .benign_if = "Counters are large because the port has been up for months: only "
                                "a share of time, or many more pauses sent than received, counts. "
                                "Short bursts at the start of a collective are normal.",
                   .references = {"IEEE 802.1Qbb (Priority-based Flow Control)",
                                  "Linux kernel, Documentation/networking/device_drivers/"
                                  "ethernet/mellanox/mlx5/counters.rst"}}},
      Rule{.id = "RDM011",
           .name = "roce-on-priority-0",
           .severity = Severity::warning,
           .weight = 70,
           .needs = {Need::port_counters},
           .explains = {{"RDM013", Relation::same_device}, {"RDM014", Relation::same_device}},
           .look = on_0,
           .page = {.what = "RoCE traffic is in priority 0, or flow control acts on priority 0.",
                    .why = "Lossless classes are set up for one priority, by custom 3. What is not "
                           "marked goes to 0: it is dropped under congestion, and each lost packet "
                           "costs a timeout; with PFC on 0 all ordinary traffic stops as well. "
                           "NCCL marks with class 0 unless NCCL_IB_TC is set, UCX with 106.",
                    .by_hand = "ethtool -S INTERFACE | grep -E 'prio[0-7]_(bytes|pause)|rdma'\n"
                               "With RDMA counters that grow, prio0_bytes grows and prio3_bytes "
                               "stays.",
                    .remedy = "Mark the traffic (NCCL_IB_TC=106, UCX_IB_TRAFFIC_CLASS=106), trust "
                              "DSCP on the host and on every switch, PFC and ECN on priority 3.",
                    .benign_if = "The port carries no RDMA, or the fabric is lossy by design with "
                                 "congestion control in the adapters and shows no loss. The "
                                 "priority may be another than 3: it must be the fabric's.",
                    .references = {"NCCL User Guide, Environment Variables, NCCL_IB_TC",
                                   "dcb-app(8), dcb-pfc(8)", "IEEE 802.1Qbb"}}},
  };
}

}  // namespace railgauge::judge
