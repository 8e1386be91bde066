// For tests: a file tree like /sys and /proc in a temporary directory, removed at the end.
//   FakeTree tree;
//   tree.file("sys/devices/pci0000:00/0000:00:01.0/vendor", "0x10de\n");
//   capture_sysfs(tree.root(), recording);
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "model/pci.h"
#include "observe/root.h"

namespace railgauge::observe {

// One PCI function as a test wants to see it; the files the kernel would show follow from it.
struct FakeFunction {
  std::uint16_t vendor = 0x8086;
  std::uint16_t device = 0x1234;
  std::uint32_t pci_class = 0x060400;
  int numa_node = 0;
  std::string speed = "32.0 GT/s PCIe";
  int width = 16;
  std::string driver;
  std::optional<model::PciPort> port;  // nothing: 64 bytes of configuration space, as without root
};

class FakeTree {
 public:
  FakeTree();
  ~FakeTree();
  FakeTree(const FakeTree&) = delete;
  FakeTree& operator=(const FakeTree&) = delete;

  Root root() const { return Root{prefix_, nullptr, "", {}}; }
  void file(const std::string& path, std::string_view contents) const;
  void link(const std::string& path, const std::string& target) const;
  void directory(const std::string& path) const;

  // Adds a function's directory and the link to it in sys/bus/pci/devices; returns its path.
  std::string function(const std::string& parent, const std::string& address,
                       const FakeFunction& facts) const;

 private:
  std::filesystem::path prefix_;
};

// A configuration space with a PCI Express capability, and on bridges with Advanced Error Reporting
// at 0x100 and Access Control Services at 0x200, its request redirect on.
std::string fake_config(const FakeFunction& facts);

}  // namespace railgauge::observe
