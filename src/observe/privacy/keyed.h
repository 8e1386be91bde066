// What depends on a secret key and looks random without it: HMAC-SHA256.
//   Keyed keyed(key);
//   keyed.digest("serial", "MT2251X00123")
// The label says what a digest is for: equal data under two labels give unrelated digests.
#pragma once

#include <nettle/hmac.h>

#include <array>
#include <cstdint>
#include <string_view>

namespace railgauge::observe::privacy {

class Keyed {
 public:
  using Digest = std::array<std::uint8_t, 32>;

  explicit Keyed(std::string_view key);
  Digest digest(std::string_view label, std::string_view data) const;

  // The first `bits` of the digest as a number; at most 64.
  std::uint64_t number(std::string_view label, std::string_view data, int bits) const;

 private:
  hmac_sha256_ctx start_;  // the key is taken in, no data yet
};

}  // namespace railgauge::observe::privacy
