#include "observe/record/samples.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "model/field_lists.h"
#include "observe/archive/bounded_json.h"

namespace railgauge::observe {
namespace {

using model::Counter;
using model::Counters;

constexpr std::string_view folder = "samples/";
// Each is read in whole; a longer series belongs to a monitor.
constexpr std::size_t most_samples = 100;
constexpr std::size_t longest_note_bytes = 4096;
// Ten years; a larger number is a mistake of whoever wrote it.
constexpr double longest_ms = 3.2e11;

void add_counter(Counter& first, const Counter& later, double after_seconds) {
  if (later.value) first.later.push_back({after_seconds, *later.value});
}

void add_counters(Counters& first, const Counters& later, double after_seconds) {
  for (auto& [name, counter] : first)
    if (const auto found = later.find(name); found != later.end())
      add_counter(counter, found->second, after_seconds);
}

template <class Owner>
void add_fields(Owner& first, const Owner& later, double after_seconds) {
  model::each_counter_field<Owner>([&](const auto& field) {
    add_counters(first.*field.member, later.*field.member, after_seconds);
  });
}

template <class Part>
void add_numbered(std::vector<Part>& first, const std::vector<Part>& later, double after_seconds) {
  for (Part& part : first)
    for (const Part& other : later)
      if (other.number == part.number) add_fields(part, other, after_seconds);
}

void add_device(model::Device& first, const model::Device& later, double after_seconds) {
  if (first.pci && later.pci) add_fields(*first.pci, *later.pci, after_seconds);
  if (first.gpu && later.gpu) {
    add_fields(*first.gpu, *later.gpu, after_seconds);
    add_numbered(first.gpu->nvlinks, later.gpu->nvlinks, after_seconds);
  }
  if (first.nic && later.nic) add_numbered(first.nic->ports, later.nic->ports, after_seconds);
}

// What tells a device of one source from its others; empty for those without counters.
std::string name_of(const model::Device& device) {
  if (device.address) return device.address->text();
  if (device.nic && device.nic->rdma_device) return *device.nic->rdma_device;
  if (device.nic && device.nic->netdev) return *device.nic->netdev;
  if (device.gpu && device.index) return fmt::format("gpu {}", *device.index);
  return {};
}

// A CPU that took no interrupts before is not listed; it took none.
void add_interrupts(model::Machine& first, const model::Machine& later, double after_seconds) {
  std::map<int, const model::Interrupt*> known;
  for (const auto& interrupt : later.interrupts) known.emplace(interrupt.number, &interrupt);
  for (auto& interrupt : first.interrupts) {
    const auto found = known.find(interrupt.number);
    if (found == known.end() || found->second->label != interrupt.label) continue;
    for (const auto& [cpu, counter] : found->second->cpus) {
      Counter& taken = interrupt.cpus[cpu];
      if (!taken.value) taken.value.claim(0, found->second->cpus.begin()->second.value.source());
      add_counter(taken, counter, after_seconds);
    }
  }
}

// {"after_ms": 1000}
Result<double> after_ms(const Recording& recording, const std::string& path) {
  const Entry* entry = recording.find(path);
  if (entry == nullptr || entry->kind != Entry::Kind::file)
    return fail(ErrorKind::input, path + " is missing: when the sample was taken is not known");
  const auto document = parse_bounded_json(entry->bytes, path, longest_note_bytes);
  if (!document) return tl::unexpected(document.error());
  const auto found = document->is_object() ? document->find("after_ms") : document->end();
  if (found == document->end() || !found->is_number() || !(found->get<double>() > 0) ||
      found->get<double>() > longest_ms)
    return fail(ErrorKind::input, path + ": key \"after_ms\" should be a positive number");
  return found->get<double>();
}

}  // namespace

void take_sample(const Root& root, int number, std::chrono::milliseconds after,
                 Recording& recording) {
  Recording sample;
  for (const LiveSource& source : live_sources())
    if (source.sample != nullptr) source.sample(root, recording, sample);
  const std::string prefix = fmt::format("{}{}/", folder, number);
  for (const auto& [path, entry] : sample.entries)
    recording.entries.set(prefix + std::string(path), entry.kind, std::string(entry.bytes));
  recording.add_file(prefix + "sample.json", fmt::format("{{\"after_ms\": {}}}\n", after.count()));
}

std::vector<SampleAt> samples_of(const Recording& recording, std::vector<std::string>& remarks) {
  std::map<std::int64_t, SampleAt> numbered;
  for (const std::string& name : recording.list("samples")) {
    const auto number = parse_int(name);
    if (!number || *number < 1 || *number > 999'999) {
      remarks.push_back("samples/" + railgauge::quoted(name) + " is not the number of a sample");
      continue;
    }
    const std::string prefix = std::string(folder) + name + "/";
    const auto after = after_ms(recording, prefix + "sample.json");
    if (after)
      numbered.emplace(*number, SampleAt{*after / 1000, prefix});
    else
      remarks.push_back(after.error().text());
  }
  std::vector<SampleAt> samples;
  for (auto& [number, sample] : numbered) samples.push_back(std::move(sample));
  for (std::size_t i = 1; i < samples.size(); ++i) {
    if (samples[i].after_seconds > samples[i - 1].after_seconds) continue;
    remarks.push_back(
        fmt::format("{}sample.json: {} s after the first reading, and {}sample.json before it {} "
                    "s: times should "
                    "rise with the numbers, so counters have no rates",
                    samples[i].prefix, samples[i].after_seconds, samples[i - 1].prefix,
                    samples[i - 1].after_seconds));
    return {};
  }
  if (samples.size() > most_samples) {
    remarks.push_back(
        fmt::format("{} samples; the first {} are read", samples.size(), most_samples));
    samples.resize(most_samples);
  }
  return samples;
}

Recording overlaid(const Recording& recording, const SampleAt& sample) {
  Recording made;
  made.name = recording.name;
  made.manifest = recording.manifest;
  made.entries.hold_with(recording.entries);
  for (const auto& [path, entry] : recording.entries)
    if (!path.starts_with(folder)) made.entries.set_held(made.entries.end(), path, entry);
  for (auto it = recording.entries.lower_bound(sample.prefix);
       it != recording.entries.end() && it->first.starts_with(sample.prefix); ++it) {
    const std::string_view path = it->first.substr(sample.prefix.size());
    made.entries.set_held(made.entries.lower_bound(path), path, it->second);
  }
  return made;
}

void add_later(model::Machine& first, const model::Machine& later, double after_seconds) {
  std::map<std::string, const model::Device*> known;
  for (const model::Device& device : later.devices)
    if (auto name = name_of(device); !name.empty()) known.emplace(std::move(name), &device);
  for (model::Device& device : first.devices)
    if (const auto found = known.find(name_of(device)); found != known.end())
      add_device(device, *found->second, after_seconds);
  add_interrupts(first, later, after_seconds);
}

}  // namespace railgauge::observe
