#include <algorithm>
#include <array>

#include "observe/sysfs/attributes.h"
#include "observe/sysfs/cpu_read.h"
#include "observe/system/host.h"

namespace railgauge::observe {
namespace {

using model::SourceRef;
using model::Trust;

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

}  // namespace

// x86 processors show the flag "hypervisor" to guests only. Which one it is, the firmware's vendor
// tells; that is an inference.
void read_hypervisor(const Recording& recording, model::Machine& machine) {
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

}  // namespace railgauge::observe
