#include "observe/privacy/vocabulary.h"

#include <algorithm>
#include <string>
#include <unordered_set>

#include "base/strings.h"
#include "observe/privacy/characters.h"

namespace railgauge::observe::privacy {
namespace {

using Words = std::unordered_set<std::string_view>;

Words words_of(std::string_view text) {
  const auto fields = split_blank(text);
  return {fields.begin(), fields.end()};
}

// Names of files in sysfs and procfs, labels of the tools whose output is recorded, keys of JSON.
const Words& format_words() {
  static const Words words = words_of(
      "accelerator access acpi active address adapter addr admin aer affinity all alloc apps args "
      "argv array as_root async attr attribute attrs auto available average avg bad bandwidth bar "
      "base bin bios bit block board bond boot brand bridge broadcast bug build bus busy bytes "
      "cache call calls cap capability card carrier caps channel check chip class client clock "
      "cluster code comm command commands compute config console control controller copy core "
      "cores correctable corrected count counter counters cpu cpulist cpumap cpus cuda current "
      "data date debian debug default description desc dev device devices direct dir disabled "
      "display dma dmi domain down driver drivers drop dropped duplex ecc edge egress enable "
      "enabled end energy engine entries entry env environment err error errors eth ethernet "
      "ethtool "
      "event events exit ext external fabric fail failed false fan fast fatal features fec file "
      "files firmware flags flow frame frames free freq full function functions gen generic "
      "gid gids gpu gpus graphics group guest guid hard hardware hca head health high host "
      "hostname "
      "hugepages hwmon hwloc hypervisor icrc idle image index infiniband info infra init input "
      "inputs instance int interface internal interrupt interrupts intel interval iommu irq irqs "
      "json "
      "kernel key kind label lan lane lanes last lasterror latency layer lid limit line link links "
      "linux list load local localdomain localhost lock log login low machine main manager "
      "manifest "
      "map mask master max media mellanox mem memory mesh message mgmt mig min minor mlx4 mlx5 mlx "
      "mode model module modules monitor msi mtu multicast name net netdev network new nic nics "
      "node "
      "nodes nonfatal normal none nsswitch null numa nvidia nvlink nvml nvme nvswitch off offset "
      "online open operstate option options order out output over overrun package packet packets "
      "page parent parity part path pause pcie pci pend percent perf performance persistence phys "
      "physical pid policy pool port ports possible power pre present prev prio priority process "
      "processes processor product profile proc protocol public queue queues rail rank rate rates "
      "raw rdma read ready real recording refused register remote removed replay report req "
      "request "
      "requested reset resource result retired retry ring roce root rootfs route router row rsp "
      "run "
      "running rxbytes sample samples sbin sched scope seq serial server service session set "
      "severity "
      "share shared signal size slave slot slow smi smp socket software source speed srv stat "
      "state "
      "static stats status step storage string subsystem subsystem_device sum summary support "
      "supported switch switches sync sys sysfs system table target task temp temperature test "
      "text "
      "thermal thread threads throttle time timeout tmp tool topo topology total traffic "
      "transmit trace true tx txbytes type types ubuntu udev uevent uid unicast unit unknown up "
      "update usage usb user users usr utilization uuid value var vbios vendor version video "
      "virtual "
      "vlan vpd wait warn warning watchdog width wire work worker workers write x86_64 x16 x8 xid "
      "xml xmit zone rx ib gdr nccl ucx mpi openmpi rocm amd arm arm64 aarch64 amd64 grace hopper "
      "ampere blackwell ada turing volta tesla quadro geforce titan connectx bluefield dgx hgx h20 "
      "h100 h200 h800 b100 b200 b300 gb200 gb300 gh200 a100 a800 a10 a10g a30 a40 a6000 l4 l40 "
      "l40s "
      "t4 v100 p100 mi210 mi250 mi250x mi300 mi300a mi300x mi325x mi355x epyc xeon centos rocky "
      "redhat fedora suse alma oracle azure aws gcp ec2 opc slurm docker podman kubernetes kube "
      "container containers cloud nobody daemon operator guests mail backup research compiler "
      "rx tx hw sw fw nv id pf vf sf rw ro ip io ack nak cnp ecn np rp ignored replaced kept first "
      "second third other others same next more less than with and the "
      "for not from this that are was has have does can");
  return words;
}

// What the kernel and the tools number: "node1", "cpu12", "GPU0".
const Words& numbered_words() {
  static const Words words = words_of(
      "bank bus card channel core cpu dev die disk fan gpu hwmon index instance irq lane link loop "
      "mem module msi nic node numa nvlink nvme nvswitch package pci pcie pf phys policy port "
      "prio process queue sensor sfp slot socket switch tc temp test thread tty ttys uverbs umad "
      "vf xgmi zone");
  return words;
}

const Words& path_words() {
  static const Words words = words_of(
      "usr lib lib32 lib64 libexec local opt etc var run tmp dev shm share bin sbin home root mnt "
      "media srv data scratch include src build cuda nvidia nccl rccl rocm ucx ucc ofi aws efa "
      "ofed "
      "mlnx mellanox openmpi mpi mpich mvapich hpcx intel oneapi hcoll sharp gdrcopy gdr libfabric "
      "amazon x86 x86_64 aarch64 linux gnu python python3 site dist packages conda miniconda "
      "anaconda envs env venv torch pytorch tensorflow jax modules modulefiles spack stubs compat "
      "targets extras plugin plugins tuner net topo topology graph xml conf config log logs cache "
      "pci devices device class infiniband uverbs sys proc nvme hugepages kernel system systemd "
      "current default latest release debug nv peer mem fabricmanager fabric manager smi lspci "
      "ethtool ibstat ibstatus ibv devinfo ibdev2netdev show gids rdma ip dmesg journalctl numactl "
      "lscpu lstopo hwloc no io nvlink dcgm dcgmi rocminfo topologies user users core all virtual "
      "software apps app hpc sw tools nvhpc compilers comm libs math sdk openucx pmix prrte slurm "
      "flux pbs lsf containers singularity apptainer docker enroot pyxis workspace nvml hostfile "
      "mst opensm sm ibnetdiscover perfquery ndv4 ndv5 ncv4 ndv2 hpcxx gcc llvm clang sh bash");
  return words;
}

const Words& process_words() {
  static const Words words = words_of(
      "python pt_main_thread pt_nccl_watchdg pt_autograd pt_data_worker pt_data_pin pt_elastic "
      "torchrun mpirun mpiexec orted prted prterun srun slurmstepd slurmd sbatch salloc nvidia-smi "
      "nvidia-persiste nvidia-modprobe nvidia-powerd nv-fabricmanage nv-hostengine nvidia-cuda-mps "
      "dcgmi dcgm dcgm-exporter nvbandwidth nccl bandwidthTest deviceQuery p2pBandwidthLat "
      "gpu_burn "
      "gpu-burn cuda-EvtHandlr cuda-gdb nsys ncu rocm-smi amd-smi modprobe insmod kmod systemd "
      "systemd-udevd udevd udev-worker init swapper bash sh zsh fish tmux screen sleep cat cp dd "
      "rsync ssh sshd sudo su cron crond rsyslogd journalctl systemd-journal auditd dbus-daemon "
      "irqbalance containerd containerd-shim dockerd docker runc crun kubelet kube-proxy etcd java "
      "node perl ruby go gcc g++ cc1 cc1plus ld cmake make ninja nvcc cicc ptxas git rm ls ps top "
      "htop iperf iperf3 perftest ibstat ibv_devinfo mlnx_tune opensm stress stress-ng fio mlc "
      "railgauge gpud lspci lstopo Xorg gnome-shell khungtaskd kswapd kcompactd khugepaged jbd2 "
      "multipathd irq chronyd ntpd snmpd ray raylet tritonserver app python-real nvidia_smi "
      "unknown");
  return words;
}

bool known_path_word(std::string_view word) {
  if (word.empty() || all_of_kind(word, digit_character)) return true;
  if (path_words().contains(word)) return true;
  while (!word.empty() && is_digit(word.back())) word.remove_suffix(1);  // cuda12, uverbs0
  if (word == "v" || word == "rc" || word == "ubuntu" || word == "el") return true;
  return path_words().contains(word);
}

}  // namespace

bool reads_as_word(std::string_view name) {
  if (name.size() < 3 || all_of_kind(name, digit_character)) return true;
  const std::string lowered = lower(name);
  if (format_words().contains(lowered)) return true;
  std::string_view stem = lowered;
  while (!stem.empty() && is_digit(stem.back())) stem.remove_suffix(1);
  const std::string_view number = std::string_view(lowered).substr(stem.size());
  // The kernel writes no leading zeros: "node07" is nobody's but a person's.
  if (number.empty() || (number.size() > 1 && number[0] == '0')) return false;
  return numbered_words().contains(stem);
}

bool part_of_format_word(std::string_view identifier, std::string_view part) {
  const auto words = split(identifier, '_');
  if (words.size() < 3 || words[0] == part) return false;
  return std::all_of(words.begin(), words.end(), [part](std::string_view word) {
    return word == part || format_words().contains(lower(word));
  });
}

bool is_common_path_component(std::string_view component) {
  if (component.empty() || component == "." || component == ".." || component == "~") return true;
  if (component[0] == '$' || component == "*") return true;
  const auto library = component.find(".so");
  if (component.starts_with("lib") && library != std::string_view::npos &&
      (library + 3 == component.size() || component[library + 3] == '.'))
    return true;
  component.remove_suffix(known_extension(component).size());
  std::size_t start = 0;
  for (std::size_t i = 0; i <= component.size(); ++i) {
    if (i < component.size() && !contains("-_.+:@", component.substr(i, 1))) continue;
    if (!known_path_word(component.substr(start, i - start))) return false;
    start = i + 1;
  }
  return true;
}

std::string_view known_extension(std::string_view component) {
  static const Words extensions = words_of(
      "xml conf cfg txt log json yaml yml toml ini sh py so csv html out err sif sqsh tar gz zst "
      "dat bin nsys-rep");
  const auto dot = component.rfind('.');
  if (dot == std::string_view::npos || dot == 0) return {};
  return extensions.contains(component.substr(dot + 1)) ? component.substr(dot)
                                                        : std::string_view{};
}

bool is_common_process(std::string_view name) {
  if (name.empty() || name[0] == '<') return true;
  for (const char* kernel : {"kworker", "ksoftirqd/", "migration/", "swapper/", "cpuhp/", "irq/",
                             "rcu_", "nccl", "ib_write_", "ib_read_", "ib_send_", "ray::"})
    if (name.starts_with(kernel)) return true;
  for (const char* test : {"all_reduce", "all_gather", "reduce_scatter", "alltoall", "broadcast",
                           "sendrecv", "reduce", "gather", "scatter", "hypercube"})
    if (name.starts_with(test) &&
        (name == std::string(test) + "_perf" || std::string(test) + "_perf_mpi" == name))
      return true;
  if (process_words().contains(name)) return true;
  while (!name.empty() && (is_digit(name.back()) || name.back() == '.')) name.remove_suffix(1);
  return process_words().contains(name);
}

}  // namespace railgauge::observe::privacy
