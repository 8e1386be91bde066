// The readers of scripts, Dockerfiles and manifests: whatever the bytes, a machine or an error.
#include <cstdint>
#include <string>

#include "observe/settings/dockerfile.h"
#include "observe/settings/manifest.h"
#include "observe/settings/shell_script.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const Input input{"fuzz", std::string(reinterpret_cast<const char*>(data), size)};
  (void)looks_like_shell_script(input.bytes);
  (void)looks_like_dockerfile(input.bytes);
  (void)looks_like_manifest(input.bytes);
  (void)read_shell_script(input);
  (void)read_dockerfile(input);
  (void)read_manifest(input);
  return 0;
}
