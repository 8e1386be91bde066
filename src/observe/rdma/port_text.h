// The texts of a port: state, rate, GIDs and GUIDs, as the kernel's files and the tools print them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "base/reading.h"
#include "base/units.h"

namespace railgauge::observe {

// "4: ACTIVE" is ACTIVE, "5: LinkUp" is LinkUp.
Reading<std::string> port_state(std::string_view text);

// In the kernel's words: "PORT_ACTIVE", "Active" are ACTIVE, "Initializing" is INIT; LINK_UP is
// LinkUp.
std::string state_word(std::string_view text);
std::string physical_state_word(std::string_view text);

// "400 Gb/sec (4X NDR)" is 50 GB/s, one direction, and "4X NDR".
Reading<BytesPerSecond> port_rate(std::string_view text);
Reading<std::string> port_rate_words(std::string_view text);

// A port that is down keeps saying "10 Gb/sec (4X SDR)", or what it had before.
template <class T>
Reading<T> not_negotiated(std::string_view rate);

// A network device's speed in Mb/s; -1, and 4294967295 as older kernels print it, are not speeds.
Reading<BytesPerSecond> net_speed(std::string_view text);

// "0x17f" or "383"; 0 and 65535 are no addresses (Ethernet, or no subnet manager yet).
Reading<int> port_lid(std::string_view text);

// Eight groups of four hex digits in lower case, from that or from any form of an IPv6 address. An
// empty row of the table (all zero) is failed().
Reading<std::string> gid_text(std::string_view text);

// "0x506b4b0300a1b2c3" and "506b:4b03:00a1:b2c3" are the latter; all zero is failed().
Reading<std::string> guid_text(std::string_view text);

// "IB/RoCE v1" by the kernel, where the port's link layer tells which; "RoCE v2"; "v1" and "v2" of
// show_gids.
Reading<std::string> gid_type(std::string_view text, std::string_view link_layer);

// The largest of 256 … 4096 bytes that fits the network device's MTU beside the headers of RoCE, as
// the kernel's iboe_get_mtu() (include/rdma/ib_addr.h) has it: it takes off 96 bytes, for GRH 40,
// UDP 8, BTH 12, XRC 4, atomic header 28 and ICRC 4. None fits: nothing.
std::optional<int> roce_mtu(int netdev_mtu);

// "4096 (5)" and "4096" are 4096.
Reading<int> rdma_mtu(std::string_view text);

template <class T>
Reading<T> not_negotiated(std::string_view rate) {
  return Reading<T>::failed("the port is down, its rate \"" + std::string(rate.substr(0, 60)) +
                            "\" is not negotiated");
}

}  // namespace railgauge::observe
