// RDMA work that completed with an error, by the numbers of ibv_wc_status.
#include <fmt/format.h>

#include <array>

#include "base/characters.h"
#include "base/strings.h"
#include "judge/rules/nccl_failure.h"
#include "judge/rules/nccl_said.h"

namespace railgauge::judge {
namespace {

using namespace model;

constexpr int protection_error = 4;
constexpr int flushed = 5;
constexpr int retry_exceeded = 12;

struct Status {
  int number;
  std::string_view name;
  std::string_view means;
};
// rdma-core, libibverbs/verbs.h: enum ibv_wc_status
constexpr std::array<Status, 12> statuses{{
    {1, "local length error",
     "a message was larger than the buffer that waits for it: other sizes "
     "or other versions on the two sides, or MTUs that differ"},
    {2, "local QP operation error", "the adapter could not carry out the request"},
    {3, "local EE context error", "the adapter could not carry out the request"},
    {flushed, "flushed", "the connection had failed already: the first error is another"},
    {6, "memory window bind error", "memory was not registered as asked"},
    {7, "bad response", "the peer answered with what nobody asked for"},
    {8, "local access error", "memory that was not registered for this"},
    {9, "remote invalid request", "the peer refused: sizes differ on the two sides"},
    {10, "remote access error",
     "memory of the peer is not registered (any more), or its IOMMU "
     "refused"},
    {11, "remote operation error", "the peer's adapter could not carry it out"},
    {13, "receiver not ready", "the peer posted no buffer in time: it hangs or is gone"},
    {22, "other error", "the adapter's vendor error says more"},
}};

// "completion with error 12", "with status=12", "status=IBV_WC_RETRY_EXC_ERR(12)"
std::optional<int> status_of(std::string_view text) {
  for (const std::string_view key : {"ompletion with error ", "status=", "with status "}) {
    const auto at = text.find(key);
    if (at == std::string_view::npos) continue;
    std::string_view rest = text.substr(at + key.size());
    if (rest.starts_with("IBV_WC_")) {
      const auto open = rest.find('(');
      if (open == std::string_view::npos) continue;
      rest.remove_prefix(open + 1);
    }
    const auto number = parse_int(rest.substr(0, digits_at(rest, 0)));
    if (number && *number > 0 && *number < 256) return static_cast<int>(*number);
  }
  return std::nullopt;
}

template <class Wanted>
Lines completions(const NcclRun& run, Wanted wanted) {
  Lines out;
  for (const NcclWarning* line : lines_with(run, {"completion"}))
    if (const auto status = status_of(line->text); status && wanted(*status)) out.push_back(line);
  return out;
}

bool is_roce(const Machine& machine, const NcclRun& run) {
  for (const NcclNic& nic : run.nics)
    if (nic.layer.starts_with("RoCE")) return true;
  for (const Device& device : machine.devices)
    if (device.nic && device.nic->rdma_device)
      for (const NicPort& port : device.nic->ports)
        if (port.link_layer && *port.link_layer == "Ethernet") return true;
  return false;
}

// The remedy that fits the version: from 2.21 on NCCL finds the index itself.
RemedyStep gid_step(const NcclRun& run) {
  const auto version = version_of(run);
  if (version && *version >= NcclVersion{2, 21, 0})
    return {.text = "let NCCL find the RoCE v2 GID itself (2.21 and later do)",
            .command = "unset NCCL_IB_GID_INDEX"};
  return {.text =
              "find the index of the RoCE v2 entry with an IPv4 address, the same on all "
              "nodes, and set it",
          .command = "show_gids; export NCCL_IB_GID_INDEX=3"};
}

void retries(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines = completions(run, [](int status) { return status == retry_exceeded; });
    if (lines.empty()) {
      out.pass();
      continue;
    }
    const bool roce = is_roce(patient.machine, run);
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: completion error 12 (transport retry exceeded): the peer never answered{}",
                    speakers(run, lines),
                    roce ? "; RoCE, so look at the GID index first, then at the route and PFC"
                         : "; look at the peer's own log first, then at cables and the subnet"));
    if (const Variable* index = variable(patient.machine, "NCCL_IB_GID_INDEX"))
      finding.evidence.push_back(evidence_of(patient.machine, *index));
    finding.impact.text = "the job stops after the retries (NCCL_IB_TIMEOUT, NCCL_IB_RETRY_CNT)";
    if (roce) finding.remedy.push_back(gid_step(run));
    finding.remedy.push_back(
        {.text = "try one pair of nodes by itself, with the same adapter and GID index",
         .command = "ib_write_bw -d mlx5_0 -x 3 -F PEER"});
    finding.remedy.push_back({.text = "see whether a port went down or its error counters rise",
                              .command = "railgauge record --interval 10s"});
  }
}

void protection(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines = completions(run, [](int status) { return status == protection_error; });
    if (lines.empty()) {
      out.pass();
      continue;
    }
    Finding& finding = fail_lines(
        patient, out, run, lines,
        fmt::format("{}: completion error 4 (local protection): the adapter was refused access to "
                    "memory, usually a GPU's: ACS, the IOMMU or the peer memory module",
                    speakers(run, lines)));
    finding.impact.text = "the job stops";
    finding.remedy = {
        {.text = "see whether it goes without GPUDirect RDMA; if so, memory of GPUs is the matter",
         .command = "export NCCL_NET_GDR_LEVEL=LOC"},
        {.text = "look for ACS redirection and a translating IOMMU",
         .command = "sudo railgauge check --only PCI009,PCI010,RDM022",
         .needs_root = true}};
  }
}

