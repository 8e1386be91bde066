#include "observe/ethtool/ethtool_text.h"

#include "observe/ethtool/key_value.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_value = 256;  // the kernel's fields have 32

bool says_nothing(std::string_view value) {
  return value.empty() || value == "N/A" || value.size() > longest_value;
}

// mlx5 writes the board's id behind the version.
void take_firmware(std::string_view value, model::SourceRef here, model::NicFacts& nic) {
  if (says_nothing(value)) return nic.firmware.refuse("the driver says " + quoted(value), here);
  const std::size_t open = value.rfind(" (");
  if (open != std::string_view::npos && value.ends_with(')')) {
    nic.board_id.claim(valid_utf8(value.substr(open + 2, value.size() - open - 3)), here);
    value = trim(value.substr(0, open));
  }
  nic.firmware.claim(valid_utf8(value), here);
}

}  // namespace

bool take_driver_line(std::string_view line, model::SourceRef here, model::Device& device) {
  const auto pair = key_value(line);
  if (!pair) return false;
  const auto [key, value] = *pair;
  if (key == "driver") {
    if (!device.pci) device.pci.emplace();
    if (!says_nothing(value)) device.pci->driver.claim(valid_utf8(value), here);
  } else if (key == "version") {
    if (!says_nothing(value)) device.nic->driver_version.claim(valid_utf8(value), here);
  } else if (key == "firmware-version") {
    take_firmware(value, here, *device.nic);
  } else if (key == "bus-info") {
    if (const auto address = model::PciAddress::parse(value)) device.address.claim(*address, here);
  } else if (key == "expansion-rom-version") {
    if (!says_nothing(value))
      device.attributes.push_back({"expansion_rom_version", valid_utf8(value), here});
  } else {
    return key.starts_with("supports-");  // what ethtool can ask, nothing of the adapter
  }
  return true;
}

bool take_pause_line(std::string_view line, model::SourceRef here, model::NicPort& port,
                     std::string& warning) {
  const auto pair = key_value(line);
  if (!pair) return false;
  if (pair->key == "Autonegotiate" || pair->key == "RX negotiated" || pair->key == "TX negotiated")
    return true;
  if (pair->key != "RX" && pair->key != "TX") return false;
  auto& fact = pair->key == "RX" ? port.pause_rx : port.pause_tx;
  if (pair->value == "on" || pair->value == "off")
    fact.claim(std::string(pair->value), here);
  else
    warning = std::string(pair->key) + " pause is on or off, found " + quoted(pair->value);
  return true;
}

std::string_view pause_header(std::string_view line) {
  constexpr std::string_view words = "Pause parameters for ";
  line = trim(line);
  if (!line.starts_with(words) || !line.ends_with(':')) return {};
  return line.substr(words.size(), line.size() - words.size() - 1);
}

}  // namespace railgauge::observe
