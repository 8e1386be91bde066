// Pasted output of ibqueryerrors: the error counters of a fabric's ports, by GUID.
//   Errors for "node07 mlx5_0"
//      GUID 0x506b4b0300a1b2c3 port 1: [LinkDownedCounter == 25] [PortXmitWait == 14681376621]
// A GUID alone does not say whether it is an adapter or a switch; a header that names a switch
// does, and then the device is of kind `other`. "port ALL" sums a node's ports and is passed over.
#pragma once

#include <string_view>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

bool looks_like_ibqueryerrors(std::string_view bytes);
Result<model::Machine> read_ibqueryerrors(const Input& input);

}  // namespace railgauge::observe
