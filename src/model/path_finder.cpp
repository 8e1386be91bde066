#include "model/path_finder.h"

#include "model/class_finder.h"
#include "model/nccl_finder.h"
#include "model/route_finder.h"

namespace railgauge::model {

PathFinder::PathFinder(const Machine& machine)
    : classes_(std::make_unique<ClassFinder>(machine)),
      routes_(std::make_unique<RouteFinder>(machine)),
      nccl_(std::make_unique<NcclFinder>(machine)) {}
PathFinder::~PathFinder() = default;
PathFinder::PathFinder(PathFinder&&) noexcept = default;

Reading<PathClass> PathFinder::smi_class(DeviceId a, DeviceId b) const {
  return classes_->smi_class(a, b);
}

Reading<PathClass> PathFinder::pcie_class(DeviceId a, DeviceId b) const {
  return classes_->pcie_class(a, b);
}

Reading<NcclPath> PathFinder::nccl_path(DeviceId a, DeviceId b, NcclVersion version) const {
  return nccl_->path(a, b, version);
}

Reading<BytesPerSecond> PathFinder::nccl_bandwidth(DeviceId a, DeviceId b,
                                                   NcclVersion version) const {
  return nccl_->bandwidth(a, b, version);
}

Result<Path> PathFinder::best_path(DeviceId a, DeviceId b) const {
  return routes_->best_path(a, b);
}

Reading<PathClass> smi_class(const Machine& machine, DeviceId a, DeviceId b) {
  return ClassFinder(machine).smi_class(a, b);
}

Reading<PathClass> pcie_class(const Machine& machine, DeviceId a, DeviceId b) {
  return ClassFinder(machine).pcie_class(a, b);
}

Reading<NcclPath> nccl_path(const Machine& machine, DeviceId a, DeviceId b, NcclVersion version) {
  return NcclFinder(machine).path(a, b, version);
}

Reading<BytesPerSecond> nccl_bandwidth(const Machine& machine, DeviceId a, DeviceId b,
                                       NcclVersion version) {
  return NcclFinder(machine).bandwidth(a, b, version);
}

Result<Path> best_path(const Machine& machine, DeviceId a, DeviceId b) {
  return RouteFinder(machine).best_path(a, b);
}

}  // namespace railgauge::model
