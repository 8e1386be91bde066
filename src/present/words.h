// Short phrases for devices and links that every renderer uses, so that the tree, the picture and
// the page say the same. All are clean for people: valid UTF-8 without control bytes.
//   edge_words(link).text()     // "x8 of x16 Gen5 31.5 of 63 GB/s"
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "model/machine.h"

namespace railgauge::present {

// Control bytes dropped, line breaks and tabs made blanks, invalid UTF-8 replaced.
std::string clean(std::string_view text);

enum class Health {
  good,
  degraded,  // narrower or slower than both ends could be
  unknown,
};

struct EdgeWords {
  std::string shape;  // "x16 Gen5", "x8 of x16 Gen5", "18× NVLink4"; empty when unknown
  std::string rate;   // "63 GB/s", "31.5 of 63 GB/s"; empty when unknown
  std::string why;    // why the rate is unknown
  Health health = Health::unknown;
  bool inferred = false;

  std::string text() const;  // shape and rate, or "rate unknown: NV4 has no generation"
};
EdgeWords edge_words(const model::Link& link);

// "63 GB/s", "31.5 of 63 GB/s", or empty.
std::string rate_words(const Reading<BytesPerSecond>& as_found,
                       const Reading<BytesPerSecond>& nominal);

// Somebody stated it, or it follows by a rule that can be wrong.
bool is_inferred(model::SourceRef source);
bool is_inferred(const model::Device& device);

std::string id_of(const model::Machine& machine, model::DeviceId id);  // never empty
std::string short_name(const model::Device& device);     // "H100 80GB HBM3", "ConnectX-7"; or empty
std::string address_of(const model::Device& device);     // "0000:5d:00.0", or empty
std::string short_address(const model::Device& device);  // "5d:00.0" in domain 0
std::string port_words(const model::NicPort& port);      // "ACTIVE 50 GB/s InfiniBand"
std::string plural(std::size_t count, std::string_view one, std::string_view many);

// "2 CPUs", "8 GPUs", "no NICs listed". What no source lists is not zero; no CPU is not worth a
// word.
std::vector<std::string> count_words(const model::Machine& machine);

// "mlx5_10…mlx5_51"; the short one is "mlx5_10…51" or "rdmap79…82s0" where
// only a number differs.
std::string range_words(const model::Machine& machine, const std::vector<model::DeviceId>& ids);
std::string short_range(const model::Machine& machine, const std::vector<model::DeviceId>& ids);

// "0 of 18 NVLinks" for a GPU none of whose ports is active while other GPUs have NVLinks; else
// empty.
std::string lost_nvlinks(const model::Machine& machine, model::DeviceId gpu);

// GPUs, then NICs, each by the number tools use, then as found.
std::vector<model::DeviceId> endpoints(const model::Machine& machine, model::DeviceKind kind);

}  // namespace railgauge::present
