#include "observe/sysfs/pci_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "observe/sysfs/config_capture.h"
#include "observe/sysfs/copy.h"
#include "observe/sysfs/pci_names.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 19> files{"aer_dev_correctable",
                                                 "aer_dev_fatal",
                                                 "aer_dev_nonfatal",
                                                 "class",
                                                 "current_link_speed",
                                                 "current_link_width",
                                                 "device",
                                                 "label",
                                                 "local_cpulist",
                                                 "max_link_speed",
                                                 "max_link_width",
                                                 "numa_node",
                                                 "power_state",
                                                 "revision",
                                                 "sriov_numvfs",
                                                 "sriov_totalvfs",
                                                 "subsystem_device",
                                                 "subsystem_vendor",
                                                 "vendor"};
constexpr std::array<std::string_view, 3> links{"driver", "iommu_group", "physfn"};
constexpr std::array<std::string_view, 2> aspm_files{"l0s_aspm", "l1_aspm"};

// PCI Express allows 256 buses a domain; a chain of bridges deeper than this is no machine.
constexpr int max_depth = 32;
// 16 domains full of virtual functions; a guess far above any machine we know of.
constexpr std::size_t max_functions = 16384;

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

void copy_function(const Directory& function, const std::vector<std::string>& names,
                   const std::string& path, Recording& recording) {
  for (const auto& name : names) {
    if (has(files, name)) copy_file(function, name, path, recording);
    if (has(links, name)) copy_link(function, name, path, recording);
  }
  if (has(names, "config")) copy_config(function, path, recording);
  if (!has(names, "link")) return;
  const auto link = function.inside("link");
  if (!link) return;
  for (const auto name : aspm_files) copy_file(*link, std::string(name), path + "/link", recording);
}

class Walk {
 public:
  explicit Walk(Recording& recording) : recording_(recording) {}

  // `path` is a root bus or a function; functions lie in both, and a root bus in the function of a
  // volume management device.
  void enter(const Result<Directory>& directory, const std::string& path, int depth) {
    if (!directory) return recording_.add_refused(path, directory.error().text());
    if (depth > max_depth)
      return recording_.add_refused(path, fmt::format("more than {} bridges deep", max_depth));
    const auto names = directory->names();
    if (function_name(path.substr(path.rfind('/') + 1))) {
      if (++functions_ > max_functions)
        return recording_.add_refused(path, fmt::format("more than {} functions", max_functions));
      copy_function(*directory, names, path, recording_);
    }
    for (const auto& name : names)
      if (function_name(name) || root_bus_name(name))
        enter(directory->inside(name), path + "/" + name, depth + 1);
  }

 private:
  Recording& recording_;
  std::size_t functions_ = 0;
};

// "../../../devices/LNXSYSTM:00/…/pci0001:00/0001:00:00.0" in sys/bus/pci/devices leads to
// sys/devices/LNXSYSTM:00/…/pci0001:00. Virtual machines and device trees hide root buses deep
// below; these links say where without a search.
std::string root_bus_of(std::string_view target) {
  const auto start = target.find("/devices/");
  if (start == std::string_view::npos) return {};
  std::string path = "sys/devices";
  for (const auto part : split(target.substr(start + 9), '/')) {
    if (part == "..") return {};
    path += "/" + std::string(part);
    if (root_bus_name(part)) return path;
  }
  return {};
}

std::set<std::string> root_buses(const std::filesystem::path& prefix) {
  std::set<std::string> found;
  if (const auto devices = Directory::open(prefix / "sys/bus/pci/devices"))
    for (const auto& name : devices->names())
      if (const auto target = devices->link(name)) found.insert(root_bus_of(*target));
  found.erase("");
  const auto devices = Directory::open(prefix / "sys/devices");
  if (!devices) return found;
  for (const auto& name : devices->names()) {
    if (root_bus_name(name)) found.insert("sys/devices/" + name);
    const auto inner = devices->inside(name);
    if (!inner || root_bus_name(name)) continue;
    for (const auto& deeper : inner->names())
      if (root_bus_name(deeper)) found.insert("sys/devices/" + name + "/" + deeper);
  }
  return found;
}

}  // namespace

void capture_pci(const Root& root, Recording& recording) {
  Walk walk(recording);
  for (const auto& path : root_buses(root.prefix))
    walk.enter(Directory::open(root.prefix / path), path, 0);
}

}  // namespace railgauge::observe
