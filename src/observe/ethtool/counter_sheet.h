// The counters of one port while they are read: common names, parts and queues added up.
//   CounterSheet sheet(CounterNames::of_ethtool("mlx5_core"));
//   sheet.take("rx0_cache_full", 3, here);
//   sheet.write(port, machine);
// A counter of one queue is added to those of the other queues: under a common name where the table
// has one, else in driver_counters under the name with a star ("rx*_cache_full"). So a server of 64
// queues does not fill the model; which queue it was stays in the recording.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>

#include "model/machine.h"
#include "observe/ethtool/counter_names.h"

namespace railgauge::observe {

class CounterSheet {
 public:
  explicit CounterSheet(CounterNames names) : names_(std::move(names)) {}

  // A name that was taken before begins a second reading of the same counters: both are claimed.
  void take(std::string_view driver_name, std::uint64_t value, model::SourceRef here);

  // Claims everything taken. A counter that stands at the largest value it can hold is remarked,
  // with `whose` ("mlx5_0 port 1") as its subject.
  void write(model::NicPort& port, model::Machine& machine, const std::string& whose);

 private:
  struct Sum {
    std::uint64_t value = 0;
    model::SourceRef source;
  };
  void flush();

  CounterNames names_;
  std::set<std::string, std::less<>> seen_;
  std::map<std::string, Sum, std::less<>> common_;
  std::map<std::string, Sum, std::less<>> own_;
  model::Counters common_done_;
  model::Counters own_done_;
  std::map<std::string, Sum> full_;
};

}  // namespace railgauge::observe
