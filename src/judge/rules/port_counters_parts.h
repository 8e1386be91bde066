// The files of the family `port_counters`, each a part of its rules, and what they share.
#pragma once

#include <vector>

#include "judge/rules/ports_words.h"

namespace railgauge::judge {

std::vector<Rule> pause_rules();          // PFC storms, RoCE outside its priority
std::vector<Rule> loss_rules();           // discards, retransmissions, congestion marks
std::vector<Rule> signal_rules();         // errors on the wire, credits
std::vector<Rule> pcie_stall_rules();     // an adapter that waits for PCIe
std::vector<Rule> traffic_class_rules();  // what variables ask for

inline constexpr int priorities = 8;

// "rx", "pause_frames", 3: "rx_pause_frames_priority_3"
std::string priority_counter(std::string_view direction, std::string_view what, int priority);

// Somebody pasted a few counters and not the driver's whole list: what is missing was left out.
bool is_excerpt(const model::NicPort& port);

// Counters that only RDMA over Ethernet moves: whether this port is known to carry it.
struct RoceTraffic {
  bool seen = false;          // some counter says so
  bool ruled_out = false;     // the adapter counts RDMA traffic, and has none
  std::string_view evidence;  // the counter that says so
};
RoceTraffic roce_traffic(const PortView& view);

}  // namespace railgauge::judge
