#include "observe/sysfs/fake_tree.h"

#include <fmt/format.h>

#include <cstdlib>
#include <fstream>

namespace railgauge::observe {
namespace {

namespace fs = std::filesystem;
using model::PciPort;

void put(std::string& bytes, std::size_t at, std::uint32_t value, int size) {
  for (int i = 0; i < size; ++i)
    bytes[at + static_cast<std::size_t>(i)] = static_cast<char>(value >> (8 * i) & 0xff);
}

std::uint32_t port_type(PciPort port) {
  switch (port) {
    case PciPort::endpoint: return 0;
    case PciPort::root_port: return 4;
    case PciPort::switch_upstream: return 5;
    case PciPort::switch_downstream: return 6;
    case PciPort::pci_bridge: return 7;
    case PciPort::root_integrated: return 9;
  }
  return 0;
}

}  // namespace

FakeTree::FakeTree() {
  std::string name = (fs::temp_directory_path() / "railgauge-tree-XXXXXX").string();
  if (::mkdtemp(name.data()) == nullptr) std::abort();
  prefix_ = name;
}

FakeTree::~FakeTree() {
  std::error_code ignored;
  fs::remove_all(prefix_, ignored);
}

void FakeTree::file(const std::string& path, std::string_view contents) const {
  fs::create_directories((prefix_ / path).parent_path());
  std::ofstream(prefix_ / path, std::ios::binary) << contents;
}

void FakeTree::link(const std::string& path, const std::string& target) const {
  fs::create_directories((prefix_ / path).parent_path());
  fs::create_symlink(target, prefix_ / path);
}

void FakeTree::directory(const std::string& path) const { fs::create_directories(prefix_ / path); }

std::string FakeTree::function(const std::string& parent, const std::string& address,
                               const FakeFunction& facts) const {
  const std::string path = parent + "/" + address;
  const auto put_text = [&](const char* name, const std::string& text) {
    file(path + "/" + name, text + "\n");
  };
  put_text("vendor", fmt::format("0x{:04x}", facts.vendor));
  put_text("device", fmt::format("0x{:04x}", facts.device));
  put_text("class", fmt::format("0x{:06x}", facts.pci_class));
  put_text("revision", "0xa1");
  put_text("numa_node", std::to_string(facts.numa_node));
  put_text("local_cpulist", facts.numa_node == 1 ? "2-3" : "0-1");
  put_text("power_state", "D0");
  for (const char* name : {"current_link_speed", "max_link_speed"}) put_text(name, facts.speed);
  for (const char* name : {"current_link_width", "max_link_width"})
    put_text(name, std::to_string(facts.width));
  if (!facts.driver.empty()) link(path + "/driver", "../../../bus/pci/drivers/" + facts.driver);
  file(path + "/config", fake_config(facts));
  link("sys/bus/pci/devices/" + address, "../../../" + path.substr(4));
  return path;
}

std::string fake_config(const FakeFunction& facts) {
  std::string bytes(4096, '\0');
  const bool is_bridge = facts.pci_class >> 8 == 0x0604;
  put(bytes, 0x00, facts.vendor, 2);
  put(bytes, 0x02, facts.device, 2);
  put(bytes, 0x06, 0x10, 2);  // a capability list follows
  put(bytes, 0x08, facts.pci_class << 8 | 0xa1, 4);
  put(bytes, 0x0e, is_bridge ? 1 : 0, 1);
  put(bytes, 0x34, 0x40, 1);
  if (!facts.port) return bytes.substr(0, 64);
  const auto generation =
      model::PcieSpeed::parse(facts.speed).value_or(model::PcieSpeed{}).generation();
  const auto link = static_cast<std::uint32_t>(generation) | static_cast<std::uint32_t>(facts.width)
                                                                 << 4;
  put(bytes, 0x40, 0x10, 1);
  put(bytes, 0x42, 2 | port_type(*facts.port) << 4, 2);
  put(bytes, 0x48, 0x5 << 12 | 0x1 << 5 | 0x10, 2);  // read requests 4096, payload 256, relaxed
  put(bytes, 0x4c, link, 4);
  put(bytes, 0x52, link, 2);
  if (!is_bridge) return bytes;
  put(bytes, 0x100, 0x1 | 1 << 16 | 0x200u << 20, 4);
  put(bytes, 0x200, 0xd | 1 << 16, 4);
  put(bytes, 0x206, 0x4, 2);  // request redirect
  return bytes;
}

}  // namespace railgauge::observe
