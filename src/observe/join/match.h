// Which device of a machine is meant by a device of another part. Used by join.cpp only.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "model/machine.h"

namespace railgauge::observe {

struct Match {
  std::optional<model::DeviceId> device;  // nothing: it is new
  bool by_index = false;                  // an assumption, to be marked as inferred
};

// Built once per part over the machine as it is before that part is taken in. `matched(i)` answers
// for the part's device i: by PCI address, by name, by index; each device of the machine is given
// out once.
class Matcher {
 public:
  Matcher(const model::Machine& machine, const model::Machine& part);
  const Match& matched(std::size_t part_device) const { return matches_[part_device]; }

  // Devices that could not be paired by index because the two views count differently: kind and
  // both counts.
  struct CountMismatch {
    model::DeviceKind kind;
    std::size_t in_machine;
    std::size_t in_part;
  };
  const std::vector<CountMismatch>& mismatches() const { return mismatches_; }

 private:
  void by_address(const model::Machine& machine, const model::Machine& part);
  void by_name(const model::Machine& machine, const model::Machine& part);
  void by_number(const model::Machine& machine, const model::Machine& part, model::DeviceKind kind);
  void by_order(const model::Machine& machine, const model::Machine& part, model::DeviceKind kind);
  void take(std::size_t part_device, model::DeviceId device, bool by_index);

  std::vector<Match> matches_;
  std::vector<bool> taken_;
  std::vector<CountMismatch> mismatches_;
};

}  // namespace railgauge::observe