void others(const Patient& patient, Verdicts& out) {
  for (const NcclRun& run : patient.machine.nccl_runs) {
    const Lines lines = completions(
        run, [](int status) { return status != retry_exceeded && status != protection_error; });
    if (lines.empty()) {
      out.pass();
      continue;
    }
    const int number = *status_of(lines.front()->text);
    std::string words = fmt::format("completion error {}", number);
    for (const Status& status : statuses)
      if (status.number == number) words += fmt::format(" ({}): {}", status.name, status.means);
    Finding& finding =
        fail_lines(patient, out, run, lines, fmt::format("{}: {}", speakers(run, lines), words));
    if (number == flushed) finding.weight = 30;
    finding.impact.text = "the job stops";
    finding.remedy = {{.text = "read the first error of every rank: this one may follow from it",
                       .command = "grep -m 1 'NCCL WARN' RANK.log"},
                      {.text = "compare NCCL's version and the ports' MTU on both nodes",
                       .command = "ibv_devinfo | grep active_mtu"}};
  }
}

constexpr std::string_view verbs_reference =
    "rdma-core: libibverbs/verbs.h, enum ibv_wc_status; man ibv_poll_cq";
constexpr std::string_view guide_variables =
    "NVIDIA NCCL User Guide: Environment Variables (NCCL_IB_GID_INDEX, NCCL_IB_TIMEOUT)";
constexpr std::string_view guide_troubleshooting =
    "NVIDIA NCCL User Guide: Troubleshooting, Networking Issues (RoCE)";

}  // namespace

void add_completion_rules(std::vector<Rule>& rules) {
  rules.push_back(
      {.id = "NCC008",
       .name = "transport-retry-exceeded",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::nccl_log},
       .explains = {{"NCC034"}, {"NCC020"}, {"NCC027"}, {"NCC105"}, {"NCC106"}},
       .look = retries,
       .page = {
           .what = "An RDMA message was sent again and again and never answered: completion "
                   "status 12, IBV_WC_RETRY_EXC_ERR.",
           .why = "NCCL gives up after NCCL_IB_RETRY_CNT (7) tries of 4.096 us x "
                  "2^NCCL_IB_TIMEOUT each, and the job stops. On RoCE the usual cause is a GID "
                  "index that names a RoCE v1 or a link-local (fe80::) address, which no router "
                  "forwards; only then a cable, a switch or a peer that died.",
           .by_hand = "show_gids\nThe index in use must be a RoCE v2 row with an IPv4 address "
                      "(::ffff:10.x.y.z) on every node.\nib_write_bw -d mlx5_0 -x INDEX -F PEER\n"
                      "grep 'NCCL WARN' in the log of the peer: did it die first?",
           .remedy = "RoCE: unset NCCL_IB_GID_INDEX with NCCL 2.21 or later, else set the RoCE v2 "
                     "IPv4 index. InfiniBand: look at the port's state, its error counters and the "
                     "subnet manager.",
           .benign_if = "The peer ended first, by its own error or by the launcher: its message "
                        "stands in its own log.",
           .references = {verbs_reference, guide_variables, guide_troubleshooting}}});
  rules.push_back(
      {.id = "NCC009",
       .name = "local-protection-error",
       .severity = Severity::error,
       .weight = 90,
       .needs = {Need::nccl_log},
       .explains = {{"NCC034"}, {"NCC020"}, {"NCC027"}},
       .look = protection,
       .page = {
           .what = "The adapter was refused access to memory it was told to use: completion status "
                   "4, IBV_WC_LOC_PROT_ERR.",
           .why = "With GPUDirect RDMA the memory is a GPU's. ACS redirection, a translating IOMMU "
                  "or a peer memory module that does not fit the driver make the adapter's reads "
                  "fail, and the job stops.",
           .by_hand =
               "NCCL_NET_GDR_LEVEL=LOC COMMAND: does the job run, slower?\n"
               "sudo lspci -vvv | grep -E 'ACSCtl' : ReqRedir+ on a switch port above a GPU\n"
               "cat /proc/cmdline: iommu=pt or off",
           .remedy = "Switch ACS redirection off on the ports above GPUs and adapters, set "
                     "iommu=pt, or install the driver again after the network drivers.",
           .benign_if = "The program freed or moved a registered buffer while it was in use: an "
                        "error of the program, on every machine alike.",
           .references = {verbs_reference,
                          "NVIDIA NCCL User Guide: Troubleshooting, PCI Access Control Services",
                          "Linux kernel documentation: iommu kernel parameters"}}});
  rules.push_back(
      {.id = "NCC034",
       .name = "other-completion-error",
       .severity = Severity::error,
       .weight = 70,
       .needs = {Need::nccl_log},
       .explains = {{"NCC020"}, {"NCC027"}},
       .look = others,
       .page = {
           .what = "An RDMA work request ended with an error other than 4 and 12.",
           .why = "The job stops. The number tells where to look: 1 and 9 are sizes or MTUs that "
                  "differ between the two sides, 10 and 11 are the peer's memory or adapter, 13 is "
                  "a peer that hangs, 5 only follows from an earlier error.",
           .by_hand = "grep 'completion' in the logs of all ranks, and read the earliest.\n"
                      "ibv_devinfo | grep -E 'active_mtu|state' on both nodes.",
           .remedy = "Mend the first error. For 1 and 9 make NCCL's version and the MTU equal on "
                     "all nodes.",
           .benign_if = "The job was being stopped: connections that are torn down flush what was "
                        "posted (5).",
           .references = {verbs_reference, guide_troubleshooting}}});
}

}  // namespace railgauge::judge
