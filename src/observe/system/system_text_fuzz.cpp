// The readers of texts about the host: what one recognises it reads, what it does not it refuses.
// A command line that was filtered stays as it is, and no variable is kept that may not be.
#include <cstdint>
#include <cstdlib>
#include <string>

#include "observe/system/environment.h"
#include "observe/system/host_text.h"
#include "observe/system/kernel_arguments.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  for (const HostText text :
       {environment_text, settings_text, kernel_arguments_text, interrupts_text, limits_text,
        memory_text, modules_text, module_info_text, shared_memory_text, governors_text,
        numactl_show_text, os_release_text, nvidia_version_text}) {
    const auto machine = read_host_text(text, {"fuzz", bytes});
    if (holds_host_text(text, bytes) != machine.has_value()) std::abort();
    if (!machine) continue;
    for (const auto& variable : machine->variables)
      if (admit(variable.name, "").admission != Admission::taken) std::abort();
  }
  const std::string once = known_arguments(bytes);
  if (once.size() <= 8192 && known_arguments(once) != once) std::abort();
  return 0;
}
