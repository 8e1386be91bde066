#include "observe/ib_text/ibstat.h"

#include <fmt/format.h>

#include <optional>

#include "observe/ethtool/key_value.h"
#include "observe/ib_text/nic_paste.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::NicPort;

// "CA 'mlx5_0'"
std::string_view adapter_header(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("CA '") || !line.ends_with('\'') || line.size() < 6) return {};
  const auto name = line.substr(4, line.size() - 5);
  return is_device_name(name) ? name : std::string_view();
}

// "Port 1:"
std::optional<int> port_header(const KeyValue& pair) {
  if (!pair.key.starts_with("Port ") || !pair.value.empty()) return std::nullopt;
  return small_number(pair.key.substr(5), NicPaste::most_ports);
}

Reading<std::string> word(std::string_view text) { return plain_text(text); }

class IbstatReader {
 public:
  explicit IbstatReader(const Input& input) : paste_(input) {}

  NicPaste read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      paste_.at(lines.number());
      if (const auto name = adapter_header(lines.line()); !name.empty()) {
        adapter_ = paste_.rdma(name);
        port_.reset();
      } else if (const auto pair = key_value(lines.line()); pair && adapter_) {
        take(*pair);
      } else if (!trim(lines.line()).empty()) {
        adapter_.reset();  // another command's output
      }
    }
    return std::move(paste_);
  }

 private:
  void take(const KeyValue& pair) {
    if (const auto number = port_header(pair)) {
      port_ = *number;
      paste_.port(*adapter_, *number);
    } else if (port_) {
      port_fact(pair, paste_.port(*adapter_, *port_));
    } else {
      adapter_fact(pair, paste_.nic(*adapter_));
    }
  }

  void adapter_fact(const KeyValue& pair, model::NicFacts& nic) {
    const auto [key, value] = pair;
    if (key == "CA type") {
      if (!value.empty()) paste_.fill(nic.hca_type, value, word);
    } else if (key == "Firmware version") {
      paste_.fill(nic.firmware, value, word);
    } else if (key == "Hardware version") {
      paste_.fill(nic.hardware_version, value, word);
    } else if (key == "Node GUID") {
      paste_.fill(nic.guid, value, guid_text);
    } else if (key == "System image GUID") {
      paste_.fill(nic.system_image_guid, value, guid_text);
    } else if (key == "Number of ports") {
      paste_.keep(*adapter_, "number_of_ports", value);
    } else {
      adapter_.reset();  // lines of ibstat follow its header; the next command's may too
    }
  }

  void port_fact(const KeyValue& pair, NicPort& port) {
    const auto [key, value] = pair;
    if (key == "State") {
      paste_.fill(port.state, state_word(value), word);
    } else if (key == "Physical state") {
      paste_.fill(port.physical_state, physical_state_word(value), word);
    } else if (key == "Rate") {
      const std::string rate = fmt::format("{} Gb/sec", value);
      paste_.fill_rate(port, rate);
    } else if (key == "Base lid") {
      paste_.fill(port.lid, value, port_lid);
    } else if (key == "SM lid") {
      paste_.fill(port.sm_lid, value, port_lid);
    } else if (key == "Port GUID") {
      paste_.fill(port.guid, value, guid_text);
    } else if (key == "Link layer") {
      paste_.fill(port.link_layer, value, word);
    } else if (key == "LMC" || key == "Capability mask") {
      paste_.keep(*adapter_,
                  fmt::format("port{}.{}", port.number, key == "LMC" ? "lmc" : "capability_mask"),
                  value);
    } else {
      adapter_.reset();  // lines of ibstat follow its header; the next command's may too
    }
  }

  NicPaste paste_;
  std::optional<DeviceId> adapter_;
  std::optional<int> port_;
};

// "Infiniband device 'mlx5_0' port 1 status:"
struct StatusHeader {
  std::string_view device;
  int port = 1;
};
std::optional<StatusHeader> status_header(std::string_view line) {
  const auto words = split_blank(line.substr(0, 256));
  if (words.size() != 6 || words[0] != "Infiniband" || words[1] != "device" || words[3] != "port" ||
      words[5] != "status:")
    return std::nullopt;
  const std::string_view quoted_name = words[2];
  const auto port = small_number(words[4], NicPaste::most_ports);
  if (quoted_name.size() < 3 || !port) return std::nullopt;
  const auto name = quoted_name.substr(1, quoted_name.size() - 2);
  if (!is_device_name(name)) return std::nullopt;
  return StatusHeader{name, *port};
}

// False when it is no line of ibstatus.
bool take_status(NicPaste& paste, const KeyValue& pair, NicPort& port) {
  const auto [key, value] = pair;
  if (key == "default gid") {
    if (gid_text(value)) paste.fill(paste.gid(port, 0).gid, value, gid_text);
  } else if (key == "base lid") {
    paste.fill(port.lid, value, port_lid);
  } else if (key == "sm lid") {
    paste.fill(port.sm_lid, value, port_lid);
  } else if (key == "state") {
    paste.fill(port.state, value, port_state);
  } else if (key == "phys state") {
    paste.fill(port.physical_state, value, port_state);
  } else if (key == "rate") {
    paste.fill_rate(port, value);
  } else if (key == "link_layer") {
    paste.fill(port.link_layer, value, word);
  } else {
    return false;
  }
  return true;
}

NicPaste read_status(const Input& input, std::string_view plain) {
  NicPaste paste(input);
  std::optional<DeviceId> adapter;
  int number = 1;
  for (LineCursor lines(plain); lines.next();) {
    paste.at(lines.number());
    if (const auto header = status_header(lines.line())) {
      adapter = paste.rdma(header->device);
      number = header->port;
      paste.port(*adapter, number);
    } else if (adapter && !trim(lines.line()).empty()) {
      const auto pair = key_value(lines.line());
      if (!pair || !take_status(paste, *pair, paste.port(*adapter, number))) adapter.reset();
    }
  }
  return paste;
}

}  // namespace

bool looks_like_ibstat(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  for (LineCursor lines(plain); lines.next();)
    if (!adapter_header(lines.line()).empty()) return true;
  return false;
}

Result<model::Machine> read_ibstat(const Input& input) {
  return IbstatReader(input)
      .read(pasted_text(input.bytes))
      .take("no adapter: expected the output of ibstat, \"CA 'mlx5_0'\"");
}

bool looks_like_ibstatus(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  for (LineCursor lines(plain); lines.next();)
    if (status_header(lines.line())) return true;
  return false;
}

Result<model::Machine> read_ibstatus(const Input& input) {
  return read_status(input, pasted_text(input.bytes))
      .take(
          "no adapter: expected the output of ibstatus, \"Infiniband device 'mlx5_0' port 1 "
          "status:\"");
}

}  // namespace railgauge::observe
