#include "base/strings.h"
#include "observe/sysfs/copy.h"
#include "observe/system/module_names.h"
#include "observe/system/modules.h"

namespace railgauge::observe {
namespace {

// mlx5 and NVIDIA's modules have fewer than 100.
constexpr std::size_t most_parameters = 256;
constexpr std::size_t most_modules = 256;

// "ib_core 434176 8 rdma_cm,ib_uverbs, Live 0x0000000000000000": the address is the kernel's
// secret.
void capture_list(const Root& root, Recording& recording) {
  const auto proc = Directory::open(root.prefix / "proc");
  if (!proc) return;
  auto text = proc->read_start("modules", 256 << 10);
  if (!text) return keep(std::move(text), "proc/modules", recording);
  std::string lines;
  for (LineCursor cursor(*text); cursor.next();) {
    const auto words = split_blank(cursor.line());
    if (words.size() < 5 || !is_module_of_interest(words[0])) continue;
    for (std::size_t i = 0; i < 5; ++i) lines += (i == 0 ? "" : " ") + std::string(words[i]);
    lines += '\n';
  }
  recording.add_file("proc/modules", std::move(lines));
}

void capture_module(const Directory& modules, const std::string& name, Recording& recording) {
  const auto module = modules.inside(name);
  if (!module) return;
  const std::string path = "sys/module/" + name;
  copy_file(*module, "version", path, recording);
  const auto parameters = module->inside("parameters");
  if (!parameters) return;
  std::size_t count = 0;
  for (const auto& parameter : parameters->names())
    if (++count <= most_parameters)
      copy_file(*parameters, parameter, path + "/parameters", recording);
}

}  // namespace

void capture_modules(const Root& root, Recording& recording) {
  capture_list(root, recording);
  std::size_t count = 0;
  if (const auto modules = Directory::open(root.prefix / "sys/module"))
    for (const auto& name : modules->names())
      if (is_module_of_interest(name) && ++count <= most_modules)
        capture_module(*modules, name, recording);
  if (const auto nvidia = Directory::open(root.prefix / "proc/driver/nvidia"))
    copy_file(*nvidia, "params", "proc/driver/nvidia", recording);
  if (const auto peers = Directory::open(root.prefix / "sys/kernel/mm/memory_peers"))
    for (const auto& name : peers->names())
      if (++count <= most_modules)
        copy_file(*peers, name + "/version", "sys/kernel/mm/memory_peers", recording);
}

}  // namespace railgauge::observe
