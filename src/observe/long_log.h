// A long NCCL log: read piece by piece as it comes, never held. Other kinds of text in it (a
// command at its start, the output of a benchmark at its end) are read in its first and last MiB
// only.
//   LongLog log("job.log");
//   if (log.wants(start)) { log.take(start); log.take(more); … }
//   Result<std::vector<Machine>> parts = log.finish();
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "model/machine.h"
#include "observe/archive/named_file.h"
#include "observe/nccl_log/nccl_log.h"

namespace railgauge::observe {

class LongLog : public PieceTaker {
 public:
  explicit LongLog(std::string name) : name_(std::move(name)) {}

  bool wants(std::string_view start) override;  // it is an NCCL log
  void take(std::string_view piece) override;
  bool taken() const { return reader_.has_value(); }

  Result<std::vector<model::Machine>> finish();  // once, when taken

 private:
  void read_others(const Input& part, std::vector<model::Machine>& parts) const;

  std::string name_;
  std::optional<NcclLogReader> reader_;
  std::string head_;
  std::string tail_;
  bool tail_cut_ = false;
};

}  // namespace railgauge::observe
