#include "observe/system/remote_mounts.h"

#include <algorithm>
#include <array>

#include "base/strings.h"
#include "observe/sysfs/directory.h"

namespace railgauge::observe {
namespace {

// A node of Kubernetes has some hundreds of mounts; each line has some 150 bytes.
constexpr std::size_t list_bytes = 4 << 20;

constexpr std::array<std::string_view, 14> remote_types{
    "autofs", "nfs",    "nfs4", "cifs", "smb3", "smbfs",    "lustre",
    "gpfs",   "beegfs", "ceph", "afs",  "9p",   "virtiofs", "wekafs"};

bool is_remote(std::string_view type) {
  return type.starts_with("fuse") ||
         std::find(remote_types.begin(), remote_types.end(), type) != remote_types.end();
}

}  // namespace

// "36 35 98:0 / /opt/shared rw,noatime master:1 - nfs4 server:/export rw": the fifth word is the
// place, the word after " - " the type.
RemoteMounts::RemoteMounts(const Root& root) {
  const auto self = Directory::open(root.prefix / "proc/self");
  if (!self) return;
  const auto text = self->read_start("mountinfo", list_bytes);
  if (!text) return;
  for (LineCursor lines(*text); lines.next();) {
    const auto line = lines.line();
    const auto dash = line.find(" - ");
    if (dash == std::string_view::npos) continue;
    const auto words = split_blank(line.substr(0, dash));
    const auto type = line.substr(dash + 3, line.find(' ', dash + 3) - dash - 3);
    // A machine without disks has its root on a server: whatever runs there waits for it anyway.
    if (words.size() >= 5)
      mounts_.push_back({std::string(words[4]), words[4] != "/" && is_remote(type)});
  }
}

bool RemoteMounts::hold(std::string_view path) const {
  const std::string place = "/" + std::string(path) + "/";
  std::size_t longest = 0;
  bool remote = false;
  for (const Mount& mount :
       mounts_) {  // the deepest mount counts, the last of several at one place
    const std::string start = mount.path == "/" ? "/" : mount.path + "/";
    if (!place.starts_with(start) || start.size() < longest) continue;
    longest = start.size();
    remote = mount.remote;
  }
  return remote;
}

}  // namespace railgauge::observe
