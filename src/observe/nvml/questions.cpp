#include "observe/nvml/questions.h"

#include <fmt/format.h>

namespace railgauge::observe::nvml {

using dynlib::NvmlReturn;

NvmlReturn Questions::ask(const char* name, std::vector<Scalar> args, bool have,
                          const std::function<NvmlReturn(Value&)>& call) {
  Answer answer;
  answer.call = name;
  answer.args = std::move(args);
  const auto gpu = answer.arg_number(0);
  if (gpu && lost_.contains(*gpu)) return dynlib::nvml_unknown;
  if (optional_ && now_() - started_ > budget_) {
    if (not_asked_++ == 0) first_not_asked_ = answer.source();
    return dynlib::nvml_unknown;
  }
  NvmlReturn code = dynlib::nvml_function_not_found;
  if (have) code = call(answer.value);
  if (code != dynlib::nvml_success) {
    answer.value.clear();
    answer.error = dynlib::nvml_return_name(code);
  }
  if (gpu && code == dynlib::nvml_gpu_is_lost) lost_.insert(*gpu);
  document_.answers.push_back(std::move(answer));
  return code;
}

NvmlReturn Questions::text(const char* name, std::vector<Scalar> args,
                           NvmlReturn (*function)(dynlib::NvmlDevice, char*, unsigned),
                           dynlib::NvmlDevice device) {
  return ask(name, std::move(args), function != nullptr, [&](Value& value) {
    char buffer[97] = {};  // 96 is NVML's largest buffer; the last byte stays zero
    const auto code = function(device, buffer, 96);
    value.emplace("", std::string(buffer));
    return code;
  });
}

void Questions::finish() {
  if (not_asked_ == 0) return;
  document_.stopped = fmt::format(
      "the driver answered slowly: after {} ms {} further questions were not asked, from {} on",
      budget_.count(), not_asked_, first_not_asked_);
}

}  // namespace railgauge::observe::nvml
