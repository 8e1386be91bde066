// What all matrix readers do to their machine: find or add the device of a label, find or add a
// pair. Keeps its own index, so that a wide matrix stays linear.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/result.h"
#include "model/machine.h"
#include "observe/reader.h"

namespace railgauge::observe {

class MatrixMachine {
 public:
  explicit MatrixMachine(const Input& input);

  model::Machine machine;

  model::SourceRef at(std::uint32_t line) const { return source_.at_line(line); }
  model::DeviceId device(const std::string& label, std::uint32_t line);
  model::Pair& pair(model::DeviceId a, model::DeviceId b);

  void note(std::uint32_t line, std::string text);
  void warn(std::uint32_t line, std::string text);

 private:
  model::SourceRef source_;
  std::unordered_map<std::string, model::DeviceId> devices_;
  std::unordered_map<std::uint64_t, std::size_t> pairs_;
};

}  // namespace railgauge::observe
