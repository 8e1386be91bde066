// Finds what is an identity by its form alone: MAC addresses, GUIDs, IP addresses, UUIDs.
//   AddressForms forms(text);
//   if (auto form = forms.at(i, end)) …     i..end is one segment; call from left to right
// Never a PCI address, a time, a version or a list of CPUs: each form is matched whole, with what
// stands before and after it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "observe/privacy/ip_address.h"

namespace railgauge::observe::privacy {

struct AddressForm {
  enum class Kind : std::uint8_t {
    mac,            // 50:6b:4b:a1:b2:c3, also with '-'; enx506b4ba1b2c3
    guid,           // 506b:4b03:00a1:b2c3, or 8 bytes with ':' or '-'
    gid_bytes,      // 16 bytes
    ipoib,          // 20 bytes: queue pair, then a GID
    ipv4,           // 10.0.0.1
    ipv4_dashes,    // ip-10-0-0-1
    ipv6,           // any spelling
    uuid,           // 8-4-4-4-12
    bare_mac,       // 12 hex digits, also after 0x: only with a reason, see KnownAddresses
    bare_guid,      // 16 hex digits; after 0x from 9 on, since NCCL leaves zeros out
    bare_uuid,      // 32 hex digits
    uuid_beginning  // GPU-506b4b03: 8 digits of a UUID that was cut
  };
  Kind kind = Kind::mac;
  std::size_t length = 0;
  Ipv6 value;  // right-aligned in 128 bits; of an IPoIB address the last 16 bytes
  // Of 10.0.0.0/24, when no bit is set behind the prefix: a network. Else 128: an address.
  int network_bits = 128;
};

// Digits without separators: an identity only where something says so.
inline bool is_bare(const AddressForm& form) { return form.kind >= AddressForm::Kind::bare_mac; }

class AddressForms {
 public:
  explicit AddressForms(std::string_view text) : text_(text) {}

  // The form that begins at a segment's first byte, or at "::".
  std::optional<AddressForm> at(std::size_t start, std::size_t end);

 private:
  std::optional<AddressForm> form_at(std::size_t start, std::size_t end);
  std::optional<AddressForm> chain_form(std::size_t start);
  std::optional<AddressForm> ipv4_form(std::size_t start);
  bool may_end_ipv4(std::size_t end) const;

  std::string_view text_;
  std::size_t not_before_ = 0;  // inside a chain of groups that is no address
  std::size_t ipv4_end_ = 0;    // of the last one, for 10.0.0.1-10.0.0.9
};

}  // namespace railgauge::observe::privacy
