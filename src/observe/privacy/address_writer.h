// Writes what stands for an address, in the spelling the address had: separators, case, width,
// "::" where it had one.
//   AddressWriter writer(keyed);
//   writer.learn(form, context);                           a first pass over every text
//   writer.replacement(form, "fe80::1", context)           nothing when it is to stay as it is
#pragma once

#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_set>

#include "observe/privacy/address_form.h"
#include "observe/privacy/hardware_address.h"

namespace railgauge::observe::privacy {

// What the text around digits without separators says they are.
enum class Speaks : std::uint8_t { nothing, mac, guid, device_id, uuid };

// From the path of the text and the line up to the digits; looks back a bounded way.
Speaks speaks_of(AddressForm::Kind kind, std::string_view path, std::string_view text,
                 std::size_t at);

class AddressWriter {
 public:
  explicit AddressWriter(const Keyed& keyed)
      : keyed_(keyed), hardware_(keyed), addresses_(keyed, hardware_) {}

  // Remembers hardware addresses and UUIDs, so that they are known without separators too.
  void learn(const AddressForm& form, Speaks context);

  std::optional<std::string> replacement(const AddressForm& form, std::string_view text,
                                         Speaks context);

 private:
  bool known(std::uint64_t guid) const;
  Ipv6 uuid(const Ipv6& value);
  std::optional<Ipv6> bare(const AddressForm& form, bool after_0x, Speaks context);

  const Keyed& keyed_;
  HardwareAddresses hardware_;
  IpAddresses addresses_;
  std::unordered_set<std::uint64_t> macs_;   // without the local bit
  std::unordered_set<std::uint64_t> guids_;  // without the local bit
  std::set<std::pair<std::uint64_t, std::uint64_t>> uuids_;
  std::map<std::pair<std::uint64_t, std::uint64_t>, Ipv6> permuted_;  // of UUIDs
};

}  // namespace railgauge::observe::privacy
