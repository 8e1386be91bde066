#include "observe/sysfs/attributes.h"
#include "observe/system/host.h"
#include "observe/system/host_text.h"
#include "observe/system/kernel_arguments.h"

namespace railgauge::observe {
namespace {

using model::Trust;

// What a board maker left unfilled in the DMI tables.
Reading<std::string> product(std::string_view text) {
  for (const auto* blank :
       {"To Be Filled By O.E.M.", "System Product Name", "Default string", "Not Specified", ""})
    if (equal_nocase(text, blank))
      return Reading<std::string>::failed("the firmware says " + railgauge::quoted(text));
  return plain_text(text);
}

// "always [madvise] never"
Reading<std::string> chosen(std::string_view text) {
  const auto open = text.find('[');
  const auto close = text.find(']');
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2)
    return Reading<std::string>::not_reported("a choice like \"always [madvise] never\"");
  return valid_utf8(text.substr(open + 1, close - open - 1));
}

// 0 is off; 1 is on, and 2 moves pages between tiers of memory as well.
Reading<bool> switched_on(std::string_view text) {
  const auto value = count(text);
  if (!value) return Reading<bool>::not_reported("0, 1 or 2");
  return *value != 0;
}

// "350735.47 234388.90": seconds since the start, and those that the CPUs idled.
Reading<double> uptime(std::string_view text) {
  const auto words = split_blank(text.substr(0, 256));
  const auto seconds = words.empty() ? std::nullopt : parse_double(words[0]);
  if (!seconds || !(*seconds >= 0) || *seconds > 1e12)
    return Reading<double>::not_reported("seconds");
  return *seconds;
}

void read_text(const Recording& recording, const char* path, HostText text,
               model::Machine& machine) {
  const Entry* entry = recording.find(path);
  if (entry != nullptr && entry->kind == Entry::Kind::file)
    text(entry->bytes, machine.sources.add(path, Trust::kernel), machine);
}

void read_firmware(const Recording& recording, model::Machine& machine) {
  model::HostFacts& host = machine.host;
  Attributes dmi(recording, machine, "sys/class/dmi/id");
  dmi.fill(host.product, "product_name", product);
  dmi.fill(host.bios_vendor, "bios_vendor", product);
  dmi.fill(host.bios_version, "bios_version", product);
  dmi.fill(host.bios_date, "bios_date", product);
  dmi.fill(host.board, "board_name", [&](std::string_view name) {
    const auto model = product(name);
    const auto maker = recording.text("sys/class/dmi/id/board_vendor");
    if (!model || !maker || !product(*maker)) return model;
    return Reading<std::string>(*product(*maker) + " " + *model);
  });
}

}  // namespace

void read_host(const Recording& recording, model::Machine& machine) {
  model::HostFacts& host = machine.host;
  Attributes kernel(recording, machine, "proc/sys/kernel");
  kernel.fill(host.hostname, "hostname", plain_text);
  kernel.fill(host.kernel, "osrelease", plain_text);
  kernel.fill(host.numa_balancing, "numa_balancing", switched_on);
  Attributes(recording, machine, "proc").fill(host.uptime_seconds, "uptime", uptime);
  Attributes(recording, machine, "proc")
      .fill(host.kernel_arguments, "cmdline", [](std::string_view line) {
        return Reading<std::vector<std::string>>(plain_arguments(line));
      });
  Attributes(recording, machine, "sys/devices/system/cpu/smt")
      .fill(host.smt, "control", plain_text);
  Attributes(recording, machine, "sys/kernel/mm/transparent_hugepage")
      .fill(host.transparent_huge_pages, "enabled", chosen);
  read_text(recording, "etc/os-release", os_release_text, machine);
  read_text(recording, "usr/lib/os-release", os_release_text, machine);
  read_text(recording, "proc/driver/nvidia/version", nvidia_version_text, machine);
  read_text(recording, "proc/meminfo", memory_text, machine);
  read_text(recording, "system/dev-shm.txt", shared_memory_text, machine);
  read_firmware(recording, machine);
  read_hypervisor(recording, machine);
  read_many(recording, machine);
}

}  // namespace railgauge::observe
