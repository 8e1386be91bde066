#include "observe/nvidia_smi/smi_machine.h"

#include <fmt/format.h>

#include <algorithm>

#include "observe/nvidia_smi/keys.h"
#include "observe/nvml/words.h"

namespace railgauge::observe::nvidia_smi {

using model::DeviceId;
using model::RemarkLevel;

namespace {

constexpr std::size_t remarks_max = 1000;
constexpr std::size_t gpus_max = 1024;  // no machine has a tenth of that

void finish_throttle(model::Fact<std::vector<std::string>>& fact, unsigned long long bits,
                     model::SourceRef source) {
  std::vector<std::string> reasons;
  const std::string words = nvml::throttle_words(bits);
  for (const auto word : split(words, ','))
    if (!word.empty()) reasons.emplace_back(word);
  fact.claim(std::move(reasons), source);
}

// As the reader of NVML writes it: digits without dashes; all zeros outside a rack's domain.
void finish_cluster(model::Fact<std::string>& fact, std::string cluster, const std::string& clique,
                    model::SourceRef source) {
  std::erase(cluster, '-');
  if (std::any_of(cluster.begin(), cluster.end(), [](char c) { return c != '0'; }))
    fact.claim(fmt::format("{} clique {}", lower(cluster), clique), source);
}

}  // namespace

std::string counted(std::size_t number, const char* one, const char* many) {
  return fmt::format("{} {}", number, number == 1 ? one : many);
}

SmiMachine::SmiMachine(const Input& input) {
  machine.name = input.name;
  source_ = machine.sources.add(input.name, model::Trust::tool);
}

model::SourceRef SmiMachine::at(std::uint32_t line, model::Trust trust) const {
  model::SourceRef ref = source_.at_line(line);
  ref.trust = trust;
  return ref;
}

std::optional<DeviceId> SmiMachine::new_gpu(std::uint32_t line) {
  if (machine.devices.size() >= gpus_max) {
    if (full_line_ == 0) full_line_ = line;
    return std::nullopt;
  }
  const DeviceId id = machine.add(model::DeviceKind::gpu, at(line));
  machine[id].pci.emplace();
  return id;
}

std::optional<DeviceId> SmiMachine::at_address(const model::PciAddress& address,
                                               std::uint32_t line) {
  const auto found = addresses_.find(address);
  if (found != addresses_.end()) return found->second;
  const auto id = new_gpu(line);
  if (!id) return std::nullopt;
  machine[*id].address.claim(address, at(line));
  addresses_.emplace(address, *id);
  return id;
}

std::optional<DeviceId> SmiMachine::at_index(int index, std::uint32_t line) {
  const auto found = indexes_.find(index);
  if (found != indexes_.end()) return found->second;
  const auto id = new_gpu(line);
  if (!id) return std::nullopt;
  machine[*id].index.claim(index, at(line));
  indexes_.emplace(index, *id);
  return id;
}

bool SmiMachine::first_time(DeviceId gpu, std::uint32_t what, std::uint32_t which) {
  return seen_.insert(std::uint64_t{gpu.value} << 32 | (what & 0xffff) << 16 | (which & 0xffff))
      .second;
}

void SmiMachine::take(DeviceId gpu, const SmiKey& key, std::string_view text, std::uint32_t line) {
  if (!key.repeats && !first_time(gpu, key_number(key))) {
    if (repeated_++ == 0) first_repeated_line_ = line;
    return;
  }
  key.apply(*this, machine[gpu], {text, line, key.word});
}

void SmiMachine::attribute(model::Device& gpu, const SmiValue& value, std::string text) {
  if (refusal_of(value.text)) return;
  gpu.attributes.push_back({value.word, std::move(text), at(value.line)});
}

SmiMachine::Parts& SmiMachine::parts(const model::Device& gpu) {
  return parts_[static_cast<std::uint32_t>(&gpu - machine.devices.data())];
}

void SmiMachine::not_understood(const SmiValue& value) {
  warn(value.line, "the value " + railgauge::quoted(value.text) + " is not understood");
}

void SmiMachine::warn(std::uint32_t line, std::string text, bool is_error) {
  if (machine.remarks.size() < remarks_max)
    machine.remark(is_error ? RemarkLevel::error : RemarkLevel::warning, std::move(text), at(line));
}

void SmiMachine::note(std::uint32_t line, std::string text) {
  if (machine.remarks.size() < remarks_max)
    machine.remark(RemarkLevel::note, std::move(text), at(line));
}

model::Machine SmiMachine::finish() {
  for (const auto& [device, parts] : parts_) {
    model::GpuFacts& gpu = *machine.devices[device].gpu;
    if (parts.throttle_bits)
      finish_throttle(gpu.throttle_reasons, *parts.throttle_bits, at(parts.throttle_line));
    if (parts.cluster && parts.clique)
      finish_cluster(gpu.fabric_cluster, *parts.cluster, *parts.clique, at(parts.cluster_line));
  }
  if (full_line_ > 0)
    machine.remark(RemarkLevel::warning,
                   fmt::format("more than {} GPUs: those from here on are left out", gpus_max),
                   at(full_line_));
  if (repeated_ > 0)
    note(first_repeated_line_,
         counted(repeated_, "value is given again from here on; the first one was kept",
                 "values are given again from here on; the first ones were kept"));
  return std::move(machine);
}

}  // namespace railgauge::observe::nvidia_smi
