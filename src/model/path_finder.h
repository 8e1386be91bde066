// The path questions of paths.h for one settled machine, prepared once for many pairs.
//   const PathFinder finder(machine);
//   for (…) finder.smi_class(a, b), finder.best_path(a, b) …
// Keeps a reference to the machine, whose devices, links and pairs must stay as they are meanwhile.
// Searches are kept per source, so ask pair by pair with the first end in the outer loop. The const
// functions fill caches: one finder serves one thread.
#pragma once

#include <memory>

#include "model/paths.h"

namespace railgauge::model {

class ClassFinder;
class RouteFinder;
class NcclFinder;

class PathFinder {
 public:
  explicit PathFinder(const Machine& machine);
  ~PathFinder();
  PathFinder(PathFinder&&) noexcept;
  PathFinder& operator=(PathFinder&&) = delete;

  Reading<PathClass> smi_class(DeviceId a, DeviceId b) const;
  Reading<PathClass> pcie_class(DeviceId a, DeviceId b) const;
  Reading<NcclPath> nccl_path(DeviceId a, DeviceId b, NcclVersion version) const;
  Reading<BytesPerSecond> nccl_bandwidth(DeviceId a, DeviceId b, NcclVersion version) const;
  Result<Path> best_path(DeviceId a, DeviceId b) const;

 private:
  std::unique_ptr<ClassFinder> classes_;
  std::unique_ptr<RouteFinder> routes_;
  std::unique_ptr<NcclFinder> nccl_;
};

}  // namespace railgauge::model
