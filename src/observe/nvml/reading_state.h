// What the handlers of read*.cpp share while nvml.json becomes a machine: the GPUs found so far and
// how an answer becomes a fact, a refusal or a remark.
#pragma once

#include <map>
#include <set>
#include <utility>

#include "model/machine.h"
#include "observe/nvml/document.h"

namespace railgauge::observe::nvml {

class ReadingState {
 public:
  explicit ReadingState(model::Machine& made) : machine(made) {}

  // The GPU of args[0], made when new. nullptr when the argument is no index below the bound.
  model::Device* gpu(const Answer& answer);
  std::optional<model::DeviceId> gpu_id(std::uint64_t index) const;
  // The link of args[1] on the GPU of args[0], made when new.
  model::NvLinkPort* link(const Answer& answer);

  // The value becomes a claim; an error becomes a refusal with the call and the reason; a value of
  // the wrong type or out of range becomes a refusal and a remark.
  template <class T>
  void put(model::Fact<T>& fact, const Answer& answer, std::optional<T> value,
           model::Trust trust = model::Trust::driver) {
    if (!answer.error.empty()) return fact.refuse(refusal(answer), source(answer));
    if (value) return fact.claim(std::move(*value), source(answer, trust));
    fact.refuse(answer.source() + " gave a value that is not understood", source(answer));
    odd_value(answer);
  }

  model::SourceRef source(const Answer& answer, model::Trust trust = model::Trust::driver);
  std::string refusal(const Answer& answer) const;
  void attribute(model::Device& device, std::string key, std::string value, const Answer& answer);
  void odd_value(const Answer& answer);

  // Errors that say more than "this GPU does not have that": one remark for each GPU and error.
  void note_error(const Answer& answer);

  model::Machine& machine;

 private:
  std::map<std::uint64_t, model::DeviceId> gpus_;
  std::set<std::pair<std::uint64_t, std::string>> noted_;
};

// Each takes the answers it knows by call name; false for a call that is not its own.
bool read_gpu_answer(ReadingState& state, const Answer& answer);
bool read_health_answer(ReadingState& state, const Answer& answer);
bool read_link_answer(ReadingState& state, const Answer& answer);
bool read_pair_answer(ReadingState& state, const Answer& answer);

// After all answers: switches from the remote ends of links, and NV# of each pair.
void finish_links(ReadingState& state);

// 0-`most` as an int, or nothing.
std::optional<int> bounded(std::optional<std::uint64_t> number, std::uint64_t most);

}  // namespace railgauge::observe::nvml
