#include <algorithm>
#include <array>

#include "observe/sysfs/attributes.h"
#include "observe/sysfs/cpu_read.h"

namespace railgauge::observe {
namespace {

using model::SourceRef;
using model::Trust;

// What a board maker left unfilled in the DMI tables.
Reading<std::string> product(std::string_view text) {
  for (const auto* blank : {"To Be Filled By O.E.M.", "System Product Name", "Default string", ""})
    if (equal_nocase(text, blank))
      return Reading<std::string>::failed("the firmware says " + quoted(text));
  return plain_text(text);
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 …": the first word that
// is digits and dots.
Reading<std::string> driver_version(std::string_view text) {
  for (const auto word : split_blank(text.substr(0, std::min<std::size_t>(text.size(), 4096)))) {
    const bool numeric = word.find_first_not_of("0123456789.") == std::string_view::npos;
    if (numeric && contains(word, ".") && word.front() != '.' && word.back() != '.')
      return std::string(word);
  }
  return Reading<std::string>::not_reported("a driver version like 535.104.05");
}

struct Maker {
  const char* vendor;
  const char* hypervisor;
};
// Who fills sys_vendor of virtual machines, and with what they run. Amazon's and Google's are built
// on KVM by their own account.
constexpr std::array<Maker, 6> makers{{{"QEMU", "kvm"},
                                       {"Amazon EC2", "kvm"},
                                       {"Google", "kvm"},
                                       {"Microsoft Corporation", "hyper-v"},
                                       {"VMware", "vmware"},
                                       {"Xen", "xen"}}};

const char* hypervisor_of(std::string_view vendor) {
  for (const auto& maker : makers)
    if (starts_with_nocase(vendor, maker.vendor)) return maker.hypervisor;
  return nullptr;
}

// x86 processors show the flag "hypervisor" to guests only. Which one it is, the firmware's vendor
// tells; that is an inference.
void fill_hypervisor(const Recording& recording, model::Machine& machine) {
  model::Fact<std::string>& fact = machine.host.hypervisor;
  Attributes(recording, machine, "sys/hypervisor").fill(fact, "type", plain_text);
  const auto vendor = recording.text("sys/class/dmi/id/sys_vendor");
  const SourceRef dmi = machine.sources.add("sys/class/dmi/id/sys_vendor", Trust::inferred);
  const char* named = vendor ? hypervisor_of(*vendor) : nullptr;
  // QEMU without a hypervisor has the same firmware; there the processor's name tells.
  const auto processor = cpuinfo(recording, "model name");
  if (named != nullptr && processor && contains(processor->text, "QEMU TCG CPU")) named = "qemu";
  const auto flags = cpuinfo(recording, "flags");
  if (!flags) {
    if (named != nullptr && starts_with_nocase(*vendor, "QEMU")) fact.claim(named, dmi);
    return;
  }
  const SourceRef here = machine.sources.add("proc/cpuinfo", Trust::kernel).at_line(flags->line);
  const auto words = split_blank(flags->text);
  const bool guest = std::find(words.begin(), words.end(), "hypervisor") != words.end();
  if (!guest)
    fact.claim("none", here);
  else if (named != nullptr)
    fact.claim(named, dmi);
  else
    fact.claim("unnamed hypervisor", {here.index, here.line, Trust::inferred});
}

}  // namespace

void read_host(const Recording& recording, model::Machine& machine) {
  model::HostFacts& host = machine.host;
  Attributes kernel(recording, machine, "proc/sys/kernel");
  kernel.fill(host.hostname, "hostname", plain_text);
  kernel.fill(host.kernel, "osrelease", plain_text);
  Attributes(recording, machine, "sys/class/dmi/id").fill(host.product, "product_name", product);
  Attributes(recording, machine, "proc/driver/nvidia").fill(host.driver, "version", driver_version);
  fill_hypervisor(recording, machine);
}

}  // namespace railgauge::observe
