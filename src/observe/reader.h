// A reader turns the bytes of one kind of text into a partial machine. All readers stand in one
// list (readers.cpp). Rules for every reader:
//   - It takes any bytes: garbage gives an Error, never a crash, hang or unbounded memory. Linear
//   time.
//   - It finds its own lines in a longer paste (prompts, other commands' output around them are
//   passed over).
//   - Nothing is dropped in silence: a line or cell that looks like its own but does not parse
//   becomes a
//     Remark with file and line, saying what was expected ("row GPU3 has 7 of 9 cells").
//   - Every fact carries SourceRef{input name, line} with Trust::tool (Trust::file for NCCL
//   topology files).
//   - It does not guess: what the text does not say stays unknown. settle() and join() derive.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/machine.h"

namespace railgauge::observe {

struct Input {
  std::string name;  // as the user called it; used in messages and sources
  std::string bytes;
};

enum class InputKind : std::uint8_t {
  topo_matrix,     // nvidia-smi topo -m, -mp
  topo_p2p,        // nvidia-smi topo -p2p
  rocm_showtopo,   // rocm-smi --showtopo and its parts
  nccl_topo_xml,   // NCCL_TOPO_FILE, NVIDIA and RCCL dialects
  nccl_graph_xml,  // NCCL_GRAPH_FILE: recognised, holds no machine
  hwloc_xml,       // lstopo --of xml
  other_xml,       // some other XML document: recognised, not read
  lspci,           // lspci -v/-vv/-vvv, -nn, -k, also -D
  lspci_tree,      // lspci -tv
  lspci_hex,       // lspci -x/-xxx/-xxxx
  numa_sysfs,      // grep "" /sys/devices/system/node/node*/{cpulist,distance}
  smi_query,       // nvidia-smi -q
  smi_xml,         // nvidia-smi -q -x
  smi_list,        // nvidia-smi -L, nvidia-smi nvlink -s/-e/-c/-p/-R
  smi_csv,         // nvidia-smi --query-gpu=… --format=csv
  smi_table,       // nvidia-smi
  interrupts,      // this and all below: texts about the host, system/host_text.h
  kernel_arguments,
  limits,
  memory_info,
  modules,
  module_info,
  shared_memory,
  governors,
  numactl_show,
  os_release,
  nvidia_version,
  shell_script,  // scripts, batch files and command lines that set variables
  dockerfile,
  manifest,  // Kubernetes, docker compose and the like
  environment,
  kernel_log,          // dmesg, journalctl -k, kern.log, /dev/kmsg
  nccl_log,            // NCCL_DEBUG=INFO
  ethtool_statistics,  // ethtool -S, whole or some lines
  ethtool_driver,      // ethtool -i
  ethtool_pause,       // ethtool -a
  ibstat,
  ibstatus,
  ibv_devinfo,  // plain or -v
  show_gids,
  ibqueryerrors,
  sysfs_dump,     // the files of /sys/class/infiniband, one a line
  rdma_counters,  // an RDMA port's counters or hw_counters, one a line
  rdma_link,      // rdma link, rdma statistic
  ibdev2netdev,   // plain or -v
  nccl_tests,     // this and all below: benchmark_text
  nccl_tests_json,
  nvbandwidth,
  nvbandwidth_json,
  perftest,  // ib_write_bw and its kin
  iperf3,
  iperf3_json,
  flight_recorder,  // PyTorch's, pickle or JSON: the whole input is one value
  nccl_ras,         // ncclras, text or JSON
  watchdog_log,     // PyTorch's watchdog and torchrun in a job's log
  stacks,           // py-spy dump, gdb's backtraces
};

struct Reader {
  InputKind kind;
  const char* name;                            // "nvidia-smi topo -m", for people
  bool (*looks_like)(std::string_view bytes);  // cheap; may look at everything
  Result<model::Machine> (*read)(const Input& input);
};

// Every reader there is, most specific first.
std::span<const Reader> readers();

// Those whose text occurs in the bytes: a paste of two commands has two. Empty: nothing known.
std::vector<const Reader*> sniff(std::string_view bytes);

}  // namespace railgauge::observe
