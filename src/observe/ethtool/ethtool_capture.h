// Asks the drivers of network devices what ethtool would ask, and keeps the answers as the texts it
// would print: ethtool/NETDEV/{statistics,driver,pause}.txt.
// Asked are the network devices of the recording's sys/class/net that lead to a PCI function, so
// what RDMA's capture left out (loopback, bridges, containers' ends) is left out here, and so are
// representors of virtual functions, of which there are hundreds.
#pragma once

#include "observe/ethtool/ethtool_call.h"
#include "observe/recording.h"

namespace railgauge::observe {

// More statistics than any driver has; the kernel does not say how many bytes it will write until
// it has written them, so there is room for twice as many.
inline constexpr std::size_t most_statistics = 8192;

// "statistics.txt" alone, or all three.
enum class EthtoolAsk : std::uint8_t { everything, statistics };

// The text of one device's statistics, or why there is none.
Result<std::string> ethtool_statistics(const EthtoolCall& call, const std::string& netdev);

void capture_ethtool(const EthtoolCall& call, const Recording& netdevs, EthtoolAsk ask,
                     Recording& recording);

}  // namespace railgauge::observe
