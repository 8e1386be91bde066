// One question to a network driver, as ethtool asks it: SIOCETHTOOL on any socket. No privilege is
// needed for what we ask (driver, statistics, pause).
//   Result<EthtoolSocket> socket = EthtoolSocket::open();
//   const int error = socket->ask("eth0", &info);      // 0, or an errno
// Tests hand in a function of the same form that fills the structs of <linux/ethtool.h>.
#pragma once

#include <functional>
#include <string>
#include <utility>

#include "base/result.h"

namespace railgauge::observe {

// `data` is a struct of <linux/ethtool.h> whose first member says which command it is.
using EthtoolCall = std::function<int(const std::string& netdev, void* data)>;

class EthtoolSocket {
 public:
  static Result<EthtoolSocket> open();
  EthtoolSocket(EthtoolSocket&& other) noexcept
      : descriptor_(std::exchange(other.descriptor_, -1)) {}
  EthtoolSocket& operator=(EthtoolSocket&&) = delete;
  EthtoolSocket(const EthtoolSocket&) = delete;
  ~EthtoolSocket();

  int ask(const std::string& netdev, void* data) const;

 private:
  explicit EthtoolSocket(int descriptor) : descriptor_(descriptor) {}
  int descriptor_;
};

}  // namespace railgauge::observe
