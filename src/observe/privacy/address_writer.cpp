#include "observe/privacy/address_writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/permutation.h"

namespace railgauge::observe::privacy {
namespace {

using Kind = AddressForm::Kind;

constexpr std::uint64_t mac_local_bit = std::uint64_t{0x02} << 40;
constexpr std::uint64_t guid_local_bit = std::uint64_t{0x02} << 56;
constexpr std::size_t look_back = 64;  // a label and its alignment; a guess

bool upper_case(std::string_view text) {
  bool upper = false;
  for (const char c : text) {
    if (c >= 'a' && c <= 'f') return false;
    upper = upper || (c >= 'A' && c <= 'F');
  }
  return upper;
}

// Puts `count` hex digits of the value, from the right, in the places of the text's hex digits.
std::string with_digits(std::string_view text, Ipv6 value, int count) {
  std::string out(text);
  const auto prefix = text.find_first_of("xX");  // of 0x or enx: its 'e' is no digit
  const std::string_view number = prefix == std::string_view::npos ? text : text.substr(prefix);
  const char* digits = upper_case(number) ? "0123456789ABCDEF" : "0123456789abcdef";
  for (std::size_t i = out.size(); i-- > 0 && count > 0;) {
    if (!is_hex(out[i])) continue;
    out[i] = digits[value.interface & 0xf];
    value.interface = value.interface >> 4 | value.network << 60;
    value.network >>= 4;
    --count;
  }
  return out;
}

// A network stays one: its prefix is that of its addresses, and nothing is set behind it.
std::uint64_t first_bits(std::uint64_t address, int bits) {
  if (bits >= 64) return address;
  return bits == 0 ? 0 : address & ~std::uint64_t{0} << (64 - bits);
}

std::string dotted(std::uint64_t ipv4, char separator) {
  return fmt::format("{}{}{}{}{}{}{}", ipv4 >> 24 & 255, separator, ipv4 >> 16 & 255, separator,
                     ipv4 >> 8 & 255, separator, ipv4 & 255);
}

struct Run {
  std::size_t start = 0;
  std::size_t length = 0;
};

// The longest run of zero groups, the first of equals, as RFC 5952 shortens them.
Run longest_zeros(const std::vector<std::uint64_t>& groups) {
  Run best;
  Run run;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    run = groups[i] != 0 ? Run{i + 1, 0} : Run{run.start, run.length + 1};
    if (run.length > best.length) best = run;
  }
  return best;
}

std::string spelled(std::string_view text, const Ipv6& value) {
  const std::size_t colons = static_cast<std::size_t>(std::count(text.begin(), text.end(), ':'));
  if (text.size() == 39 && colons == 7) return with_digits(text, value, 32);
  const bool has_ipv4 = contains(text, ".");
  std::vector<std::uint64_t> groups;
  for (int shift = 48; shift >= 0; shift -= 16) groups.push_back(value.network >> shift & 0xffff);
  for (int shift = 48; shift >= (has_ipv4 ? 32 : 0); shift -= 16)
    groups.push_back(value.interface >> shift & 0xffff);
  const Run zeros = contains(text, "::") ? longest_zeros(groups) : Run{};
  std::string out;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    if (zeros.length > 0 && i >= zeros.start && i < zeros.start + zeros.length) {
      if (i == zeros.start) out += i == 0 ? "::" : ":";
      continue;
    }
    out += upper_case(text) ? fmt::format("{:X}", groups[i]) : fmt::format("{:x}", groups[i]);
    if (i + 1 < groups.size()) out += ':';
  }
  if (!has_ipv4) return out;
  if (!out.ends_with(':')) out += ':';
  return out + dotted(value.interface & 0xffffffff, '.');
}

bool says(std::string_view text, std::string_view word) {
  return std::search(text.begin(), text.end(), word.begin(), word.end(),
                     [](char a, char b) { return (a | 0x20) == (b | 0x20); }) != text.end();
}

}  // namespace

Speaks speaks_of(Kind kind, std::string_view path, std::string_view text, std::size_t at) {
  std::string_view before = text.substr(0, at);
  if (before.size() > look_back) before.remove_prefix(before.size() - look_back);
  if (const auto line = before.rfind('\n'); line != std::string_view::npos)
    before.remove_prefix(line + 1);
  if (path.size() > look_back) path.remove_prefix(path.size() - look_back);
  if (kind == Kind::bare_uuid) {
    for (const char* word : {"uuid", "machine", "cluster"})
      if (says(before, word) || says(path, word)) return Speaks::uuid;
    return Speaks::nothing;
  }
  if (says(before, "guid") || says(before, "gid") || says(path, "guid") || says(path, "gid"))
    return Speaks::guid;
  if (says(before, "pdi")) return Speaks::device_id;
  return says(before, "mac") ? Speaks::mac : Speaks::nothing;
}

