#include "observe/ethtool/ethtool_call.h"

#include <linux/sockios.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

namespace railgauge::observe {

Result<EthtoolSocket> EthtoolSocket::open() {
  // Any family carries the question; some sandboxes refuse one of them.
  int refused = 0;
  for (const int family : {AF_INET, AF_INET6, AF_UNIX}) {
    const int descriptor = ::socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (descriptor >= 0) return EthtoolSocket(descriptor);
    if (refused == 0) refused = errno;
  }
  return fail(ErrorKind::permission,
              std::string("no socket to ask network drivers through: ") + std::strerror(refused));
}

EthtoolSocket::~EthtoolSocket() {
  if (descriptor_ >= 0) ::close(descriptor_);
}

int EthtoolSocket::ask(const std::string& netdev, void* data) const {
  ifreq request{};
  if (netdev.size() >= sizeof request.ifr_name) return ENODEV;
  std::memcpy(request.ifr_name, netdev.data(), netdev.size());
  request.ifr_data = static_cast<char*>(data);
  return ::ioctl(descriptor_, SIOCETHTOOL, &request) == 0 ? 0 : errno;
}

}  // namespace railgauge::observe
