#include "observe/sysfs/cpu_capture.h"

#include <string>

#include "base/strings.h"
#include "observe/sysfs/copy.h"
#include "observe/sysfs/cpu_names.h"

namespace railgauge::observe {
namespace {

// A kernel is built for at most 1024 nodes (CONFIG_NODES_SHIFT 10).
constexpr std::size_t max_nodes = 1024;
// One processor's paragraph is about 2 KiB; reading all of them interrupts every core.
constexpr std::size_t cpuinfo_bytes = 16 << 10;

void copy_one(const Root& root, const std::string& directory, const std::string& name,
              Recording& recording) {
  if (const auto open = Directory::open(root.prefix / directory))
    copy_file(*open, name, directory, recording);
}

void copy_memory_total(const Directory& node, const std::string& path, Recording& recording) {
  auto text = node.read_start("meminfo", 4096);
  if (text) {
    for (LineCursor lines(*text); lines.next();)
      if (contains(lines.line(), "MemTotal:"))
        return recording.add_file(path + "/meminfo", std::string(lines.line()) + "\n");
    return;
  }
  keep(std::move(text), path + "/meminfo", recording);
}

void copy_package_of(const Root& root, const std::string& cpulist, Recording& recording) {
  if (const auto cpu = first_cpu(cpulist))
    copy_one(root, "sys/devices/system/cpu/cpu" + std::to_string(*cpu) + "/topology",
             "physical_package_id", recording);
}

}  // namespace

void capture_cpus(const Root& root, Recording& recording) {
  const std::string cpus = "sys/devices/system/cpu";
  copy_one(root, cpus, "online", recording);
  copy_one(root, cpus, "possible", recording);
  copy_package_of(root, recording.text(cpus + "/online").value_or(""), recording);
  if (const auto proc = Directory::open(root.prefix / "proc")) {
    auto text = proc->read_start("cpuinfo", cpuinfo_bytes);
    if (const auto end = text ? text->find("\n\n") : std::string::npos; end != std::string::npos)
      text->resize(end + 1);
    keep(std::move(text), "proc/cpuinfo", recording);
  }
  const std::string nodes = "sys/devices/system/node";
  const auto directory = Directory::open(root.prefix / nodes);
  if (!directory) return;
  std::size_t count = 0;
  for (const auto& name : directory->names()) {
    if (!node_number(name)) continue;
    if (++count > max_nodes) return recording.add_refused(nodes, "more than 1024 nodes");
    const auto node = directory->inside(name);
    const std::string path = nodes + "/" + name;
    if (!node) {
      recording.add_refused(path, node.error().text());
      continue;
    }
    copy_file(*node, "cpulist", path, recording);
    copy_file(*node, "distance", path, recording);
    copy_memory_total(*node, path, recording);
    copy_package_of(root, recording.text(path + "/cpulist").value_or(""), recording);
  }
}

}  // namespace railgauge::observe
