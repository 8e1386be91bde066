// The log of an NCCL (or RCCL) job, NCCL_DEBUG=WARN or INFO, versions 2.4 to 2.32: what it states
// goes into Machine::nccl_runs, its variables into Machine::variables, and the GPUs and RDMA
// adapters of its first host become devices. Lines of the program between NCCL's are passed over.
// Memory grows with the distinct facts, up to a bound, and not with the length of the log.
//   Result<Machine> machine = read_nccl_log({"job.log", bytes});
//   machine->nccl_runs[0].connections
// A log too long to hold is given in pieces:
//   NcclLogReader reader("job.log");
//   while (…) reader.take(piece);
//   Result<Machine> machine = reader.finish();
#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_nccl_log(std::string_view bytes);
Result<model::Machine> read_nccl_log(const Input& input);

class NcclLogReader {
 public:
  explicit NcclLogReader(const std::string& name);
  ~NcclLogReader();
  NcclLogReader(NcclLogReader&&) noexcept;
  NcclLogReader& operator=(NcclLogReader&&) noexcept;

  void take(std::string_view piece);  // of any size; lines may go on in the next
  Result<model::Machine> finish();    // once

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace railgauge::observe
