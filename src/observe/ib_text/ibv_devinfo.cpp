#include <fmt/format.h>

#include <optional>

#include "observe/ethtool/key_value.h"
#include "observe/ib_text/ibstat.h"
#include "observe/ib_text/nic_paste.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::NicPort;

Reading<std::string> word(std::string_view text) { return plain_text(text); }

// "PORT_ACTIVE (4)" is PORT_ACTIVE.
std::string_view without_number(std::string_view text) {
  const auto open = text.rfind(" (");
  return open == std::string_view::npos ? text : trim(text.substr(0, open));
}

// More rows than any adapter's table has; qedr has 512.
constexpr int largest_gid_index = 1023;

// "GID[  3]" is 3.
std::optional<int> gid_row(std::string_view key) {
  if (!key.starts_with("GID[") || !key.ends_with(']')) return std::nullopt;
  return small_number(trim(key.substr(4, key.size() - 5)), largest_gid_index);
}

class DevinfoReader {
 public:
  explicit DevinfoReader(const Input& input) : paste_(input) {}

  NicPaste read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      paste_.at(lines.number());
      const auto pair = key_value(lines.line());
      if (pair && pair->key == "hca_id" && is_device_name(pair->value)) {
        adapter_ = paste_.rdma(pair->value);
        port_.reset();
      } else if (pair && adapter_) {
        take(*pair);
      }
    }
    return std::move(paste_);
  }

 private:
  void take(const KeyValue& pair) {
    if (pair.key == "port") {
      port_ = small_number(pair.value, NicPaste::most_ports);
      if (!port_) paste_.warn("expected a port from 1 to 254, found " + quoted(pair.value));
      width_ = 0;
    }
    if (!port_) return adapter_fact(pair, paste_.nic(*adapter_));
    NicPort& port = paste_.port(*adapter_, *port_);
    if (const auto row = gid_row(pair.key))
      gid(*row, pair.value, port);
    else
      port_fact(pair, port);
  }

  // Of -v only what the model has a place for: the rest is what the adapter could do at most.
  void adapter_fact(const KeyValue& pair, model::NicFacts& nic) {
    const auto [key, value] = pair;
    if (key == "fw_ver") {
      paste_.fill(nic.firmware, value, word);
    } else if (key == "node_guid") {
      paste_.fill(nic.guid, value, guid_text);
    } else if (key == "sys_image_guid") {
      paste_.fill(nic.system_image_guid, value, guid_text);
    } else if (key == "board_id") {
      paste_.fill(nic.board_id, value, word);
    } else if (key == "hw_ver") {
      paste_.fill(nic.hardware_version, value, word);
    } else if (key == "transport" || key == "vendor_id" || key == "vendor_part_id" ||
               key == "phys_port_cnt") {
      // The vendor's number is IEEE's, not PCI's, and OEMs have their own.
      paste_.keep(*adapter_, std::string(key), value);
    }
  }

  void port_fact(const KeyValue& pair, NicPort& port) {
    const auto [key, value] = pair;
    if (key == "state") {
      paste_.fill(port.state, state_word(without_number(value)), word);
    } else if (key == "phys_state") {
      paste_.fill(port.physical_state, physical_state_word(without_number(value)), word);
    } else if (key == "max_mtu") {
      paste_.fill(port.max_mtu_bytes, value, rdma_mtu);
    } else if (key == "active_mtu") {
      paste_.fill(port.active_mtu_bytes, value, rdma_mtu);
    } else if (key == "sm_lid") {
      paste_.fill(port.sm_lid, value, port_lid);
    } else if (key == "port_lid") {
      paste_.fill(port.lid, value, port_lid);
    } else if (key == "link_layer") {
      paste_.fill(port.link_layer, value, word);
    } else if (key == "port_lmc") {
      paste_.keep(*adapter_, fmt::format("port{}.lmc", port.number), value);
    } else if (key == "active_width") {
      width_ = value.empty() ? 0 : small_number(value.substr(0, value.find('X')), 64).value_or(0);
    } else if (key == "active_speed") {
      lane_speed(value, port);
    }
  }

  // "100.0 Gbps (128)" of one lane; the width was printed on the line before.
  void lane_speed(std::string_view value, NicPort& port) {
    const auto words = split_blank(value.substr(0, 64));
    const auto lane =
        words.size() >= 2 && words[1] == "Gbps" ? parse_double(words[0]) : std::nullopt;
    if (!lane || width_ == 0) return;
    paste_.fill_rate(port, fmt::format("{} Gb/sec", *lane * width_));
  }

  // "fe80::ac0:ebff:fe11:2233, RoCE v2"; without a type on older versions.
  void gid(int row, std::string_view value, NicPort& port) {
    const auto comma = value.find(',');
    const auto address = trim(value.substr(0, comma));
    const auto parsed = gid_text(address);
    if (!parsed && parsed.is_failed()) return;  // an empty row
    model::Gid& gid = paste_.gid(port, row);
    paste_.fill(gid.gid, address, gid_text);
    if (comma == std::string_view::npos) return;
    const std::string layer = port.link_layer.value_or("");
    paste_.fill(gid.type, trim(value.substr(comma + 1)),
                [&](std::string_view type) { return gid_type(type, layer); });
  }

  NicPaste paste_;
  std::optional<DeviceId> adapter_;
  std::optional<int> port_;
  int width_ = 0;
};

}  // namespace

bool looks_like_ibv_devinfo(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  for (LineCursor lines(plain); lines.next();)
    if (const auto pair = key_value(lines.line());
        pair && pair->key == "hca_id" && is_device_name(pair->value))
      return true;
  return false;
}

Result<model::Machine> read_ibv_devinfo(const Input& input) {
  return DevinfoReader(input)
      .read(pasted_text(input.bytes))
      .take("no adapter: expected the output of ibv_devinfo, \"hca_id: mlx5_0\"");
}

}  // namespace railgauge::observe
