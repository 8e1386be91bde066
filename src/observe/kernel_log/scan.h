// Small steps through one line of a log. All give views into what they were given.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "model/pci.h"

namespace railgauge::observe {

// What follows the first `key`; nothing when it does not occur.
std::optional<std::string_view> after(std::string_view text, std::string_view key);
// Up to the first of these bytes, or all of it.
std::string_view until(std::string_view text, std::string_view stops);

// The number at the start, after blanks; anything may follow.
std::optional<std::uint64_t> leading_number(std::string_view text);
std::optional<std::uint64_t> leading_hex(std::string_view text);  // with or without 0x
std::optional<int> leading_int(std::string_view text);

// "0000:5d:00.0" at the start; anything that no address has may follow.
std::optional<model::PciAddress> leading_address(std::string_view text);
// The first address anywhere in the text, with its domain.
std::optional<model::PciAddress> find_address(std::string_view text);

// "mlx5_core 0000:18:00.0 ens1: words": how a driver's message starts. The driver may be missing.
struct DeviceWords {
  std::string_view driver;
  model::PciAddress address;
  std::string_view rest;
};
std::optional<DeviceWords> device_words(std::string_view text);

// A requester id of 16 bits (bus, device, function) in a domain.
model::PciAddress address_of_id(std::uint64_t id, std::uint32_t domain);

// Printable, valid UTF-8, at most 300 bytes.
std::string event_text(std::string_view text);

}  // namespace railgauge::observe
