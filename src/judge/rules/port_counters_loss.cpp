// What is lost between the wire and the program: discards, retransmissions; and congestion marks,
// which prevent loss.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "judge/rules/port_counters_parts.h"

namespace railgauge::judge {
namespace {

using namespace model;

struct Discard {
  const char* name;
  const char* what;    // "3 packets NAME"
  const char* remedy;  // what to do
  std::uint64_t many;  // in an excerpt without a time: what is no accident
};

constexpr std::array discards{
    Discard{"rx_discards_no_buffer", "came in while no receive buffer was posted",
            "give the receiver CPUs near the adapter and more buffers: pin the processes, spread "
            "the interrupts, ethtool -G INTERFACE rx 8192",
            100'000},
    Discard{"rdma_out_of_buffer", "found no receive work request of the program",
            "the program posts too few receives or too late: look at its CPUs and at NCCL's proxy "
            "threads",
            100'000},
    Discard{"rx_discards_phy", "were dropped at the port: its buffer was full",
            "make the class of RoCE lossless (PFC), or find what makes the host slow: PCIe, IOMMU",
            10'000},
    Discard{"pcie_buffer_overflow_discards", "were dropped because PCIe took no data",
            "look at the adapter's PCIe link and at what shares its uplink", 10'000},
    Discard{"rx_rdma_discards", "of RDMA were dropped by the adapter",
            "look at the class of RoCE: PFC and ECN at both ends", 10'000}};

std::optional<std::uint64_t> packets_of(const NicPort& port) {
  std::optional<std::uint64_t> most;
  for (const char* name : {"rx_packets", "rx_packets_phy", "port_receive_packets"})
    if (const auto value = counter(port, name)) most = std::max(most.value_or(0), *value);
  return most;
}

// How bad a count is: by its rate where there are samples, else by its share of all packets, else
// by its size.
std::optional<Severity> weigh(const PortView& view, const Discard& row) {
  const NicPort& port = *view.port;
  const std::uint64_t count = counter(port, row.name).value_or(0);
  if (count == 0) return std::nullopt;
  if (const auto rate = counter_rate(port, row.name)) {
    if (*rate == 0) return std::nullopt;  // old
    return *rate >= 10 ? Severity::warning : Severity::note;
  }
  constexpr std::uint64_t few = 1000;  // a start-up, a probe
  if (count < few) return std::nullopt;
  if (const auto packets = packets_of(port); packets && *packets > 0) {
    const double share = static_cast<double>(count) / static_cast<double>(*packets);
    // Rings of the network stack overflow in any burst of TCP, which sends again; RoCE does not
    // shrug it off so easily.
    return share >= 1e-4 && roce_traffic(view).seen ? Severity::warning : Severity::note;
  }
  return count >= row.many && is_excerpt(port) ? Severity::warning : Severity::note;
}

void discarded(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const PortView& view : port_views(machine)) {
    bool told = false;
    for (const Discard& row : discards) {
      const auto count = counter(*view.port, row.name);
      if (!count) continue;
      told = true;
      const auto severity = weigh(view, row);
      if (!severity) continue;
      const auto rate = counter_rate(*view.port, row.name);
      Finding& finding = fail_port(
          out, machine, view,
          rate ? fmt::format("{:.3g} packets a second {}", *rate, row.what)
               : fmt::format("{} packets {}, since the driver was loaded", *count, row.what));
      finding.severity = *severity;
      if (*severity == Severity::note) finding.weight = 20;
      finding.evidence = {counter_evidence(machine, view, row.name, "0, or not growing")};
      finding.impact.text =
          "each lost packet of RoCE costs a retransmission; TCP halves its window";
      finding.remedy = {step(row.remedy),
                        step("see whether it grows while the job runs",
                             fmt::format("ethtool -S {} | grep -E 'discard|out_of_buffer|drop'",
                                         interface_of(view)))};
    }
    if (told) out.pass();
  }
}

struct Retry {
  const char* name;
  const char* what;
  std::uint64_t many;  // without a time: what is no accident
  bool serious;        // a sign of loss on any fabric; else a note
};

// Adaptive routing reorders packets, so sequence errors alone are no loss there. EFA retransmits by
// design.
constexpr std::array retries{
    Retry{"retries_exceeded", "queue pairs gave up: retries exceeded", 10, true},
    Retry{"local_ack_timeouts", "acknowledgements timed out", 100, true},
    Retry{"retransmit_timeouts", "retransmission timeouts", 100, false},
    Retry{"packet_sequence_errors", "packets were asked for again", 10'000, true},
    Retry{"implied_nak_sequence_errors", "implied requests for packets again", 10'000, true},
    Retry{"rnr_nak_retries", "retries because the receiver was not ready", 10'000, false},
    Retry{"retransmitted_packets", "packets sent again", 100'000, false},
    Retry{"out_of_sequence", "packets came out of order", 1'000'000, false}};

std::optional<Severity> weigh(const NicPort& port, const Retry& row) {
  const std::uint64_t count = counter(port, row.name).value_or(0);
  if (count == 0) return std::nullopt;
  if (const auto rate = counter_rate(port, row.name)) {
    if (*rate == 0) return std::nullopt;
    return row.serious && *rate >= 0.1 ? Severity::warning : Severity::note;
  }
  if (count < row.many / 10 + 1) return std::nullopt;
  return row.serious && count >= row.many ? Severity::warning : Severity::note;
}

std::vector<RemedyStep> retry_remedy(const PortView& view) {
  std::vector<RemedyStep> out;
  if (is_infiniband(view)) {
    out.push_back(root_step("look for bad links in the fabric", "ibqueryerrors -c"));
  } else {
    out.push_back(step("look whether RoCE has its lossless class end to end",
                       "railgauge check --only RDM010,RDM011,RDM012,RDM015"));
    out.push_back(
        step("look for errors of the link itself",
             fmt::format("ethtool -S {} | grep -E 'crc|symbol|discard'", interface_of(view))));
  }
  out.push_back(step("see whether it grows while the job runs",
                     fmt::format("grep . /sys/class/infiniband/{}/ports/{}/hw_counters/*",
                                 rdma_name_of(view), view.port->number)));
  return out;
}

void retransmitted(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const PortView& view : port_views(machine)) {
    bool told = false;
    for (const Retry& row : retries) {
      const auto count = counter(*view.port, row.name);
      if (!count) continue;
      told = true;
      const auto severity = weigh(*view.port, row);
      if (!severity) continue;
      const auto rate = counter_rate(*view.port, row.name);
      Finding& finding = fail_port(
          out, machine, view,
          rate ? fmt::format("{}: {:.3g} a second", row.what, *rate)
               : fmt::format("{}: {} times since the driver was loaded", row.what, *count));
      finding.severity = *severity;
      if (*severity == Severity::note) finding.weight = 20;
      finding.evidence = {counter_evidence(machine, view, row.name, "0, or not growing")};
      finding.impact.text =
          "the fabric loses packets: each loss stops its queue pair until a "
          "timer of milliseconds to seconds ends, and the collective with it";
      finding.remedy = retry_remedy(view);
    }
    if (told) out.pass();
  }
}

void marked(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  static constexpr std::array names{"congestion_notifications_sent",
                                    "congestion_notifications_handled", "ecn_marked_roce_packets"};
  for (const PortView& view : port_views(machine)) {
    const char* found = nullptr;
    bool told = false;
    for (const char* name : names) {
      const auto count = counter(*view.port, name);
      if (!count) continue;
      told = true;
      if (found == nullptr && *count > 0 && counter_rate(*view.port, name).value_or(1) > 0)
        found = name;
    }
    if (found == nullptr) {
      if (told) out.pass();
      continue;
    }
    const auto rate = counter_rate(*view.port, found);
    Finding& finding =
        fail_port(out, machine, view,
                  rate ? fmt::format("ECN is at work: {:.3g} {} a second", *rate, found)
                       : fmt::format("ECN is at work: {} {}", *counter(*view.port, found), found));
    for (const char* name : names)
      if (counter(*view.port, name))
        finding.evidence.push_back(counter_evidence(machine, view, name));
    finding.impact.text =
        "senders slow down before switches drop: normal under load; much of it "
        "all the time means that several senders meet at one receiver";
    finding.remedy = {step("see which flows meet where: rails, number of queue pairs, hashing",
                           "railgauge check --only RDM010")};
  }
}

std::vector<Rule> discard_rules() {
  return {
      Rule{.id = "RDM012",
           .name = "receive-discards",
           .severity = Severity::warning,
           .weight = 60,
           .needs = {Need::port_counters},
           .look = discarded,
           .page = {.what = "Packets that arrived were thrown away for want of a buffer.",
                    .why = "The network did its part: the host was too slow to take the data. "
                           "rx_out_of_buffer means that no receive buffer was posted (the "
                           "application, its CPUs, its interrupts); rx_discards_phy that the "
                           "port's own buffer was full (PCIe, or no flow control).",
                    .by_hand = "ethtool -S INTERFACE | grep -E 'discard|out_of_buffer'; again "
                               "after 10 s\n"
                               "What counts is the growth while the job runs.",
                    .remedy = "Pin the receiving processes and the interrupts near the adapter, "
                              "post more buffers, look at the PCIe link.",
                    .benign_if = "The number does not grow: it counts since the driver was loaded. "
                                 "In the full list of a port without RDMA traffic it is TCP's "
                                 "affair and a note.",
                    .references = {"Linux kernel, Documentation/networking/device_drivers/"
                                   "ethernet/mellanox/mlx5/counters.rst"}}},
  };
}

std::vector<Rule> retry_rules() {
  return {
      Rule{.id = "RDM013",
           .name = "retransmissions",
           .severity = Severity::warning,
           .weight = 65,
           .needs = {Need::port_counters},
           .explains = {{"NCC008", Relation::anything}},
           .look = retransmitted,
           .page = {.what = "RDMA had to send again: acknowledgements timed out, or packets were "
                            "missing.",
                    .why = "RDMA expects a fabric that does not lose packets. A lost one stops its "
                           "queue pair for a timeout (NCCL: 4.096 us times 2 to the power of "
                           "NCCL_IB_TIMEOUT, 4.3 s by default); after 7 retries the job ends with "
                           "completion error 12.",
                    .by_hand = "grep . /sys/class/infiniband/*/ports/*/hw_counters/* | grep -E "
                               "'timeout|seq|retr'\n"
                               "local_ack_timeout_err and packet_seq_err that grow mean loss.",
                    .remedy = "RoCE: lossless class, ECN and MTU end to end. InfiniBand: find the "
                              "bad link with ibqueryerrors.",
                    .benign_if = "A few from the time when a peer rebooted. out_of_sequence alone "
                                 "is what adaptive routing does; EFA retransmits by design; both "
                                 "are notes.",
                    .references = {"NCCL User Guide, NCCL_IB_TIMEOUT and NCCL_IB_RETRY_CNT",
                                   "NVIDIA: Understanding mlx5 Linux Counters and Status "
                                   "Parameters"}}},
      Rule{.id = "RDM014",
           .name = "congestion-marks",
           .severity = Severity::note,
           .weight = 15,
           .needs = {Need::port_counters},
           .look = marked,
           .page = {.what = "Congestion notifications are sent or handled: ECN is at work.",
                    .why = "Switches mark packets when queues fill, receivers answer with "
                           "notification packets, senders slow down. That is what should happen "
                           "under load, before PFC has to pause.",
                    .by_hand = "grep . /sys/class/infiniband/*/ports/*/hw_counters/*{cnp,ecn}*",
                    .remedy = "Nothing, unless bandwidth is low: then look which flows meet at one "
                              "port (hashing, rails, incast).",
                    .benign_if = "Always a note: marks are the means, not the fault.",
                    .references = {"IEEE 802.1Qau and RFC 3168 (ECN)",
                                   "Zhu et al., Congestion Control for Large-Scale RDMA "
                                   "Deployments (DCQCN), SIGCOMM 2015"}}},
  };
}

}  // namespace

std::vector<Rule> loss_rules() { return together({discard_rules(), retry_rules()}); }

}  // namespace railgauge::judge
