// Which folders lie on file systems that another machine serves, or that are mounted when they are
// touched. A server that does not answer would hold us for ever; the kernel's own list of mounts
// never does.
//   RemoteMounts remote(root);
//   if (!remote.hold("opt/amazon/efa/lib")) …look…
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "observe/root.h"

namespace railgauge::observe {

class RemoteMounts {
 public:
  explicit RemoteMounts(const Root& root);  // reads proc/self/mountinfo

  // `path` is relative to the root, without "." and "..". Links on the way are not followed.
  bool hold(std::string_view path) const;

 private:
  struct Mount {
    std::string path;  // "/opt/shared"
    bool remote = false;
  };
  std::vector<Mount> mounts_;
};

}  // namespace railgauge::observe
