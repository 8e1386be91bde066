#include "observe/rdma/class_capture.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>

#include "base/strings.h"
#include "observe/sysfs/copy.h"
#include "observe/sysfs/directory.h"

namespace railgauge::observe {
namespace {

namespace fs = std::filesystem;

// More than the virtual functions of a full machine; a host with that many containers has its
// first ones read.
constexpr std::size_t max_class_devices = 8192;
// The GID table has up to 256 rows, all of one port's network device and its VLANs; the first rows
// hold the port's own.
constexpr int gid_rows = 8;

// Where `device` of a class entry leads, seen from the entry as the recording lays it out.
Result<std::string> device_link(const Directory& class_directory, const std::string& name,
                                const Directory& entry, const std::string& path) {
  auto device = entry.link("device");
  const auto moved = class_directory.link(name);
  if (!device || !moved) return device;  // a real directory: the text is right as it is
  const fs::path real = (fs::path(path).parent_path() / *moved / *device).lexically_normal();
  return real.lexically_relative(path).string();
}

using CopyEntry = std::function<void(const Directory& entry, const std::string& path)>;

// Calls `copy` for every entry of a class; the device link is kept already.
void each(const Root& root, const std::string& class_path, bool only_with_device,
          Recording& recording, const CopyEntry& copy) {
  const auto directory = Directory::open(root.prefix / class_path);
  if (!directory) {
    if (directory.error().kind != ErrorKind::not_found)
      recording.add_refused(class_path, directory.error().text());
    return;
  }
  std::size_t count = 0;
  for (const auto& name : directory->names()) {
    if (++count > max_class_devices)
      return recording.add_refused(class_path,
                                   fmt::format("more than {} entries", max_class_devices));
    const auto entry = directory->through(name);
    const std::string path = class_path + "/" + name;
    if (!entry) {  // "bonding_masters" is a file among the network devices
      if (entry.error().kind != ErrorKind::not_found)
        recording.add_refused(path, entry.error().text());
      continue;
    }
    const auto device = device_link(*directory, name, *entry, path);
    if (device)
      recording.add_link(path + "/device", *device);
    else if (device.error().kind != ErrorKind::not_found)
      recording.add_refused(path + "/device", device.error().text());
    else if (only_with_device)
      continue;
    copy(*entry, path);
  }
}

// The network device of a port: the first row of the GID table that has one.
void copy_netdev(const Directory& port, const std::string& path, Recording& recording) {
  const auto attributes = port.inside("gid_attrs");
  if (!attributes) return;
  const auto rows = attributes->inside("ndevs");
  if (!rows) return;
  for (int row = 0; row < gid_rows; ++row) {
    auto name = rows->read(std::to_string(row));  // an empty row answers "Invalid argument"
    if (!name || trim(*name).empty()) continue;
    return recording.add_file(fmt::format("{}/gid_attrs/ndevs/{}", path, row), std::move(*name));
  }
}

void copy_ports(const Directory& entry, const std::string& path, Recording& recording) {
  const auto ports = entry.inside("ports");
  if (!ports) return;
  for (const auto& number : ports->names()) {
    const auto port = ports->inside(number);
    if (!port) continue;
    const std::string port_path = path + "/ports/" + number;
    for (const char* name : {"state", "phys_state", "rate", "link_layer"})
      copy_file(*port, name, port_path, recording);
    copy_netdev(*port, port_path, recording);
  }
}

}  // namespace

void capture_infiniband(const Root& root, Recording& recording) {
  each(root, "sys/class/infiniband", false, recording,
       [&](const Directory& entry, const std::string& path) {
         for (const char* name : {"node_guid", "fw_ver", "hca_type", "board_id", "node_type"})
           copy_file(entry, name, path, recording);
         copy_ports(entry, path, recording);
       });
}

void capture_net(const Root& root, Recording& recording) {
  each(
      root, "sys/class/net", true, recording, [&](const Directory& entry, const std::string& path) {
        for (const char* name : {"mtu", "operstate", "speed", "type", "dev_port", "phys_port_name"})
          copy_file(entry, name, path, recording);
      });
}

}  // namespace railgauge::observe
