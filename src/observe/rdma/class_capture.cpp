#include "observe/rdma/class_capture.h"

#include <fmt/format.h>

#include <filesystem>
#include <functional>
#include <string>

#include "base/strings.h"
#include "observe/ethtool/counter_names.h"
#include "observe/sysfs/copy.h"
#include "observe/sysfs/directory.h"

namespace railgauge::observe {
namespace {

namespace fs = std::filesystem;

// More than the virtual functions of a full machine; a host with that many containers has its
// first ones read.
constexpr std::size_t max_class_devices = 8192;
// What mlx5 offers; others have fewer rows.
constexpr int gid_rows = 256;
// mlx5 has some 60 hw_counters, bnxt_re with its states 100.
constexpr std::size_t most_counters = 512;

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

// Every row in use. An empty one answers zeros, and "Invalid argument" to what its type and network
// device are, so these are asked of rows in use alone: a table is mostly empty.
void copy_gids(const Directory& port, const std::string& path, Recording& recording) {
  const auto gids = port.inside("gids");
  if (!gids) return;
  const auto attributes = port.inside("gid_attrs");
  for (int row = 0; row < gid_rows; ++row) {
    const std::string number = std::to_string(row);
    auto gid = gids->read(number);
    if (!gid && gid.error().kind == ErrorKind::not_found) return;  // the end of the table
    if (!gid || gid->find_first_not_of("0:\n") == std::string::npos) continue;
    recording.add_file(path + "/gids/" + number, std::move(*gid));
    if (!attributes) continue;
    for (const char* name : {"types", "ndevs"})
      if (const auto rows = attributes->inside(name)) {
        auto text = rows->read(number);
        if (text && !trim(*text).empty())
          recording.add_file(path + "/gid_attrs/" + name + "/" + number, std::move(*text));
      }
  }
}

void copy_counters(const Directory& owner, const char* name, const std::string& path,
                   Recording& recording) {
  const auto counters = owner.inside(name);
  if (!counters) return;
  std::size_t count = 0;
  for (const auto& counter : counters->names()) {
    if (++count > most_counters)
      return recording.add_refused(path + "/" + name,
                                   fmt::format("more than {} counters", most_counters));
    copy_file(*counters, counter, path + "/" + name, recording);
  }
}

void copy_ports(const Directory& entry, const std::string& path, Recording& recording) {
  const auto ports = entry.inside("ports");
  if (!ports) return;
  for (const auto& number : ports->names()) {
    const auto port = ports->inside(number);
    if (!port) continue;
    const std::string port_path = path + "/ports/" + number;
    for (const char* name : {"state", "phys_state", "rate", "link_layer", "lid", "sm_lid"})
      copy_file(*port, name, port_path, recording);
    copy_gids(*port, port_path, recording);
    copy_counters(*port, "counters", port_path, recording);
    copy_counters(*port, "hw_counters", port_path, recording);
  }
}

// What counter_names.h has a name for.
void copy_statistics(const Directory& entry, const std::string& path, Recording& recording) {
  const auto statistics = entry.inside("statistics");
  if (!statistics) return;
  for (const CounterRow& row : netdev_counter_rows())
    copy_file(*statistics, row.driver_name, path + "/statistics", recording);
}

}  // namespace

void capture_infiniband(const Root& root, Recording& recording) {
  each(root, "sys/class/infiniband", false, recording,
       [&](const Directory& entry, const std::string& path) {
         for (const char* name : {"node_guid", "sys_image_guid", "fw_ver", "hca_type", "board_id",
                                  "hw_rev", "node_type"})
           copy_file(entry, name, path, recording);
         copy_ports(entry, path, recording);
       });
}

void capture_net(const Root& root, Recording& recording) {
  each(root, "sys/class/net", true, recording,
       [&](const Directory& entry, const std::string& path) {
         for (const char* name :
              {"mtu", "operstate", "speed", "type", "dev_port", "phys_port_name", "address"})
           copy_file(entry, name, path, recording);
         copy_statistics(entry, path, recording);
       });
}

}  // namespace railgauge::observe
