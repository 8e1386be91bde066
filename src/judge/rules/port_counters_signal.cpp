// Errors on the wire, time without credits, and time without PCIe: cables, modules, links between
// switches, hosts that are slower than their adapter.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "judge/rules/port_counters_parts.h"

namespace railgauge::judge {
namespace {

using namespace model;

struct Signal {
  const char* name;
  const char* what;
  std::uint64_t many;  // without anything to compare with: what is no accident
  bool on_the_wire;    // bits arrived wrong, so that it can be held against packets received
};

// Thresholds of ibqueryerrors' own defaults (10 for most counters), higher where a reboot of the
// other end adds some.
constexpr std::array signals{
    Signal{"symbol_errors", "symbol errors", 100, true},
    Signal{"port_receive_errors", "receive errors", 20, true},
    Signal{"link_error_recovery", "link recoveries", 5, false},
    Signal{"local_link_integrity_errors", "link integrity errors", 10, true},
    Signal{"transmit_discards", "packets discarded on transmission", 1000, false},
    Signal{"rx_symbol_errors", "symbol errors", 100, true},
    Signal{"rx_symbol_errors_uncorrected", "symbol errors that FEC did not correct", 100, true},
    Signal{"rx_crc_errors", "CRC errors", 100, true},
    Signal{"rx_fec_uncorrectable_blocks", "blocks that FEC could not correct", 10, true}};

std::optional<std::uint64_t> received(const NicPort& port) {
  for (const char* name : {"port_receive_packets", "rx_packets_phy", "rx_packets"})
    if (const auto value = counter(port, name); value && *value > 0) return value;
  return std::nullopt;
}

std::optional<Severity> weigh(const NicPort& port, const Signal& row) {
  const std::uint64_t count = counter(port, row.name).value_or(0);
  if (count == 0) return std::nullopt;
  if (const auto growth = counter_growth(port, row.name)) {
    if (*growth == 0) return std::nullopt;
    return Severity::warning;
  }
  if (const auto packets = received(port); packets && row.on_the_wire) {
    // One in a thousand million packets: a link at the bit error rate of 1e-12 that InfiniBand
    // asks for loses about as many packets of 4 KiB as 3e-8 before FEC and far fewer after it.
    const double share = static_cast<double>(count) / static_cast<double>(*packets);
    if (count < row.many) return std::nullopt;
    return share >= 1e-9 ? Severity::warning : Severity::note;
  }
  return count >= row.many ? Severity::warning : Severity::note;
}

std::vector<RemedyStep> remedy(const PortView& view) {
  std::vector<RemedyStep> out{
      root_step("clear the counters and see which grow: only those are true now",
                view.facts().rdma_device ? fmt::format("perfquery -R -C {}", rdma_name_of(view))
                                         : std::string("ibqueryerrors -k"))};
  out.push_back(root_step("see module, light and eye of the link",
                          fmt::format("mlxlink -d {} -m -c -e", rdma_name_of(view))));
  out.push_back(
      step("clean or swap the cable or module, first at this end; if the errors stay "
           "with the port, the port is at fault"));
  return out;
}

void errors(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  for (const PortView& view : port_views(machine)) {
    bool told = false;
    std::string words;
    Severity worst = Severity::note;
    std::vector<Evidence> seen;
    for (const Signal& row : signals) {
      const auto count = counter(*view.port, row.name);
      if (!count) continue;
      told = true;
      const auto severity = weigh(*view.port, row);
      if (!severity) continue;
      worst = std::max(worst, *severity);
      words += fmt::format("{}{} {}", words.empty() ? "" : ", ", *count, row.what);
      seen.push_back(counter_evidence(machine, view, row.name, "0, or not growing"));
    }
    const char* down = counter(*view.port, "link_downed") ? "link_downed" : "link_down_events";
    const auto downs = counter(*view.port, down);
    told |= downs.has_value();
    if (words.empty()) {
      if (told) out.pass();
      continue;
    }
    if (downs.value_or(0) > 0) {
      words += fmt::format(", link went down {} times", *downs);
      seen.push_back(counter_evidence(machine, view, down));
    }
    Finding& finding = fail_port(out, machine, view, words);
    finding.severity = worst;
    if (worst == Severity::note) finding.weight = 15;
    finding.evidence = std::move(seen);
    finding.impact.text =
        "packets are sent again or lost: the rail slows down, and a link that "
        "goes on like that goes down";
    finding.remedy = remedy(view);
  }
}

void waiting(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr double much = 0.3;
  constexpr std::uint64_t many = 1'000'000'000;
  for (const PortView& view : port_views(machine)) {
    const NicPort& port = *view.port;
    const auto ticks = counter(port, "transmit_wait");
    if (!ticks) continue;
    const auto grown = counter_growth(port, "transmit_wait");
    const auto sent =
        grown ? counter_growth(port, "port_transmit_bytes") : counter(port, "port_transmit_bytes");
    const std::uint64_t waited = grown.value_or(*ticks);
    // A tick is the time of one word of four bytes on current adapters; the specification leaves
    // it open, so the ratio is a sign and not a measure.
    const bool known = sent && *sent > 0;
    const double ratio = known ? static_cast<double>(waited) / (static_cast<double>(*sent) / 4) : 0;
    if (known ? ratio < much : waited < many) {
      out.pass();
      continue;
    }
    Finding& finding = fail_port(
        out, machine, view,
        known
            ? fmt::format("waited {:.2g} ticks for each word sent: the other end had no room",
                          ratio)
            : fmt::format("waited {} ticks with data to send: the other end had no room", waited));
    if (grown && ratio >= 1) {
      finding.severity = Severity::warning;
      finding.weight = 50;
    }
    finding.evidence = {counter_evidence(machine, view, "transmit_wait")};
    finding.impact.text =
        "the way ahead is congested: a slow receiver, or too few links between "
        "switches";
    finding.remedy = {
        root_step("find the port at the head of the queue: much wait behind it, none "
                  "at it",
                  "ibqueryerrors --data --counters")};
  }
}

struct Stall {
  const char* name;
  const char* what;
};

// Seconds in which the adapter was stalled for more than a threshold of the time.
constexpr std::array stalls{
    Stall{"pcie_write_stall_seconds", "writes to the host (received data) were stalled"},
    Stall{"pcie_read_stall_seconds", "reads from the host (data to send) were stalled"}};

void stalled(const Patient& patient, Verdicts& out) {
  const Machine& machine = patient.machine;
  constexpr std::uint64_t many = 60;
  for (const PortView& view : port_views(machine)) {
    for (const Stall& row : stalls) {
      const auto seconds = counter(*view.port, row.name);
      if (!seconds) continue;
      const auto growth = counter_growth(*view.port, row.name);
      if (growth ? *growth == 0 : *seconds < many) {
        out.pass();
        continue;
      }
      Finding& finding = fail_port(
          out, machine, view,
          growth ? fmt::format("{} in {} seconds between the samples", row.what, *growth)
                 : fmt::format("{} in {} seconds since the driver was loaded", row.what, *seconds));
      if (!growth) {
        finding.severity = Severity::note;
        finding.weight = 20;
      }
      finding.evidence = {counter_evidence(machine, view, row.name, "0, or not growing")};
      finding.impact.text =
          "the adapter is faster than the host takes or gives data: buffers fill, "
          "and it pauses its senders or drops";
      finding.remedy = {
          step("look at the adapter's PCIe link, its read request size and relaxed ordering",
               "railgauge check --only PCI"),
          step("look whether its buffers are on another socket or go through the IOMMU",
               "railgauge check --only NUM,PCI010")};
    }
  }
}

}  // namespace

std::vector<Rule> signal_rules() {
  return {
      Rule{.id = "RDM016",
           .name = "symbol-errors",
           .severity = Severity::warning,
           .weight = 70,
           .needs = {Need::port_counters},
           .explains = {{"RDM025", Relation::same_device},
                        {"RDM013", Relation::same_device},
                        {"NCC008", Relation::anything}},
           .look = errors,
           .page = {.what = "A network link counts errors on the wire, recoveries or discards.",
                    .why = "Bits arrive wrong: a dirty connector, a bent or long cable, a module "
                           "near its end, or a bad link between two switches. Packets are sent "
                           "again, the rail slows down, and sooner or later the link drops.",
                    .by_hand = "sudo ibqueryerrors -c (fabric); grep . "
                               "/sys/class/infiniband/*/ports/*/counters/* | grep -E "
                               "'symbol|errors|discards|downed'\n"
                               "Clear them, wait, read again: growth is what counts.",
                    .remedy = "Clean, reseat, swap cable, then module, then port.",
                    .benign_if = "The count is old and small against the packets received (under "
                                 "one in 1e9). link_downed alone counts reboots of the other end; "
                                 "counters of few bits stop at their largest value (255, 65535).",
                    .references = {"InfiniBand Architecture Specification, volume 1, 16.1.3.5 "
                                   "(PortCounters)",
                                   "ibqueryerrors(8), default thresholds"}}},
      Rule{
          .id = "RDM025",
          .name = "transmit-wait",
          .severity = Severity::note,
          .weight = 25,
          .needs = {Need::port_counters},
          .look = waiting,
          .page = {.what = "An InfiniBand port waited long for credits with data to send.",
                   .why = "The other end had no buffers: congestion further on, a slow receiver, "
                          "or a network with fewer links upwards than hosts.",
                   .by_hand = "perfquery -x; grep . "
                              "/sys/class/infiniband/*/ports/*/counters/port_xmit_wait\n"
                              "Compare the growth with that of port_xmit_data (words of 4 bytes).",
                   .remedy = "Follow the waiting ports to the one that does not wait: behind it is "
                             "the cause. Adaptive routing spreads the rest.",
                   .benign_if = "The count is old: it grows for years. Some waiting is normal "
                                "where many send to one.",
                   .references = {"InfiniBand Architecture Specification, volume 1, 16.1.3.5 "
                                  "(PortXmitWait)"}}},
  };
}

std::vector<Rule> pcie_stall_rules() {
  return {
      Rule{
          .id = "RDM029",
          .name = "adapter-stalled-by-pcie",
          .severity = Severity::warning,
          .weight = 65,
          .needs = {Need::port_counters},
          .explains = {{"RDM012", Relation::same_device}, {"RDM010", Relation::same_device}},
          .look = stalled,
          .page = {.what = "The adapter counts seconds in which PCIe kept it waiting.",
                   .why = "Data arrives faster than the host takes it: a narrow or slow link, "
                          "small read requests, an IOMMU that translates, memory on the other "
                          "socket. Buffers fill, and the adapter pauses the network or drops.",
                   .by_hand = "ethtool -S INTERFACE | grep outbound_pci_stalled; again after 10 s\n"
                              "The _events counters are seconds; the two without are percent of "
                              "the last second.",
                   .remedy = "Mend the link, raise the read request size to 4096, turn relaxed "
                             "ordering on, place buffers near the adapter.",
                   .benign_if = "The count is old and does not grow: without samples it is a note.",
                   .references = {"Linux kernel, Documentation/networking/device_drivers/"
                                  "ethernet/mellanox/mlx5/counters.rst, PCIe counters"}}},
  };
}

}  // namespace railgauge::judge
