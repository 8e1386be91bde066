// What all lspci readers do to their machine: one device per address, its kind from class, vendor
// and port type, its parent from bus numbers.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "model/machine.h"
#include "observe/lspci/device_line.h"
#include "observe/reader.h"

namespace railgauge::observe {

class PciMachine {
 public:
  explicit PciMachine(const Input& input);

  model::Machine machine;

  model::SourceRef at(std::uint32_t line) const { return source_.at_line(line); }
  std::size_t size() const { return devices_.size(); }

  // The device of this address, added when new. Its `pci` part exists.
  model::DeviceId device(const model::PciAddress& address, std::uint32_t line);

  // What a device line says: class, ids, revision, name.
  model::DeviceId device(const DeviceLine& found, std::uint32_t line);

  // Kinds and parents, when all lines are read.
  void finish();

  void note(std::uint32_t line, std::string text);
  void warn(std::uint32_t line, std::string text);

 private:
  void set_kinds();
  void set_parents();

  model::SourceRef source_;
  std::map<model::PciAddress, model::DeviceId> devices_;
  std::map<model::PciAddress, std::uint16_t> vendors_;  // by name, where the id is not printed
};

}  // namespace railgauge::observe
