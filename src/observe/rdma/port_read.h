// One RDMA port of a recording: state, rate, addresses, GID table, counters.
#pragma once

#include <string>

#include "model/machine.h"
#include "observe/ethtool/counter_names.h"
#include "observe/recording.h"

namespace railgauge::observe {

// `directory` is the port's own: "sys/class/infiniband/mlx5_0/ports/1".
void read_rdma_port(const Recording& recording, const std::string& directory,
                    const CounterNames& names, model::Machine& machine, model::DeviceId nic,
                    model::NicPort& port);

// Counters of one directory of one-value files. `lifespan`, how long hw_counters are kept before
// the adapter is asked again, is no counter and becomes an attribute.
void read_counter_files(const Recording& recording, const std::string& directory,
                        const CounterNames& names, const std::string& whose,
                        model::Machine& machine, model::Device& device, model::NicPort& port);

}  // namespace railgauge::observe
