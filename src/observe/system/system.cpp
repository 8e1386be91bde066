// The live source "system": the host, its modules, interrupts, limits, settings and environment.
#include <algorithm>
#include <array>

#include "observe/sources.h"
#include "observe/system/confinement.h"
#include "observe/system/environment.h"
#include "observe/system/host.h"
#include "observe/system/interrupts.h"
#include "observe/system/libraries.h"
#include "observe/system/modules.h"
#include "observe/system/services.h"

namespace railgauge::observe {

void capture_system(const Root& root, Recording& recording) {
  capture_host(root, recording);
  capture_modules(root, recording);
  capture_interrupts(root, recording);
  capture_confinement(root, recording);
  capture_libraries(root, recording);
  capture_services(root, recording);
  capture_environment(root, recording);
}

void sample_system(const Root& root, const Recording& first, Recording& sample) {
  if (first.find("proc/interrupts") != nullptr) sample_interrupts(root, sample);
}

bool system_present(const Recording& recording) {
  constexpr std::array<const char*, 8> folders{
      "proc", "usr", "opt", "system", "sys/class/dmi", "sys/module", "sys/kernel", "home"};
  constexpr std::array<const char*, 3> files{"environment.txt", "etc/nccl.conf", "etc/os-release"};
  return std::any_of(folders.begin(), folders.end(),
                     [&](const char* path) { return recording.has_directory(path); }) ||
         std::any_of(files.begin(), files.end(),
                     [&](const char* path) { return recording.find(path) != nullptr; });
}

Result<model::Machine> read_system(const Recording& recording) {
  if (!system_present(recording))
    return fail(ErrorKind::not_found,
                "the recording holds nothing of the host's settings: no proc/, no system/, no "
                "environment.txt");
  model::Machine machine;
  machine.name = recording.name;
  read_host(recording, machine);
  read_modules(recording, machine);
  read_interrupts(recording, machine);
  read_confinement(recording, machine);
  read_libraries(recording, machine);
  read_services(recording, machine);
  read_environment(recording, machine);
  return machine;
}

}  // namespace railgauge::observe
