// Variables that a launcher gives each rank, each job or each host for itself: no two machines are
// alike in them, and nothing follows from that.
#include <algorithm>
#include <array>

#include "model/compare/sides.h"

namespace railgauge::model::comparing {
namespace {

// Open MPI (orte, prte, pmix), MPICH and Intel MPI (PMI, hydra), Slurm, torchrun.
constexpr std::array<std::string_view, 20> families{
    "OMPI_COMM_WORLD_", "OMPI_MCA_orte_", "OMPI_MCA_ess_", "OMPI_MCA_pmix_", "OMPI_UNIVERSE_",
    "OMPI_FILE_",       "OMPI_ARGV",      "OMPI_COMMAND",  "OMPI_APP_",      "OMPI_FIRST_RANKS",
    "OMPI_NUM_APP",     "PMIX_",          "PMI_",          "PRTE_",          "HYDRA_",
    "MPI_LOCAL",        "SLURM_",         "SLURMD_",       "TORCHELASTIC_",  "MV2_COMM_WORLD_"};
constexpr std::array<std::string_view, 7> endings{"RANK",    "RANKID", "PROCID", "LOCALID",
                                                  "_NODEID", "_ADDR",  "_PORT"};
constexpr std::array<std::string_view, 6> names{"HOSTNAME",   "NCCL_COMM_ID",     "NCCL_HOSTID",
                                                "WORLD_SIZE", "LOCAL_WORLD_SIZE", "JOB_ID"};
constexpr std::array<std::string_view, 5> masks{"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES",
                                                "ROCR_VISIBLE_DEVICES", "HIP_VISIBLE_DEVICES",
                                                "GPU_DEVICE_ORDINAL"};

template <class List, class Test>
bool any(const List& list, const Test& test) {
  return std::any_of(list.begin(), list.end(), test);
}

}  // namespace

bool is_of_one_rank(std::string_view name) {
  return any(families, [&](std::string_view start) { return name.starts_with(start); }) ||
         any(endings, [&](std::string_view end) { return name.ends_with(end); }) ||
         any(names, [&](std::string_view known) { return name == known; });
}

bool is_rank(const Machine& machine) {
  return any(machine.variables, [](const Variable& one) {
    const std::string_view name = one.name;
    return name.ends_with("RANK") || name.ends_with("RANKID") || name.ends_with("_PROCID") ||
           name == "OMPI_MCA_ess_base_vpid";
  });
}

bool is_rank_share(std::string_view key) {
  return key == "cpus_allowed" || key == "numa_nodes_allowed" ||
         any(masks, [&](std::string_view mask) { return key == mask; });
}

}  // namespace railgauge::model::comparing
