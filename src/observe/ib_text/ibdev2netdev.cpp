#include "observe/ib_text/ibdev2netdev.h"

#include <algorithm>
#include <optional>

#include "observe/ib_text/nic_paste.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

struct Line {
  std::optional<model::PciAddress> address;
  std::string_view device;
  std::string_view hca_type;
  std::string_view firmware;
  int port = 1;
  std::string_view port_state;
  std::string_view netdev;
  std::string_view netdev_state;
};

std::string_view in_brackets(std::string_view word) {
  if (word.starts_with('(')) word.remove_prefix(1);
  if (word.ends_with(')')) word.remove_suffix(1);
  return word;
}

std::optional<Line> mapping(std::string_view text) {
  const auto arrow = text.find(" ==> ");
  if (arrow == std::string_view::npos || text.size() > 1024) return std::nullopt;
  const auto left = split_blank(text.substr(0, arrow));
  const auto right = split_blank(text.substr(arrow + 5));
  const auto port = std::find(left.rbegin(), left.rend(), "port");
  if (port == left.rend() || port == left.rbegin() || right.empty()) return std::nullopt;
  Line line;
  const auto number = small_number(*(port - 1), NicPaste::most_ports);
  const bool verbose = left.size() > 2 && model::PciAddress::parse(left[0]).has_value();
  if (!number || left.size() < 3) return std::nullopt;
  if (verbose) line.address = model::PciAddress::parse(left[0]);
  line.device = left[verbose ? 1 : 0];
  line.port = *number;
  if (port - left.rbegin() > 1) line.port_state = in_brackets(*(port - 2));
  if (verbose && left[2].starts_with('(')) line.hca_type = in_brackets(left[2]);
  const auto fw = std::find(left.begin(), left.end(), "fw");
  if (fw != left.end() && fw + 1 != left.end()) line.firmware = *(fw + 1);
  line.netdev = right[0];
  if (right.size() > 1) line.netdev_state = in_brackets(right[1]);
  if (!is_device_name(line.device) || !is_device_name(line.netdev)) return std::nullopt;
  return line;
}

void take(const Line& line, NicPaste& paste) {
  const auto id = paste.rdma(line.device);
  if (line.address) paste[id].address.claim(*line.address, paste.here());
  model::NicFacts& nic = paste.nic(id);
  if (!line.hca_type.empty()) paste.fill(nic.hca_type, line.hca_type, plain_text);
  if (!line.firmware.empty()) paste.fill(nic.firmware, line.firmware, plain_text);
  model::NicPort& port = paste.port(id, line.port);
  if (!line.port_state.empty()) paste.fill(port.state, state_word(line.port_state), plain_text);
  if (!nic.netdev) paste.fill(nic.netdev, line.netdev, plain_text);
  paste.fill(port.netdev, line.netdev, plain_text);
  if (!line.netdev_state.empty())
    paste.fill(port.netdev_state, lower(line.netdev_state), plain_text);
}

}  // namespace

bool looks_like_ibdev2netdev(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  for (LineCursor lines(plain); lines.next();)
    if (mapping(lines.line())) return true;
  return false;
}

Result<model::Machine> read_ibdev2netdev(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  NicPaste paste(input);
  for (LineCursor lines(plain); lines.next();) {
    paste.at(lines.number());
    if (const auto line = mapping(lines.line())) take(*line, paste);
  }
  return paste.take(
      "no mapping: expected the output of ibdev2netdev, \"mlx5_0 port 1 ==> eth0 (Up)\"");
}

}  // namespace railgauge::observe
