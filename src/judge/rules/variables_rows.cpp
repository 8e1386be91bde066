#include "judge/rules/variables_rows.h"

#include <algorithm>
#include <array>

#include "base/strings.h"

namespace railgauge::judge {
namespace {

using model::Advice;
using model::VariableRow;

// Components of UCX that put their name between UCX_ and the rest, longest first.
constexpr auto components = std::to_array<std::string_view>(
    {"TCP_SOCKCM_", "RC_VERBS_", "UD_VERBS_", "GAUDI_GDR_", "CUDA_COPY_", "ROCM_COPY_", "SELF_",
     "RC_MLX5_",    "UD_MLX5_",  "DC_MLX5_",  "GGA_MLX5_",  "IB_MLX5_",   "CUDA_IPC_",  "GDR_COPY_",
     "ROCM_IPC_",   "ROCM_GDR_", "ZE_COPY_",  "ZE_IPC_",    "ZE_GDR_",    "RDMACM_",    "SOCKCM_",
     "RC_GDA_",     "GDAKI_",    "POSIX_",    "XPMEM_",     "SYSV_",      "KNEM_",      "SCOPY_",
     "UGNI_",       "CUDA_",     "ROCM_",     "SRD_",       "GGA_",       "TCP_",       "CMA_",
     "TCPCM_",      "CM_",       "IB_",       "RC_",        "UD_",        "DC_",        "MM_",
     "SM_"});

const VariableRow* of_component(const Advice& advice, std::string_view name) {
  if (!name.starts_with("UCX_")) return nullptr;
  const std::string_view rest = name.substr(4);
  for (const std::string_view component : components) {
    if (!rest.starts_with(component)) continue;
    const std::string suffix(rest.substr(component.size()));
    if (const auto* row = advice.variable("UCX_*_" + suffix)) return row;
    if (const auto* row = advice.variable("UCX_" + suffix)) return row;
  }
  return nullptr;
}

// The longest row that ends in "*" and begins the name. Such rows stand right before the names they
// begin, or further up where one row begins another.
const VariableRow* of_family(const Advice& advice, std::string_view name) {
  for (std::size_t length = name.size(); length > 2; --length)
    if (const auto* row = advice.variable(std::string(name.substr(0, length)) + "*")) return row;
  return nullptr;
}

}  // namespace

const VariableRow* variable_row(const Advice& advice, std::string_view name) {
  if (name.size() > 128) return nullptr;
  if (const auto* row = advice.variable(name)) return row;
  if (const auto* row = of_component(advice, name)) return row;
  return of_family(advice, name);
}

std::string nearest_variable(const Advice& advice, std::string_view name) {
  if (name.size() > 64) return {};
  std::size_t least = name.size() < 14 ? 3 : 4;
  std::string best;
  for (const VariableRow& row : advice.variables) {
    if (row.status == model::VariableStatus::never ||
        row.status == model::VariableStatus::removed || contains(row.name, "*"))
      continue;
    const std::size_t longer = std::max(row.name.size(), name.size());
    if (longer - std::min(row.name.size(), name.size()) >= least) continue;
    const std::size_t distance = edit_distance(row.name, name);
    if (distance < least) {
      least = distance;
      best = row.name;
    }
  }
  return best;
}

std::string_view library_of(std::string_view name) {
  if (name.starts_with("UCX_")) return "UCX";
  if (name.starts_with("RCCL_")) return "RCCL";
  if (name.starts_with("TORCH_NCCL_")) return "PyTorch";
  if (name.starts_with("NCCL_") || name == "CCL_NET_GDR_LEVEL") return "NCCL";
  constexpr std::array<std::string_view, 7> near{"NCLL_", "NCCLL_", "NNCCL_", "NCCCL_",
                                                 "NCC_",  "NCL_",   "NLCC_"};
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return std::any_of(near.begin(), near.end(), starts) ? "NCCL" : "";
}

}  // namespace railgauge::judge
