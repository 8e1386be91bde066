// Where a recording goes: a name with what stands for its machine in it.
#pragma once

#include <functional>
#include <string>

#include "base/result.h"

namespace railgauge::app {

struct NameParts {
  std::string host;     // %h: as the recording names it
  std::string made_at;  // %t: "2026-11-29T13:00:00Z", written as 20261129T130000Z
  std::function<std::string(const char*)> environment;  // for %r: the rank the launcher gave
};

// %h host, %r rank (SLURM_PROCID, OMPI_COMM_WORLD_RANK, PMIX_RANK, PMI_RANK, RANK), %t time, %% a
// percent sign. A path that ends with '/' or is a directory gets "%h-%t.tar.zst". Errors: an
// unknown letter; %r without any rank.
Result<std::string> recording_path(const std::string& pattern, const NameParts& parts);

}  // namespace railgauge::app
