#include "model/compare/machine_model.h"

#include <map>

namespace railgauge::model {

MachineModel model_of(const Machine& machine) {
  MachineModel out;
  std::map<std::string, std::size_t> names;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu)) {
    const Device& device = machine[id];
    const std::string name = device.name ? *device.name : std::string("GPU of unknown name");
    ++names[name];
    if (device.pci && device.pci->id)
      out.gpus.insert(std::to_string(device.pci->id->vendor) + ":" +
                      std::to_string(device.pci->id->device));
    else if (device.name)
      out.gpus.insert(name);
  }
  for (const auto& [name, count] : names)
    out.gpu_words += (out.gpu_words.empty() ? "" : " and ") + std::to_string(count) + "× " + name;
  out.product = machine.host.product.value_or("");
  return out;
}

std::string MachineModel::words() const {
  if (gpu_words.empty()) return product.empty() ? "no GPU" : product + " without a GPU";
  return product.empty() ? gpu_words : gpu_words + " (" + product + ")";
}

bool MachineModel::differs_from(const MachineModel& other) const {
  if (!product.empty() && !other.product.empty() && product != other.product) return true;
  if (gpus.empty() || other.gpus.empty()) return false;
  for (const std::string& gpu : gpus)
    if (other.gpus.contains(gpu)) return false;
  return true;
}

}  // namespace railgauge::model
