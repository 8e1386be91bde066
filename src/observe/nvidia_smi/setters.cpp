#include "observe/nvidia_smi/setters.h"

#include <fmt/format.h>

#include <algorithm>

#include "observe/nvml/words.h"

namespace railgauge::observe::nvidia_smi {

using model::Device;

namespace {

constexpr std::size_t mig_devices_max = 64;  // 7 instances is the most any GPU has

// A mode that changes at the next reset is worth a word only where it differs.
void set_pending(SmiMachine& m, Device& d, const SmiValue& v, const model::Fact<bool>& current) {
  const auto pending = as_flag(v.text);
  if (pending && (!current.known() || *current != *pending))
    m.attribute(d, v, *pending ? "enabled" : "disabled");
}

}  // namespace

void set_name(SmiMachine& m, Device& d, const SmiValue& v) { m.put(d.name, v, as_text(v.text)); }

void set_address(SmiMachine& m, Device& d, const SmiValue& v) {
  if (!d.address.known()) m.put(d.address, v, as_long_address(v.text));
}

void set_index(SmiMachine& m, Device& d, const SmiValue& v) {
  if (!d.index.known()) m.put(d.index, v, as_int(v.text));
}

void set_uuid(SmiMachine& m, Device& d, const SmiValue& v) {
  m.put(d.gpu->uuid, v, as_text(v.text));
}

// Every row of a CSV says it again.
void set_driver(SmiMachine& m, Device&, const SmiValue& v) {
  if (!m.machine.host.driver.known()) m.put(m.machine.host.driver, v, as_text(v.text));
}

// The driver gives the most that GPU and slot can do together, so a narrow slot would pass for a
// narrow GPU: inferred.
void set_max_width(SmiMachine& m, Device& d, const SmiValue& v) {
  m.put(d.pci->link.max_width, v, as_lanes(v.text), model::Trust::inferred);
}

void set_compute_capability(SmiMachine& m, Device& d, const SmiValue& v) {
  std::optional<int> capability;
  const auto halves = split(trim(v.text), '.');
  const auto major = parse_int(halves.front());
  const auto minor = parse_int(halves.back());
  if (halves.size() == 2 && major && minor && *major >= 0 && *major < 100 && *minor >= 0 &&
      *minor < 10)
    capability = static_cast<int>(*major * 10 + *minor);
  m.put(d.gpu->compute_capability, v, capability);
}

// The draw of this moment is the better answer; not every GPU gives one.
void set_average_power(SmiMachine& m, Device& d, const SmiValue& v) {
  m.put(d.gpu->power_watts, v, as_watts(v.text), model::Trust::inferred);
}

// What was asked for; the limit in force may be lower.
void set_requested_limit(SmiMachine& m, Device& d, const SmiValue& v) {
  m.put(d.gpu->power_limit_watts, v, as_watts(v.text), model::Trust::inferred);
}

void set_throttle_reason(SmiMachine& m, Device& d, const SmiValue& v) {
  const auto active = as_flag(v.text);
  if (!active) {
    if (!refusal_of(v.text)) m.not_understood(v);
    return;
  }
  auto& parts = m.parts(d);
  if (!parts.throttle_bits) parts.throttle_bits = 0;
  if (parts.throttle_line == 0) parts.throttle_line = v.line;
  if (!*active) return;
  for (unsigned bit = 0; bit < 64; ++bit)
    if (nvml::throttle_words(1ull << bit) == v.word) *parts.throttle_bits |= 1ull << bit;
}

void set_throttle_mask(SmiMachine& m, Device& d, const SmiValue& v) {
  const auto mask = parse_hex(trim(v.text));
  if (!mask) return m.put(d.gpu->throttle_reasons, v, std::optional<std::vector<std::string>>());
  auto& parts = m.parts(d);
  parts.throttle_bits = parts.throttle_bits.value_or(0) | *mask;
  if (parts.throttle_line == 0) parts.throttle_line = v.line;
}

// The status means something only once the probe is completed.
void set_fabric_status(SmiMachine& m, Device& d, const SmiValue& v) {
  if (d.gpu->fabric_state.known() && *d.gpu->fabric_state != "completed") return;
  if (equal_nocase(trim(v.text), "Unknown Error"))
    return d.gpu->fabric_status.claim("unknown_error", m.at(v.line));
  m.put(d.gpu->fabric_status, v, as_word(v.text));
}

void set_clique(SmiMachine& m, Device& d, const SmiValue& v) {
  if (!refusal_of(v.text)) m.parts(d).clique = as_text(v.text);
}

void set_cluster(SmiMachine& m, Device& d, const SmiValue& v) {
  if (refusal_of(v.text)) return;
  m.parts(d).cluster = as_text(v.text);
  m.parts(d).cluster_line = v.line;
}

void set_mig_pending(SmiMachine& m, Device& d, const SmiValue& v) {
  set_pending(m, d, v, d.gpu->mig_enabled);
}
void set_ecc_pending(SmiMachine& m, Device& d, const SmiValue& v) {
  set_pending(m, d, v, d.gpu->ecc_enabled);
}

void set_mig_index(SmiMachine& m, Device& d, const SmiValue& v) {
  const auto index = as_int(v.text);
  if (!index) return m.not_understood(v);
  if (d.gpu->mig_devices.size() < mig_devices_max)
    d.gpu->mig_devices.push_back(fmt::format("MIG device {}", *index));
}

void set_mig_instance(SmiMachine&, Device& d, const SmiValue& v) {
  const auto number = as_int(v.text);
  auto& list = d.gpu->mig_devices;
  if (number && !list.empty() && list.back().size() < 100)
    list.back() += fmt::format(", {} {}", v.word, *number);
}

void set_remapped_rows(SmiMachine& m, Device& d, const SmiValue& v) {
  m.put(d.gpu->remapped_rows_correctable, v, std::optional<int>());
  m.put(d.gpu->remapped_rows_uncorrectable, v, std::optional<int>());
  m.put(d.gpu->remapping_pending, v, std::optional<bool>());
  m.put(d.gpu->remapping_failed, v, std::optional<bool>());
}

void attribute_as_text(SmiMachine& m, Device& d, const SmiValue& v) {
  if (auto text = as_text(v.text)) m.attribute(d, v, std::move(*text));
}

void attribute_as_generation(SmiMachine& m, Device& d, const SmiValue& v) {
  if (const auto speed = as_generation(v.text)) m.attribute(d, v, speed->text());
}

}  // namespace railgauge::observe::nvidia_smi
