// Jobs that hang: the rules and their pages. What they decide is in hang_*.cpp.
#include "judge/rules/families.h"
#include "judge/rules/hang_rules.h"

namespace railgauge::judge {
namespace {

using namespace hang;

Rule never_arrived_rule() {
  return {.id = "NCC101",
          .name = "rank-never-arrived",
          .severity = Severity::error,
          .weight = 95,
          .needs = {Need::hang_dump},
          .explains = {{"NCC105"}, {"NCC109"}},
          .look = never_arrived,
          .page = {
              .what = "Some ranks of a group wait in an operation that other ranks of it never "
                      "entered.",
              .why = "A collective ends on no rank before all ranks have entered it, so one rank "
                     "that is late stops the whole job, until the watchdog ends it (10 minutes by "
                     "default).",
              .by_hand = "export TORCH_NCCL_TRACE_BUFFER_SIZE=2000 TORCH_NCCL_DUMP_ON_TIMEOUT=1\n"
                         "Each rank then writes /tmp/nccl_trace_rank_N. Compare the highest "
                         "collective_seq_id of each process group between ranks: the rank with the "
                         "lowest is late. Without dumps: ncclras -v, twice; a count that stands "
                         "still and is lower than the others' is the late rank's.",
              .remedy = "Look where the late rank stands (py-spy dump, gdb): the others are only "
                        "waiting. Typical: a DataLoader without data, a checkpoint, an exception "
                        "that was caught, a branch that only one rank took.",
              .benign_if = "Dumps of ranks were taken at different times (an operation that ended "
                           "on one rank was entered by all), or RAS was asked only once: a job "
                           "that moves shows different counts as well.",
              .references = {"PyTorch tutorial: Flight Recorder for Debugging Stuck Jobs",
                             "NCCL user guide: RAS"}}};
}

Rule calls_differ_rule() {
  return {
      .id = "NCC102",
      .name = "collectives-differ",
      .severity = Severity::error,
      .weight = 97,
      .needs = {Need::hang_dump},
      .explains = {{"NCC101"}, {"NCC105"}, {"NCC106"}, {"NCC109"}},
      .look = calls_differ,
      .page = {.what = "The ranks of a group are in different operations at the same number, or "
                       "entered the operations of two groups in different order.",
               .why = "NCCL pairs operations by their order alone. Different operations wait for "
                      "each other for ever, or mix up each other's data.",
               .by_hand = "In the dumps of the flight recorder compare profiling_name of all ranks "
                          "at each collective_seq_id of a process group.",
               .remedy = "Let all ranks of a group call the same operations in the same order: no "
                         "collective inside a branch that depends on the rank, the data or the "
                         "loss. Sends and receives that cross belong into one "
                         "batch_isend_irecv.",
               .benign_if = "The operations belong to different groups, or were launched together "
                            "as one (coalesced).",
               .references = {"NCCL user guide: Collective Operations (order of calls)",
                              "PyTorch documentation: torch.distributed, debugging with "
                              "TORCH_DISTRIBUTED_DEBUG"}}};
}

Rule sizes_differ_rule() {
  return {.id = "NCC103",
          .name = "sizes-differ",
          .severity = Severity::error,
          .weight = 96,
          .needs = {Need::hang_dump},
          .explains = {{"NCC105"}, {"NCC106"}, {"NCC109"}},
          .look = sizes_differ,
          .page = {
              .what = "The ranks of a group entered one operation with different numbers of "
                      "elements or different types.",
              .why = "NCCL does not exchange sizes. The rank with more data waits for what never "
                     "comes; or the sums are wrong and nobody notices.",
              .by_hand = "In the dumps of the flight recorder compare input_sizes, output_sizes "
                         "and input_dtypes of all ranks at the number that did not end. In logs: "
                         "NumelIn and NumelOut of the watchdog's messages.",
              .remedy = "Pad or drop the last batch, exchange sizes before the data, use the "
                        "variants for uneven sizes (all_to_all_single with splits, all_gather with "
                        "a list).",
              .benign_if = "The operation allows it: all_to_all with splits, all_gather and "
                           "reduce_scatter over lists of uneven tensors, the root of gather and "
                           "scatter.",
              .references = {"NCCL user guide: Collective Operations",
                             "PyTorch tutorial: Flight Recorder for Debugging Stuck Jobs"}}};
}

Rule rank_dead_rule() {
  return {
      .id = "NCC104",
      .name = "rank-dead",
      .severity = Severity::error,
      .weight = 100,
      .needs = {Need::hang_dump},
      .explains = {{"NCC101"}, {"NCC105"}, {"NCC106"}, {"NCC107"}, {"NCC109"}},
      .look = rank_dead,
      .page = {.what = "A process of the job is gone, or does not answer.",
               .why = "All others wait for it in their next collective, and what they report is "
                      "only that they wait.",
               .by_hand = "ncclras -v\nDEAD and INCOMPLETE name processes and nodes. In torchrun's "
                          "log: \"failed (exitcode: -9)\", under \"Root Cause (first observed "
                          "failure)\".",
               .remedy = "Look into the kernel's log of that node for the out-of-memory killer, a "
                         "segfault or an Xid; then restart from the last checkpoint.",
               .benign_if = "The job is starting or ending: processes come and go then. Signals 6 "
                            "and 15 are those of the watchdog and of torchrun that end the rest.",
               .references = {"NCCL user guide: RAS",
                              "PyTorch documentation: torchrun, error "
                              "propagation"}}};
}

Rule watchdog_rule() {
  return {.id = "NCC105",
          .name = "watchdog-timeout",
          .severity = Severity::error,
          .weight = 85,
          .needs = {Need::hang_dump},
          .look = watchdog_timeout,
          .page = {
              .what = "PyTorch's watchdog ended the job because an operation did not end in time.",
              .why = "It says where ranks waited, not why: the cause is a rank that did not come, "
                     "a process that is gone, or a network that does not carry.",
              .by_hand = "grep -E 'Watchdog caught|last enqueued' job.log\nRanks with the same "
                         "SeqNum wait together; a rank whose last enqueued work is lower is late; "
                         "a rank without the message did not wait.",
              .remedy = "Turn the flight recorder on and look at the dumps of all ranks. Raise the "
                        "timeout only where a rank is slow by design.",
              .benign_if = "A cause was found: it is then told under that.",
              .references = {"PyTorch documentation: ProcessGroupNCCL environment variables",
                             "PyTorch tutorial: Flight Recorder for Debugging Stuck Jobs"}}};
}

Rule stuck_rule() {
  return {
      .id = "NCC106",
      .name = "stuck-in-the-network",
      .severity = Severity::error,
      .weight = 90,
      .needs = {Need::hang_dump},
      .explains = {{"NCC105"}},
      .look = stuck_in_network,
      .page = {.what = "All ranks of a group entered an operation and it did not end.",
               .why = "No rank's code is at fault then: data does not arrive. A link or adapter "
                      "that fails, GPUDirect RDMA that writes into nowhere (ACS, IOMMU), a PFC "
                      "storm, or a GPU that hangs.",
               .by_hand = "In the dumps of all ranks the same collective_seq_id of a process group "
                          "is \"started\" and none is \"completed\". Then: dmesg, rdma statistic, "
                          "ethtool -S, nvidia-smi nvlink -s, on each node.",
               .remedy = "Look at links, adapters and GPUs of these nodes; run the same group with "
                         "nccl-tests; then without GPUDirect RDMA (NCCL_NET_GDR_LEVEL=LOC) and "
                         "without peer-to-peer (NCCL_P2P_DISABLE=1), one at a time, to see which "
                         "part it is.",
               .benign_if = "The dumps were taken by hand while the job ran: an operation is then "
                            "in flight and ends a moment later. Without a sign of time that is "
                            "said.",
               .references = {"NCCL user guide: Troubleshooting",
                              "PyTorch tutorial: Flight Recorder for Debugging Stuck Jobs"}}};
}

Rule busy_rule() {
  return {
      .id = "NCC107",
      .name = "rank-busy-elsewhere",
      .severity = Severity::error,
      .weight = 98,
      .needs = {Need::hang_dump},
      .explains = {{"NCC101"}, {"NCC105"}, {"NCC109"}},
      .look = busy_elsewhere,
      .page = {.what = "A rank that the others wait for does something else: it waits for its "
                       "DataLoader, a file, a lock, memory of the GPU or a compiler.",
               .why = "The others' timeout is the symptom; what keeps this rank is the cause.",
               .by_hand = "sudo py-spy dump --native --pid PID\non each rank. Most main threads "
                          "stand in torch/distributed or cudaStreamSynchronize; the odd one does "
                          "not.",
               .remedy = "By what it does: see the finding. Take the stack twice: one that changes "
                         "is slow, not stuck.",
               .benign_if = "All ranks do the same (then the job is slow, not stuck), or the "
                            "process is a helper: a DataLoader's worker, torchrun's agent.",
               .references = {"py-spy documentation: dump",
                              "CUDA programming guide: Lazy Loading (concurrent execution)"}}};
}

Rule dumps_rule() {
  return {
      .id = "NCC109",
      .name = "dumps-missing",
      .severity = Severity::note,
      .weight = 30,
      .needs = {Need::hang_dump},
      .look = dumps_missing,
      .page = {.what = "Of some ranks of the job there is no dump of the flight recorder.",
               .why = "A rank that is gone, or whose interpreter is stuck, writes none: the absent "
                      "rank may be the very one that all others wait for.",
               .by_hand = "ls /tmp/nccl_trace_rank_* on all nodes; compare with the ranks of "
                          "pg_config.",
               .remedy = "Collect the files of all nodes. Where a rank wrote none, look at its "
                         "process.",
               .benign_if = "The job did not hang: all operations in the dumps ended.",
               .references = {"PyTorch tutorial: Flight Recorder for Debugging Stuck Jobs"}}};
}

const std::vector<Rule>& rules() {
  static const std::vector<Rule> list{
      never_arrived_rule(), calls_differ_rule(), sizes_differ_rule(), rank_dead_rule(),
      watchdog_rule(),      stuck_rule(),        busy_rule(),         dumps_rule()};
  return list;
}

}  // namespace

Family hang_rules() { return rules(); }

}  // namespace railgauge::judge
