// What all readers of nvidia-smi's outputs do to their machine: find or add a GPU, put a value
// under a fact. Keeps its own index, so that many GPUs stay linear.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>

#include "base/strings.h"
#include "model/machine.h"
#include "observe/nvidia_smi/values.h"
#include "observe/reader.h"

namespace railgauge::observe::nvidia_smi {

struct SmiKey;

// One value as it stands in the text, and the word that its key means ("sw_power_cap").
struct SmiValue {
  std::string_view text;
  std::uint32_t line = 0;
  const char* word = "";
};

class SmiMachine {
 public:
  explicit SmiMachine(const Input& input);

  model::Machine machine;

  model::SourceRef at(std::uint32_t line, model::Trust trust = model::Trust::tool) const;
  // Nothing above a bound on the number of GPUs; finish() says so.
  std::optional<model::DeviceId> at_address(const model::PciAddress& address, std::uint32_t line);
  std::optional<model::DeviceId> at_index(int index, std::uint32_t line);
  std::optional<model::DeviceId> new_gpu(std::uint32_t line);

  // Once for each GPU and key: outputs in one paste, and --loop, say the same again.
  void take(model::DeviceId gpu, const SmiKey& key, std::string_view text, std::uint32_t line);
  // False when this was asked before with the same three numbers.
  bool first_time(model::DeviceId gpu, std::uint32_t what, std::uint32_t which = 0);

  // A refusal becomes a refusal in its own words; what is not understood is remarked too.
  template <class T>
  void put(model::Fact<T>& fact, const SmiValue& value, std::optional<T> parsed,
           model::Trust trust = model::Trust::tool) {
    if (const auto why = refusal_of(value.text))
      return fact.refuse("nvidia-smi says " + railgauge::quoted(*why), at(value.line));
    if (parsed) return fact.claim(std::move(*parsed), at(value.line, trust));
    fact.refuse("nvidia-smi says " + railgauge::quoted(value.text), at(value.line));
    not_understood(value);
  }
  // Properties without a field; refusals leave nothing.
  void attribute(model::Device& gpu, const SmiValue& value, std::string text);

  // Parts of facts that stand on several lines.
  struct Parts {
    std::optional<unsigned long long> throttle_bits;  // as NVML counts them
    std::uint32_t throttle_line = 0;
    std::optional<std::string> clique;
    std::optional<std::string> cluster;
    std::uint32_t cluster_line = 0;
  };
  Parts& parts(const model::Device& gpu);

  void not_understood(const SmiValue& value);
  void warn(std::uint32_t line, std::string text, bool is_error = false);
  void note(std::uint32_t line, std::string text);

  // Makes the facts of the parts and says what was left out. Call once, at the end.
  model::Machine finish();

 private:
  model::SourceRef source_;
  std::map<model::PciAddress, model::DeviceId> addresses_;
  std::map<int, model::DeviceId> indexes_;
  std::map<std::uint32_t, Parts> parts_;
  std::unordered_set<std::uint64_t> seen_;
  std::size_t repeated_ = 0;
  std::uint32_t first_repeated_line_ = 0;
  std::uint32_t full_line_ = 0;
};

// "8 of 10 values …": the end of a remark needs a plural.
std::string counted(std::size_t number, const char* one, const char* many);

}  // namespace railgauge::observe::nvidia_smi
