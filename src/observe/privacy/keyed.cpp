#include "observe/privacy/keyed.h"

namespace railgauge::observe::privacy {
namespace {

const std::uint8_t* bytes_of(std::string_view text) {
  return reinterpret_cast<const std::uint8_t*>(text.data());
}

}  // namespace

Keyed::Keyed(std::string_view key) { hmac_sha256_set_key(&start_, key.size(), bytes_of(key)); }

Keyed::Digest Keyed::digest(std::string_view label, std::string_view data) const {
  hmac_sha256_ctx state = start_;
  // The zero byte ends the label, so label and data cannot be cut in two ways.
  const std::uint8_t end_of_label = 0;
  hmac_sha256_update(&state, label.size(), bytes_of(label));
  hmac_sha256_update(&state, 1, &end_of_label);
  hmac_sha256_update(&state, data.size(), bytes_of(data));
  Digest digest;
  hmac_sha256_digest(&state, digest.size(), digest.data());
  return digest;
}

std::uint64_t Keyed::number(std::string_view label, std::string_view data, int bits) const {
  const Digest all = digest(label, data);
  std::uint64_t value = 0;
  for (int i = 0; i < 8; ++i) value = value << 8 | all[static_cast<std::size_t>(i)];
  return value >> (64 - bits);
}

}  // namespace railgauge::observe::privacy
