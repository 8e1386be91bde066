#include "observe/ib_text/nic_paste.h"

#include <algorithm>
#include <array>

#include "observe/rdma/port_text.h"

namespace railgauge::observe {

using model::DeviceId;

NicPaste::NicPaste(const Input& input) : name_(input.name) {
  machine_.name = input.name;
  source_ = machine_.sources.add(input.name, model::Trust::tool);
  here_ = source_;
}

DeviceId NicPaste::found(const std::string& key) {
  fresh_ = false;
  if (const auto known = devices_.find(key); known != devices_.end()) return known->second;
  if (devices_.size() >= most_devices) {
    if (!std::exchange(said_too_many_, true))
      warn("more than " + std::to_string(most_devices) + " adapters; the rest is not read");
    return DeviceId{static_cast<std::uint32_t>(most_devices - 1)};
  }
  fresh_ = true;
  const DeviceId id = machine_.add(model::DeviceKind::nic, here_);
  devices_.emplace(key, id);
  return id;
}

DeviceId NicPaste::rdma(std::string_view name) {
  const DeviceId id = found("rdma " + std::string(name));
  if (fresh_) nic(id).rdma_device.claim(valid_utf8(name), here_);
  return id;
}

DeviceId NicPaste::netdev(std::string_view name) {
  const DeviceId id = found("net " + std::string(name));
  if (!fresh_) return id;
  nic(id).netdev.claim(valid_utf8(name), here_);
  port(id, 1).netdev.claim(valid_utf8(name), here_);
  return id;
}

DeviceId NicPaste::guid(std::string_view text) {
  const auto guid = guid_text(text);
  const DeviceId id = found("guid " + guid.value_or(std::string(text)));
  if (fresh_) fill(nic(id).guid, text, guid_text);
  return id;
}

DeviceId NicPaste::unnamed() {
  const DeviceId id = found("");
  if (!fresh_) return id;
  model::SourceRef guess = here_;
  guess.trust = model::Trust::guess;
  machine_[id].name.claim("adapter of " + valid_utf8(name_), guess);
  return id;
}

model::NicPort& NicPaste::port(DeviceId id, std::int64_t number) {
  if (number < 0 || number > most_ports) {
    warn("a port has a number from 1 to 254, found " + std::to_string(number));
    number = 1;
  }
  auto& ports = nic(id).ports;
  const auto at =
      std::lower_bound(ports.begin(), ports.end(), number,
                       [](const model::NicPort& p, std::int64_t n) { return p.number < n; });
  if (at != ports.end() && at->number == number) return *at;
  model::NicPort made;
  made.number = static_cast<int>(number);
  return *ports.insert(at, std::move(made));
}

model::Gid& NicPaste::gid(model::NicPort& port, int index) {
  // Tables are printed in order: the last row is the one asked for, or the place to add.
  if (!port.gids.empty() && port.gids.back().index < index) {
    port.gids.push_back({index, {}, {}, {}});
    return port.gids.back();
  }
  const auto at =
      std::lower_bound(port.gids.begin(), port.gids.end(), index,
                       [](const model::Gid& row, int wanted) { return row.index < wanted; });
  if (at != port.gids.end() && at->index == index) return *at;
  return *port.gids.insert(at, {index, {}, {}, {}});
}

void NicPaste::warn(std::string text) {
  if (machine_.remarks.size() < most_remarks)
    machine_.remark(model::RemarkLevel::warning, std::move(text), here_);
  else if (machine_.remarks.size() == most_remarks)
    machine_.remark(model::RemarkLevel::warning, "more of the same; the rest is not said", here_);
}

void NicPaste::keep(DeviceId id, std::string key, std::string_view value) {
  if (!value.empty() && machine_[id].attributes.size() < most_remarks)
    machine_[id].attributes.push_back({std::move(key), valid_utf8(value.substr(0, 4096)), here_});
}

void NicPaste::fill_rate(model::NicPort& port, std::string_view text) {
  if (port.state.value_or("ACTIVE") == "DOWN") {
    port.rate.refuse(not_negotiated<int>(text).why(), here_);
    return;
  }
  fill(port.rate, text, port_rate);
  if (contains(text, "(")) fill(port.rate_words, text, port_rate_words);
}

Result<model::Machine> NicPaste::take(const char* expected) {
  if (machine_.devices.empty()) return fail(ErrorKind::input, name_ + ": " + expected);
  return std::move(machine_);
}

bool is_device_name(std::string_view name) {
  return !name.empty() && name.size() <= 64 && std::all_of(name.begin(), name.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-' || c == '.' || c == '@';
  });
}

}  // namespace railgauge::observe
