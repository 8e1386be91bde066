#include <fmt/format.h>
#include <linux/magic.h>
#include <sys/vfs.h>

#include <array>
#include <optional>

#include "base/strings.h"
#include "observe/sysfs/copy.h"
#include "observe/system/capture.h"
#include "observe/system/host.h"
#include "observe/system/kernel_arguments.h"
#include "observe/system/sysctl_names.h"

namespace railgauge::observe {
namespace {

constexpr std::array<const char*, 15> single_files{"proc/driver/nvidia/version",
                                                   "proc/sys/kernel/arch",
                                                   "proc/sys/kernel/hostname",
                                                   "proc/sys/kernel/osrelease",
                                                   "proc/uptime",
                                                   "sys/class/dmi/id/bios_date",
                                                   "sys/class/dmi/id/bios_vendor",
                                                   "sys/class/dmi/id/bios_version",
                                                   "sys/class/dmi/id/board_name",
                                                   "sys/class/dmi/id/board_vendor",
                                                   "sys/class/dmi/id/product_name",
                                                   "sys/class/dmi/id/sys_vendor",
                                                   "sys/devices/system/cpu/smt/control",
                                                   "sys/hypervisor/type",
                                                   "sys/kernel/mm/transparent_hugepage/enabled"};
constexpr std::array<std::string_view, 2> memory_lines{"MemTotal:", "MemAvailable:"};
// More CPUs, IOMMU groups or sizes of pages than any machine has.
constexpr std::size_t most_entries = 8192;

// Copies DIRECTORY/*/NAME; returns how many entries the directory has, nothing where there is none.
std::optional<std::size_t> copy_each(const Root& root, const std::string& directory,
                                     std::string_view start,
                                     std::initializer_list<const char*> names,
                                     Recording& recording) {
  const auto open = Directory::open(root.prefix / directory);
  if (!open) return std::nullopt;
  std::size_t count = 0;
  for (const auto& entry : open->names()) {
    if (!entry.starts_with(start)) continue;
    if (++count > most_entries) break;
    for (const char* name : names) copy_file(*open, entry + "/" + name, directory, recording);
  }
  return count;
}

void capture_command_line(const Root& root, Recording& recording) {
  const auto proc = Directory::open(root.prefix / "proc");
  if (!proc) return;
  auto line = proc->read("cmdline");
  if (line) *line = known_arguments(*line) + "\n";
  keep(std::move(line), "proc/cmdline", recording);
}

// The file is a link to ../usr/lib/os-release on most distributions.
void capture_os_release(const Root& root, Recording& recording) {
  const auto etc = Directory::open(root.prefix / "etc");
  if (!etc) return;
  if (!etc->link("os-release")) return copy_file(*etc, "os-release", "etc", recording);
  copy_link(*etc, "os-release", "etc", recording);
  copy_path(root, "usr/lib/os-release", recording);
}

// Size and use of /dev/shm as `df -P -k /dev/shm` would print them.
void capture_shared_memory(const Root& root, Recording& recording) {
  struct statfs state {};
  if (::statfs((root.prefix / "dev/shm").c_str(), &state) != 0) return;
  const auto kib = [&](std::uint64_t blocks) {
    return blocks * static_cast<std::uint64_t>(state.f_bsize) / 1024;
  };
  const std::uint64_t used = state.f_blocks - state.f_bfree;
  const std::uint64_t percent =
      state.f_blocks == 0 ? 0 : (used * 100 + state.f_blocks - 1) / state.f_blocks;
  recording.add_file("system/dev-shm.txt",
                     fmt::format("Filesystem 1024-blocks Used Available Capacity Mounted on\n"
                                 "{} {} {} {} {}% /dev/shm\n",
                                 state.f_type == TMPFS_MAGIC ? "tmpfs" : "other",
                                 kib(state.f_blocks), kib(used), kib(state.f_bavail), percent));
}

}  // namespace

void capture_host(const Root& root, Recording& recording) {
  for (const char* path : single_files) copy_path(root, path, recording);
  for (const auto name : sysctl_names) copy_path(root, "proc/sys/" + std::string(name), recording);
  copy_lines(root, "proc/meminfo", memory_lines, recording);
  capture_command_line(root, recording);
  capture_os_release(root, recording);
  capture_shared_memory(root, recording);
  copy_each(root, "sys/devices/system/cpu/cpufreq", "policy", {"scaling_governor"}, recording);
  copy_each(root, "sys/kernel/mm/hugepages", "hugepages-", {"nr_hugepages", "free_hugepages"},
            recording);
  if (const auto groups = copy_each(root, "sys/kernel/iommu_groups", "", {"type"}, recording))
    recording.add_file("system/iommu-groups.txt", std::to_string(*groups) + "\n");
}

}  // namespace railgauge::observe
