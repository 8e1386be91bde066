#include "observe/system/libraries.h"

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "observe/sysfs/directory.h"
#include "observe/system/remote_mounts.h"

namespace railgauge::observe {
namespace {

// The names that programs ask for. Tried one by one: a folder of libraries has thousands of files.
constexpr std::array<std::string_view, 26> sonames{
    "libnccl.so.2",     "libnccl-net.so",        "libnccl-net-ofi.so",   "librccl.so.1",
    "librccl-net.so",   "libcuda.so.1",          "libnvidia-ml.so.1",    "libcudart.so.11.0",
    "libcudart.so.12",  "libcudart.so.13",       "libucp.so.0",          "libucc.so.1",
    "libibverbs.so.1",  "librdmacm.so.1",        "libmlx5.so.1",         "libefa.so.1",
    "libfabric.so.1",   "libmpi.so.40",          "libnvshmem_host.so.3", "libamdhip64.so.6",
    "libamdhip64.so.7", "libhsa-runtime64.so.1", "libhcoll.so.1",        "libsharp.so.5",
    "libgdrapi.so.2",   "libpsm2.so.2"};

constexpr std::array<std::string_view, 12> fixed_folders{
    "usr/lib/x86_64-linux-gnu",
    "usr/lib/aarch64-linux-gnu",
    "usr/lib64",
    "usr/lib",
    "usr/local/lib",
    "usr/local/lib64",
    "usr/local/nvidia/lib64",
    "opt/amazon/efa/lib",
    "opt/amazon/efa/lib64",
    "opt/amazon/openmpi/lib",
    "opt/amazon/ofi-nccl/lib",
    "opt/amazon/ofi-nccl/lib/x86_64-linux-gnu"};

constexpr std::size_t most_products = 64;  // folders in /opt, or CUDA toolkits

// Folders that products make for themselves: /usr/local/cuda-12.4/lib64, /opt/rocm/lib.
void add_products(const Root& root, const std::string& parent, std::string_view start,
                  std::initializer_list<const char*> inner, std::vector<std::string>& folders) {
  const auto directory = Directory::open(root.prefix / parent);
  if (!directory) return;
  std::size_t count = 0;
  for (const auto& name : directory->names())
    if (name.starts_with(start) && ++count <= most_products)
      for (const char* folder : inner) folders.push_back(parent + "/" + name + "/" + folder);
}

std::vector<std::string> folders(const Root& root, const RemoteMounts& remote) {
  std::vector<std::string> out(fixed_folders.begin(), fixed_folders.end());
  if (!remote.hold("usr/local")) add_products(root, "usr/local", "cuda", {"lib64"}, out);
  if (!remote.hold("opt")) add_products(root, "opt", "", {"lib", "lib64"}, out);
  return out;
}

// "../libnccl.so.2.28.9" is 2.28.9; nothing when the name ends without a full version.
std::string version_in(std::string_view target) {
  const auto at = target.rfind(".so.");
  if (at == std::string_view::npos) return {};
  const auto version = target.substr(at + 4);
  const bool plain = version.find_first_not_of("0123456789.") == std::string_view::npos;
  return plain && contains(version, ".") && version.size() <= 64 ? std::string(version) : "";
}

// All links to libraries that the recording has, in the order that folders are searched in.
template <class Take>
void each_link(const Recording& recording, Take&& take) {
  for (const std::string& top : {std::string("usr/"), std::string("opt/")})
    for (auto it = recording.entries.lower_bound(top);
         it != recording.entries.end() && it->first.starts_with(top); ++it) {
      const std::string_view name = it->first.substr(it->first.rfind('/') + 1);
      if (it->second.kind == Entry::Kind::link && name.starts_with("lib") && contains(name, ".so"))
        take(it->first, name.substr(0, name.find(".so")), it->second.bytes);
    }
}

}  // namespace

void capture_libraries(const Root& root, Recording& recording) {
  const RemoteMounts remote(root);
  for (const auto& folder : folders(root, remote)) {
    if (remote.hold(folder)) continue;
    const auto directory = Directory::open(root.prefix / folder);
    if (!directory) continue;
    for (const auto soname : sonames)
      if (auto target = directory->link(std::string(soname)); target && !target->empty())
        recording.add_link(folder + "/" + std::string(soname), std::move(*target));
  }
}

void read_libraries(const Recording& recording, model::Machine& machine) {
  std::size_t count = 0;
  each_link(recording, [&](std::string_view path, std::string_view name, std::string_view to) {
    const std::string version = version_in(to);
    if (version.empty() || ++count > 1000) return;
    // Which of several a program takes is the loader's choice: the others are no contradiction.
    auto& fact = machine.host.libraries[valid_utf8(name)];
    const bool another = fact.known() && *fact != version;
    fact.claim(version,
               machine.sources.add(path, another ? model::Trust::inferred : model::Trust::file));
  });
}

}  // namespace railgauge::observe
