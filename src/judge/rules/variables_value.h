// Whether a value is one that its variable can have. Forms of the tables (VariableRow::form):
//   bool               a number; 0 is off
//   int, int:MIN:MAX   a whole number; either bound may be empty
//   bytes              a whole number of bytes: NCCL knows no units
//   enum:A|B           one of the words, as written     ienum: in any case
//   list:A|B           the same, several with commas    ilist: in any case, "^" in front excludes
//   level              a path type of NCCL in capitals, or an old number
//   nccl_algo, nccl_proto, nccl_net, ib_hca, ifname, cidr, path, xml_path, text
//   ucx_bool, ucx_try, ucx_int, ucx_size, ucx_time, ucx_thresh, ucx_tls, ucx_devices
// An empty form judges nothing.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/advice.h"
#include "model/path_class.h"

namespace railgauge::judge {

struct ValueFault {
  std::string why;         // "\"true\" is no number: NCCL reads 0"
  std::string instead;     // a value that would do; empty when none is obvious
  bool stops_job = false;  // initialisation fails, instead of the value being passed over
};

// `nccl` is the version where it is known. The value must be judged() (variables_environment.h).
std::optional<ValueFault> value_fault(const model::VariableRow& row, std::string_view value,
                                      const std::optional<model::NcclVersion>& nccl);

// The same for one kind of form; used by value_fault and its tests.
std::optional<ValueFault> number_fault(std::string_view form, std::string_view value);
std::optional<ValueFault> words_fault(std::string_view form, std::string_view value);
std::optional<ValueFault> nccl_fault(std::string_view form, std::string_view value,
                                     const std::optional<model::NcclVersion>& nccl);
std::optional<ValueFault> ucx_fault(std::string_view form, std::string_view value);

// The nearest of the words, or empty.
std::string nearest_word(std::string_view word, std::string_view words);

}  // namespace railgauge::judge
