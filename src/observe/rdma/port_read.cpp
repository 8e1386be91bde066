#include "observe/rdma/port_read.h"

#include <fmt/format.h>

#include <charconv>

#include "observe/ethtool/counter_sheet.h"
#include "observe/rdma/net_places.h"
#include "observe/rdma/port_text.h"
#include "observe/sysfs/attributes.h"

namespace railgauge::observe {
namespace {

using model::Machine;
using model::NicPort;
using model::SourceRef;

constexpr int most_gids = 256;  // what mlx5 offers; others have fewer

void read_state(Attributes& files, NicPort& port) {
  files.fill(port.state, "state", port_state);
  files.fill(port.physical_state, "phys_state", port_state);
  files.fill(port.link_layer, "link_layer", plain_text);
  const bool down = port.state.value_or("ACTIVE") == "DOWN";
  files.fill(port.rate, "rate", [&](std::string_view text) {
    return down ? not_negotiated<BytesPerSecond>(text) : port_rate(text);
  });
  files.fill(port.rate_words, "rate", [&](std::string_view text) {
    return down ? not_negotiated<std::string>(text) : port_rate_words(text);
  });
  files.fill(port.lid, "lid", port_lid);
  files.fill(port.sm_lid, "sm_lid", port_lid);
}

void read_gids(Attributes& files, const Recording& recording, const std::string& directory,
               Machine& machine, NicPort& port) {
  const std::string layer = port.link_layer.value_or("");
  for (const int row : table_rows(recording, directory + "/gids")) {
    const std::string number = std::to_string(row);
    const auto text = recording.text(directory + "/gids/" + number);
    if (text && text->find_first_not_of("0:") == std::string::npos) continue;  // an empty row
    if (port.gids.size() >= most_gids)
      return machine.remark(model::RemarkLevel::warning,
                            fmt::format("more than {} GIDs; the rest is not read", most_gids),
                            files.source("gids/" + number));
    model::Gid gid;
    gid.index = row;
    files.fill(gid.gid, "gids/" + number, gid_text);
    files.fill(gid.type, "gid_attrs/types/" + number,
               [&](std::string_view type) { return gid_type(type, layer); });
    files.fill(gid.netdev, "gid_attrs/ndevs/" + number, plain_text);
    port.gids.push_back(std::move(gid));
  }
  const auto devices = table_rows(recording, directory + "/gid_attrs/ndevs");
  if (!devices.empty())
    files.fill(port.netdev, "gid_attrs/ndevs/" + std::to_string(devices.front()), plain_text);
}

// Row 0 of an InfiniBand port is the subnet's prefix and the port's GUID (InfiniBand Architecture
// Specification, volume 1, 4.1.1).
void take_port_guid(NicPort& port) {
  if (port.link_layer.value_or("") != "InfiniBand" || port.gids.empty()) return;
  const model::Gid& first = port.gids.front();
  if (first.index == 0 && first.gid && first.gid->size() == 39)
    port.guid.claim(first.gid->substr(20), first.gid.source());
}

}  // namespace

void read_counter_files(const Recording& recording, const std::string& directory,
                        const CounterNames& names, const std::string& whose, Machine& machine,
                        model::Device& device, NicPort& port) {
  CounterSheet sheet(names);
  for (const auto& name : recording.list(directory)) {
    const std::string path = directory + "/" + name;
    const auto text = recording.text(path);
    const SourceRef here = machine.sources.add(path, model::Trust::kernel);
    if (!text) {
      machine.remark(model::RemarkLevel::note, "not read: " + text.why(), here);
      continue;
    }
    std::uint64_t value = 0;
    const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), value);
    const bool whole = error == std::errc{} && end == text->data() + text->size();
    if (!whole && text->starts_with("N/A")) continue;  // "N/A (no PMA)": the adapter has it not
    if (!whole)
      machine.remark(model::RemarkLevel::warning,
                     "expected a count, found " + railgauge::quoted(*text), here);
    else if (name == "lifespan")
      device.attributes.push_back(
          {fmt::format("port{}.hw_counters_lifespan_ms", port.number), *text, here});
    else
      sheet.take(name, value, here);
  }
  sheet.write(port, machine, whose);
}

void read_rdma_port(const Recording& recording, const std::string& directory,
                    const CounterNames& names, Machine& machine, model::DeviceId nic,
                    NicPort& port) {
  Attributes files(recording, machine, directory);
  read_state(files, port);
  read_gids(files, recording, directory, machine, port);
  take_port_guid(port);
  if (port.link_layer.value_or("") == "InfiniBand")
    port.active_mtu_bytes.refuse(
        "the kernel has no file for the active MTU of an InfiniBand port; ibv_devinfo shows it",
        machine.sources.add(directory, model::Trust::kernel));
  model::Device& device = machine[nic];
  const std::string whose =
      fmt::format("{} port {}", device.nic->rdma_device.value_or("adapter"), port.number);
  for (const char* counters : {"counters", "hw_counters"})
    read_counter_files(recording, directory + "/" + counters, names, whose, machine, device, port);
}

}  // namespace railgauge::observe
