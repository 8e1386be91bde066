#include "observe/privacy/address_form.h"

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/hex_chain.h"

namespace railgauge::observe::privacy {
namespace {

using Kind = AddressForm::Kind;

void shift_in(Ipv6& value, std::uint64_t digits, int bits) {
  value.network = value.network << bits | value.interface >> (64 - bits);
  value.interface = value.interface << bits | digits;
}

// The last 128 bits of a run of hex digits with separators between.
Ipv6 hex_number(std::string_view text) {
  Ipv6 value;
  for (const char c : text)
    if (is_hex(c)) shift_in(value, hex_value(c), 4);
  return value;
}

// Groups of the given widths joined by '-', the last one ending a segment; the length, or 0.
std::size_t dashed(std::string_view text, std::size_t at, std::initializer_list<int> widths) {
  const std::size_t start = at;
  for (const int width : widths) {
    if (at != start && at_or_zero(text, at++) != '-') return 0;
    for (int i = 0; i < width; ++i)
      if (!is_hex(at_or_zero(text, at++))) return 0;
  }
  return in_segment(at_or_zero(text, at)) ? 0 : at - start;
}

std::optional<AddressForm> uuid_form(std::string_view text, std::size_t start) {
  if (const std::size_t length = dashed(text, start, {8, 4, 4, 4, 12}))
    return AddressForm{Kind::uuid, length, hex_number(text.substr(start, length))};
  return std::nullopt;
}

// Six or eight bytes with '-', as Windows writes MAC addresses and lspci serial numbers. A date may
// go on like this, so nothing with a '-' before.
std::optional<AddressForm> dashed_bytes(std::string_view text, std::size_t start) {
  if (start >= 2 && text[start - 1] == '-' && is_hex(text[start - 2])) return std::nullopt;
  std::size_t end = start + 2;
  std::size_t count = 1;
  while (count < 9 && at_or_zero(text, end) == '-' && is_hex(at_or_zero(text, end + 1)) &&
         is_hex(at_or_zero(text, end + 2)) && !in_segment(at_or_zero(text, end + 3))) {
    end += 3;
    ++count;
  }
  if (count != 6 && count != 8) return std::nullopt;
  if (at_or_zero(text, end) == '-' && in_segment(at_or_zero(text, end + 1))) return std::nullopt;
  return AddressForm{count == 6 ? Kind::mac : Kind::guid, end - start,
                     hex_number(text.substr(start, end - start))};
}

// ip-10-0-0-1: the host names of one large cloud.
std::optional<AddressForm> ipv4_in_name(std::string_view text, std::size_t start) {
  const auto ipv4 = dotted_ipv4(text, start + 3, '-');
  if (!ipv4 || in_segment(at_or_zero(text, ipv4->end)) || at_or_zero(text, ipv4->end) == '-')
    return std::nullopt;
  return AddressForm{Kind::ipv4_dashes, ipv4->end - start, {0, ipv4->address}};
}

// A segment that is a number in hex without separators, or an interface named after its MAC.
std::optional<AddressForm> bare_form(std::string_view segment) {
  const bool named = segment.size() == 15 && segment[2] == 'x' &&
                     (segment.starts_with("en") || segment.starts_with("wl"));
  if (named && all_of_kind(segment.substr(3), hex_character))
    return AddressForm{Kind::mac, segment.size(), hex_number(segment.substr(3))};
  std::string_view digits = segment;
  const bool prefixed = digits.starts_with("0x") || digits.starts_with("0X");
  if (prefixed) digits.remove_prefix(2);
  Kind kind = Kind::bare_guid;
  if (digits.size() == 32)
    kind = Kind::bare_uuid;
  else if (digits.size() == 12)
    kind = Kind::bare_mac;
  else if (digits.size() != 16 && (!prefixed || digits.size() > 16))
    return std::nullopt;
  if (!all_of_kind(digits, hex_character)) return std::nullopt;
  return AddressForm{kind, segment.size(), hex_number(digits)};
}

// Whether no bit is set behind the first `bits` of the address.
bool is_network(const AddressForm& form, int bits) {
  const std::uint64_t high =
      form.kind == Kind::ipv4 ? form.value.interface << 32 : form.value.network;
  if (form.kind == Kind::ipv6 && form.value.interface != 0) return false;
  return bits >= 64 || (high << bits) == 0;
}

// The "/24" behind an address, when the address is that of the network.
int network_bits(const AddressForm& form, std::string_view behind) {
  const bool ipv4 = form.kind == Kind::ipv4;
  if ((!ipv4 && form.kind != Kind::ipv6) || !behind.starts_with('/')) return 128;
  const std::size_t end = segment_end(behind, 1);
  const auto bits = parse_int(behind.substr(1, end - 1));
  if (!bits || *bits < 0 || *bits > (ipv4 ? 32 : 64)) return 128;
  return is_network(form, static_cast<int>(*bits)) ? static_cast<int>(*bits) : 128;
}

// What the word before says about a dotted number: "firmware-version: 218.0.226.0/pkg 21.40.25.31".
bool after_version_word(std::string_view text, std::size_t start) {
  std::size_t end = start;
  while (end > 0 && start - end < 4 &&
         contains(std::string_view(" \t:=\"/(v"), text.substr(end - 1, 1)))
    --end;
  std::size_t begin = end;
  while (begin > 0 && end - begin < 20 && in_segment(text[begin - 1])) --begin;
  const std::string word = lower(text.substr(begin, end - begin));
  if (word.ends_with("ersion") || word.ends_with("ver") || word.ends_with("ware")) return true;
  for (const char* known : {"fw", "pkg", "rev", "release", "bios", "vbios", "driver", "ersions"})
    if (word == known) return true;
  return false;
}

}  // namespace

std::optional<AddressForm> AddressForms::chain_form(std::size_t start) {
  const HexChain chain = hex_chain(text_, start);
  const std::size_t count = chain.count;
  not_before_ = chain.dotted ? chain.last : chain.end;
  const auto form = [&](Kind kind, std::size_t groups) {
    const std::size_t end =
        groups == count ? chain.end : chain.start[groups - 1] + chain.width[groups - 1];
    return AddressForm{kind, end - start, hex_number(text_.substr(start, end - start))};
  };
  if (!chain.gap && !chain.dotted && count >= 4 && count <= HexChain::most) {
    const bool pairs = chain.widths_are(2, 0, count);
    if (pairs && count == 6) return form(Kind::mac, 6);
    if (pairs && count == 8) return form(Kind::guid, 8);
    if (pairs && count == 16) return form(Kind::gid_bytes, 16);
    if (pairs && count == 20) return form(Kind::ipoib, 20);
    if (count == 4 && chain.widths_are(4, 0, 4)) return form(Kind::guid, 4);
    if (count == 7 && chain.widths_are(2, 0, 6)) return form(Kind::mac, 6);
    if (count == 7 && chain.widths_are(2, 1, 7)) not_before_ = 0;  // the MAC begins one later
  }
  if (const auto address = chain.ipv6())
    return AddressForm{Kind::ipv6, chain.end - start, *address};
  return std::nullopt;
}

bool AddressForms::may_end_ipv4(std::size_t end) const {
  const char next = at_or_zero(text_, end);
  const char after = at_or_zero(text_, end + 1);
  if (in_segment(next) || next == '_') return false;
  if (next == '.') return !in_segment(after);
  if (next != '-' || !in_segment(after)) return true;
  return dotted_ipv4(text_, end + 1).has_value();
}

std::optional<AddressForm> AddressForms::ipv4_form(std::size_t start) {
  const char before = start == 0 ? '\0' : text_[start - 1];
  const bool range = before == '-' && ipv4_end_ != 0 && start == ipv4_end_ + 1;
  if (before == '.' || before == '_' || (before == '-' && !range)) return std::nullopt;
  const auto ipv4 = dotted_ipv4(text_, start);
  if (!ipv4 || !may_end_ipv4(ipv4->end) || after_version_word(text_, start)) return std::nullopt;
  ipv4_end_ = ipv4->end;
  return AddressForm{Kind::ipv4, ipv4->end - start, {0, ipv4->address}};
}

std::optional<AddressForm> AddressForms::at(std::size_t start, std::size_t end) {
  auto form = form_at(start, end);
  if (form) form->network_bits = network_bits(*form, text_.substr(start + form->length));
  return form;
}

std::optional<AddressForm> AddressForms::form_at(std::size_t start, std::size_t end) {
  const char next = at_or_zero(text_, end);
  const std::size_t length = end - start;
  if (next == ':' && length <= 4) {
    if (start < not_before_ || !all_of_kind(text_.substr(start, length), hex_character))
      return std::nullopt;
    return chain_form(start);
  }
  if (next == '.' && length <= 3) return is_digit(text_[start]) ? ipv4_form(start) : std::nullopt;
  const std::string_view segment = text_.substr(start, length);
  if (next == '-' && length == 2)
    return segment == "ip"                            ? ipv4_in_name(text_, start)
           : is_hex(segment[0]) && is_hex(segment[1]) ? dashed_bytes(text_, start)
                                                      : std::nullopt;
  if (length == 8 && is_hex(segment[0])) {
    if (next == '-')
      if (auto uuid = uuid_form(text_, start)) return uuid;
    const std::string_view before = text_.substr(start < 4 ? 0 : start - 4, start < 4 ? 0 : 4);
    if ((before == "GPU-" || before == "MIG-") && all_of_kind(segment, hex_character))
      return AddressForm{Kind::uuid_beginning, length, hex_number(segment)};
  }
  return length >= 11 && length <= 34 ? bare_form(segment) : std::nullopt;
}

}  // namespace railgauge::observe::privacy
