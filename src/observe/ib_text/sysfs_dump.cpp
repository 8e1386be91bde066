#include "observe/ib_text/sysfs_dump.h"

#include <fmt/format.h>

#include <charconv>
#include <map>
#include <optional>
#include <utility>

#include "observe/ib_text/nic_paste.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"
#include "observe/sysfs/pci_names.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::NicPort;

// "mlx5_0/ports/1/counters/symbol_error: 0", what stands before the device cut off.
struct FileLine {
  std::optional<model::PciAddress> function;
  std::string_view device;
  std::vector<std::string_view> path;  // below the device
  std::string_view value;
};

// More rows than any adapter's table has; qedr has 512.
constexpr int largest_gid_index = 1023;

constexpr std::string_view device_files[] = {"board_id",  "fw_ver",         "hca_type", "hw_rev",
                                             "node_guid", "sys_image_guid", "node_type"};

bool is_device_file(std::string_view name) {
  for (const auto file : device_files)
    if (name == file) return true;
  return false;
}

std::optional<FileLine> file_line(std::string_view line) {
  FileLine out;
  line = trim(line);
  constexpr std::string_view folder = "infiniband/";
  if (const auto at = line.find(folder); at != std::string_view::npos) {
    if (at > 0) out.function = last_function(line.substr(0, at - 1));
    line = line.substr(at + folder.size());
  } else if (line.starts_with("./")) {
    line = line.substr(2);
  }
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon > 256) return std::nullopt;
  auto parts = split(line.substr(0, colon), '/');
  out.value = trim(line.substr(colon + 1));
  out.device = parts.front();
  parts.erase(parts.begin());
  out.path = std::move(parts);
  const bool of_device = out.path.size() == 1 && is_device_file(out.path[0]);
  const bool of_port = out.path.size() >= 3 && out.path[0] == "ports";
  if (!is_device_name(out.device) || (!of_device && !of_port)) return std::nullopt;
  return out;
}

class DumpReader {
 public:
  explicit DumpReader(const Input& input) : paste_(input) {}

  NicPaste read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      paste_.at(lines.number());
      if (const auto line = file_line(lines.line())) take(*line);
    }
    for (const Rate& rate : rates_) {
      paste_.at(rate.line);
      paste_.fill_rate(paste_.port(rate.id, rate.port), rate.value);
    }
    for (auto& [place, sheet] : sheets_) {
      const auto [id, number] = place;
      const auto name = paste_.nic(id).rdma_device.value_or("adapter");
      sheet.write(paste_.port(id, number), paste_.machine(),
                  fmt::format("{} port {}", name, number));
    }
    return std::move(paste_);
  }

 private:
  // Sorted by name "rate" stands before "state", and only the state tells whether it is one.
  struct Rate {
    DeviceId id;
    int port = 1;
    std::string_view value;
    std::uint32_t line = 0;
  };

  void take(const FileLine& line) {
    const DeviceId id = paste_.rdma(line.device);
    if (line.function) paste_[id].address.claim(*line.function, paste_.here());
    if (line.path[0] != "ports") return device_file(line.path[0], line.value, id);
    const auto number = small_number(line.path[1], NicPaste::most_ports);
    if (!number) return paste_.warn("expected a port from 1 to 254, found " + quoted(line.path[1]));
    NicPort& port = paste_.port(id, *number);
    if (line.path.size() == 3)
      port_file(line.path[2], line.value, id, port);
    else if (line.path.size() == 4 && line.path[2] == "gids")
      gid_file(line.path[3], line.value, port);
    else if (line.path.size() == 4)
      counter(line.path[2], line.path[3], line.value, id, port.number);
    else if (line.path.size() == 5 && line.path[2] == "gid_attrs")
      gid_attribute(line.path[3], line.path[4], line.value, port);
  }

  void device_file(std::string_view name, std::string_view value, DeviceId id) {
    model::NicFacts& nic = paste_.nic(id);
    if (name == "fw_ver") return paste_.fill(nic.firmware, value, plain_text);
    if (name == "hca_type") return paste_.fill(nic.hca_type, value, plain_text);
    if (name == "board_id") return paste_.fill(nic.board_id, value, plain_text);
    if (name == "hw_rev") return paste_.fill(nic.hardware_version, value, plain_text);
    if (name == "node_guid") return paste_.fill(nic.guid, value, guid_text);
    if (name == "sys_image_guid") return paste_.fill(nic.system_image_guid, value, guid_text);
    paste_.keep(id, std::string(name), value);
  }

  void port_file(std::string_view name, std::string_view value, DeviceId id, NicPort& port) {
    if (name == "state") return paste_.fill(port.state, value, port_state);
    if (name == "phys_state") return paste_.fill(port.physical_state, value, port_state);
    if (name == "link_layer") return paste_.fill(port.link_layer, value, plain_text);
    if (name == "lid") return paste_.fill(port.lid, value, port_lid);
    if (name == "sm_lid") return paste_.fill(port.sm_lid, value, port_lid);
    if (name == "rate") {
      rates_.push_back({id, port.number, value, paste_.here().line});
      return;
    }
    paste_.keep(id, fmt::format("port{}.{}", port.number, name), value);
  }

  void gid_file(std::string_view row, std::string_view value, NicPort& port) {
    const auto parsed = gid_text(value);
    const auto number = small_number(row, largest_gid_index);
    if (!number || (!parsed && parsed.is_failed())) return;  // an empty row
    paste_.fill(paste_.gid(port, *number).gid, value, gid_text);
  }

  void gid_attribute(std::string_view what, std::string_view row, std::string_view value,
                     NicPort& port) {
    const auto number = small_number(row, largest_gid_index);
    if (!number || value.empty()) return;
    model::Gid& gid = paste_.gid(port, *number);
    const std::string layer = port.link_layer.value_or("");
    if (what == "types")
      paste_.fill(gid.type, value, [&](std::string_view type) { return gid_type(type, layer); });
    if (what != "ndevs") return;
    paste_.fill(gid.netdev, value, plain_text);
    if (!port.netdev) paste_.fill(port.netdev, value, plain_text);
  }

  void counter(std::string_view folder, std::string_view name, std::string_view value, DeviceId id,
               int port) {
    if (folder != "counters" && folder != "hw_counters" && folder != "counters_ext")
      return paste_.keep(id, fmt::format("port{}.{}.{}", port, folder, name), value);
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), number);
    if (error != std::errc{} || end != value.data() + value.size())
      return paste_.warn("expected a count, found " + quoted(value));
    if (name == "lifespan")
      return paste_.keep(id, fmt::format("port{}.hw_counters_lifespan_ms", port), value);
    const auto sheet = sheets_.try_emplace({id, port}, names_).first;
    sheet->second.take(name, number, paste_.here());
  }

  NicPaste paste_;
  const CounterNames names_ = CounterNames::of_rdma();
  std::map<std::pair<DeviceId, int>, CounterSheet> sheets_;
  std::vector<Rate> rates_;
};

}  // namespace

bool looks_like_sysfs_dump(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  for (LineCursor lines(plain); lines.next();)
    if (file_line(lines.line())) return true;
  return false;
}

Result<model::Machine> read_sysfs_dump(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  return DumpReader(input).read(plain).take(
      "no adapter: expected files of /sys/class/infiniband, \"mlx5_0/ports/1/state: 4: ACTIVE\"");
}

}  // namespace railgauge::observe
