// The environment variables that are ever looked at: those that steer how GPUs talk to each other,
// where processes run and which devices they see. Everything else in an environment is nobody's
// business and is passed over. LD_PRELOAD and LD_LIBRARY_PATH are left out on purpose: paths name
// people and projects.
#pragma once

#include <array>
#include <string_view>

namespace railgauge::observe {

// Every variable that starts like this.
inline constexpr std::array<std::string_view, 36> environment_prefixes{"NCCL_",
                                                                       "RCCL_",
                                                                       "UCX_",
                                                                       "TORCH_NCCL_",
                                                                       "TORCH_DISTRIBUTED_",
                                                                       "FI_",
                                                                       "OMPI_MCA_btl",
                                                                       "OMPI_MCA_pml",
                                                                       "OMPI_MCA_mtl",
                                                                       "OMPI_MCA_coll",
                                                                       "OMPI_MCA_osc",
                                                                       "OMPI_MCA_opal",
                                                                       "OMPI_MCA_mpi",
                                                                       "OMPI_MCA_rmaps",
                                                                       "OMPI_MCA_hwloc",
                                                                       "OMPI_MCA_smsc",
                                                                       "PMIX_MCA_",
                                                                       "NVSHMEM_",
                                                                       "MSCCLPP_",
                                                                       "MSCCL_",
                                                                       "HSA_",
                                                                       "GLOO_",
                                                                       "MLX5_",
                                                                       "IBV_",
                                                                       "RDMAV_",
                                                                       "SLURM_CPU_BIND",
                                                                       "SLURM_GPUS",
                                                                       "SLURM_NTASKS",
                                                                       "SLURM_MEM_BIND",
                                                                       "SHARP_COLL_",
                                                                       "HCOLL_",
                                                                       "UCC_",
                                                                       "OFI_NCCL_",
                                                                       "AWS_OFI_",
                                                                       "MPICH_GPU_",
                                                                       "MPICH_OFI_"};

// These alone.
inline constexpr std::array<std::string_view, 31> environment_names{"CUDA_VISIBLE_DEVICES",
                                                                    "CUDA_DEVICE_ORDER",
                                                                    "CUDA_DEVICE_MAX_CONNECTIONS",
                                                                    "CUDA_LAUNCH_BLOCKING",
                                                                    "NVIDIA_VISIBLE_DEVICES",
                                                                    "NVIDIA_DRIVER_CAPABILITIES",
                                                                    "ROCR_VISIBLE_DEVICES",
                                                                    "HIP_VISIBLE_DEVICES",
                                                                    "OMP_NUM_THREADS",
                                                                    "OMP_PROC_BIND",
                                                                    "OMP_PLACES",
                                                                    "GOMP_CPU_AFFINITY",
                                                                    "KMP_AFFINITY",
                                                                    "MASTER_ADDR",
                                                                    "MASTER_PORT",
                                                                    "RANK",
                                                                    "LOCAL_RANK",
                                                                    "WORLD_SIZE",
                                                                    "LOCAL_WORLD_SIZE",
                                                                    "SLURM_PROCID",
                                                                    "SLURM_LOCALID",
                                                                    "SLURM_NNODES",
                                                                    "OMPI_COMM_WORLD_SIZE",
                                                                    "OMPI_COMM_WORLD_RANK",
                                                                    "OMPI_COMM_WORLD_LOCAL_SIZE",
                                                                    "OMPI_COMM_WORLD_LOCAL_RANK",
                                                                    "OMPI_COMM_WORLD_NODE_RANK",
                                                                    "PMI_RANK",
                                                                    "PMI_SIZE",
                                                                    "MPI_LOCALRANKID",
                                                                    "MPI_LOCALNRANKS"};

// A variable of the lists above with one of these in its name may hold what must not be copied:
// "OMPI_MCA_orte_precondition_transports" is the key that the processes of a job know each other
// by, and an URI says who started it.
inline constexpr std::array<std::string_view, 9> secret_words{
    "SECRET",  "TOKEN", "PASS",
    "CRED",    "AUTH",  "PRIVATE",
    "API_KEY", "_URI",  "PRECONDITION_TRANSPORTS"};

// Whole parts of names, between underscores, that announce a secret.
inline constexpr std::array<std::string_view, 10> secret_parts{
    "KEY", "APIKEY", "PWD", "PW", "SESSION", "SIG", "SIGNATURE", "COOKIE", "BEARER", "JWT"};

// What keys and tokens of widely used services start with.
inline constexpr std::array<std::string_view, 12> secret_starts{
    "AKIA",   "ASIA",  "ghp_",  "gho_",    "ghs_", "github_pat_",
    "glpat-", "xoxb-", "xoxp-", "Bearer ", "eyJ",  "-----BEGIN"};

}  // namespace railgauge::observe
