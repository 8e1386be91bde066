// Asks NVML and writes down the answer, whatever it is.
//   Questions questions(document, clock, budget);
//   questions.number("nvmlDeviceGetMinorNumber", {0}, nvml.minor_number, device);
// A function the driver lacks is answered NVML_ERROR_FUNCTION_NOT_FOUND. A GPU that answers
// NVML_ERROR_GPU_IS_LOST is not asked again: each further call may wait for the bus. After
// start_optional(), questions past the time budget are counted and not asked.
#pragma once

#include <chrono>
#include <functional>
#include <set>
#include <tuple>
#include <type_traits>
#include <utility>

#include "dynlib/nvml.h"
#include "observe/nvml/document.h"

namespace railgauge::observe::nvml {

using Clock = std::function<std::chrono::steady_clock::time_point()>;
using Value = std::map<std::string, Scalar>;

class Questions {
 public:
  Questions(Document& document, Clock now, std::chrono::milliseconds budget)
      : document_(document), now_(std::move(now)), budget_(budget), started_(now_()) {}

  void start_budget() { started_ = now_(); }
  void start_optional() { optional_ = true; }

  // `call` fills the value and gives NVML's return code. args.front() is the GPU's index, where
  // there is one. The result is the return code, nvml_unknown when the question was not asked.
  dynlib::NvmlReturn ask(const char* name, std::vector<Scalar> args, bool have,
                         const std::function<dynlib::NvmlReturn(Value&)>& call);

  // A call whose last parameter is where the number goes; `before` are the others.
  template <class... Parameters, class... Before>
  dynlib::NvmlReturn number(const char* name, std::vector<Scalar> args,
                            dynlib::NvmlReturn (*function)(Parameters...), Before... before) {
    using Last = std::tuple_element_t<sizeof...(Parameters) - 1, std::tuple<Parameters...>>;
    return ask(name, std::move(args), function != nullptr, [&](Value& value) {
      std::remove_pointer_t<Last> result{};
      const auto code = function(before..., &result);
      value.emplace("", static_cast<std::uint64_t>(result));
      return code;
    });
  }
  dynlib::NvmlReturn text(const char* name, std::vector<Scalar> args,
                          dynlib::NvmlReturn (*function)(dynlib::NvmlDevice, char*, unsigned),
                          dynlib::NvmlDevice device);

  bool lost(std::uint64_t gpu) const { return lost_.contains(gpu); }

  // Says in the document what was not asked. Call once, at the end.
  void finish();

 private:
  Document& document_;
  Clock now_;
  std::chrono::milliseconds budget_;
  std::chrono::steady_clock::time_point started_;
  bool optional_ = false;
  std::set<std::uint64_t> lost_;
  std::size_t not_asked_ = 0;
  std::string first_not_asked_;
};

}  // namespace railgauge::observe::nvml