void AddressWriter::learn(const AddressForm& form, Speaks context) {
  const auto learn_guid = [this](std::uint64_t guid) {
    if (const auto mac = mac_inside(guid))
      macs_.insert(*mac & ~mac_local_bit);
    else if (guid >> 40 != 0)  // a static address such as ::1:2 is not one
      guids_.insert(guid & ~guid_local_bit);
  };
  switch (form.kind) {
    case Kind::mac: macs_.insert(form.value.interface & ~mac_local_bit); break;
    case Kind::guid:
    case Kind::gid_bytes:
    case Kind::ipoib: learn_guid(form.value.interface); break;
    case Kind::ipv6:
      if (!is_ipv4_mapped(form.value)) learn_guid(form.value.interface);
      break;
    case Kind::uuid: uuids_.emplace(form.value.network, form.value.interface); break;
    case Kind::bare_mac:
      if (context == Speaks::mac) macs_.insert(form.value.interface & ~mac_local_bit);
      break;
    case Kind::bare_guid:
      if (context == Speaks::guid) learn_guid(form.value.interface);
      break;
    default: break;
  }
}

bool AddressWriter::known(std::uint64_t guid) const {
  const auto mac = mac_inside(guid);
  return mac ? macs_.contains(*mac & ~mac_local_bit) : guids_.contains(guid & ~guid_local_bit);
}

// The version and the variant stay, so that it is still a UUID of its kind.
Ipv6 AddressWriter::uuid(const Ipv6& value) {
  if ((value.network == 0 && value.interface == 0) ||
      (~value.network == 0 && ~value.interface == 0))
    return value;
  const auto [at, fresh] = permuted_.try_emplace({value.network, value.interface});
  if (!fresh) return at->second;
  std::vector<std::uint8_t> digits;
  std::array<std::uint8_t, 32> all{};
  for (std::size_t i = 0; i < 32; ++i) {
    const std::uint64_t half = i < 16 ? value.network : value.interface;
    all[i] = static_cast<std::uint8_t>(half >> (60 - 4 * (i % 16)) & 0xf);
    if (i != 12 && i != 16) digits.push_back(all[i]);
  }
  permute(keyed_, "uuid", digits, std::vector<std::uint8_t>(digits.size(), 16));
  Ipv6& out = at->second;
  std::size_t next = 0;
  for (std::size_t i = 0; i < 32; ++i) {
    const std::uint8_t digit = i == 12 || i == 16 ? all[i] : digits[next++];
    std::uint64_t& half = i < 16 ? out.network : out.interface;
    half = half << 4 | digit;
  }
  return out;
}

std::optional<Ipv6> AddressWriter::bare(const AddressForm& form, bool after_0x, Speaks context) {
  const std::uint64_t low = form.value.interface;
  if (form.kind == Kind::bare_mac) {
    if (after_0x && (context == Speaks::guid || known(low))) return Ipv6{0, hardware_.guid(low)};
    if (context != Speaks::mac && !macs_.contains(low & ~mac_local_bit)) return std::nullopt;
    return Ipv6{0, hardware_.mac(low)};
  }
  if (form.kind == Kind::bare_guid) {
    if (known(low) || context == Speaks::guid) return Ipv6{0, hardware_.guid(low)};
    if (context != Speaks::device_id || low == 0) return std::nullopt;
    return Ipv6{0, permute_bits(keyed_, "device id", low, 64)};
  }
  if (form.kind == Kind::bare_uuid) {
    if (context != Speaks::uuid && !uuids_.contains({form.value.network, low})) return std::nullopt;
    return uuid(form.value);
  }
  // The beginning of a UUID: of the one that is known to begin so, else by itself.
  const auto whole = uuids_.lower_bound({low << 32, 0});
  if (whole != uuids_.end() && whole->first >> 32 == low)
    return Ipv6{0, uuid({whole->first, whole->second}).network >> 32};
  return Ipv6{0, permute_bits(keyed_, "uuid beginning", low, 32)};
}

std::optional<std::string> AddressWriter::replacement(const AddressForm& form,
                                                      std::string_view text, Speaks context) {
  const Ipv6& value = form.value;
  switch (form.kind) {
    case Kind::mac: return with_digits(text, {0, hardware_.mac(value.interface)}, 12);
    case Kind::guid: return with_digits(text, {0, hardware_.guid(value.interface)}, 16);
    case Kind::gid_bytes:
    case Kind::ipoib: return with_digits(text, addresses_.ipv6(value), 32);
    case Kind::ipv4:
      return dotted(
          first_bits(
              std::uint64_t{addresses_.ipv4(static_cast<std::uint32_t>(value.interface))} << 32,
              form.network_bits) >>
              32,
          '.');
    case Kind::ipv4_dashes:
      return "ip-" + dotted(addresses_.ipv4(static_cast<std::uint32_t>(value.interface)), '-');
    case Kind::ipv6: {
      Ipv6 out = addresses_.ipv6(value);
      out.network = first_bits(out.network, form.network_bits);
      return out == value ? std::string(text) : spelled(text, out);
    }
    case Kind::uuid: return with_digits(text, uuid(value), 32);
    case Kind::bare_mac:
    case Kind::bare_guid:
    case Kind::bare_uuid:
    case Kind::uuid_beginning: break;
  }
  const bool after_0x = text.starts_with("0x") || text.starts_with("0X");
  const auto out = bare(form, after_0x, context);
  if (!out) return std::nullopt;
  if (after_0x && text.size() < 18)  // without leading zeros
    return fmt::format("{}{:x}", text.substr(0, 2), out->interface);
  const int digits = form.kind == Kind::bare_mac    ? 12
                     : form.kind == Kind::bare_guid ? 16
                     : form.kind == Kind::bare_uuid ? 32
                                                    : 8;
  return with_digits(text, *out, digits);
}

}  // namespace railgauge::observe::privacy
