#include "observe/privacy/hex_chain.h"

#include "observe/privacy/characters.h"

namespace railgauge::observe::privacy {
namespace {

// One to four hex digits that are a whole segment; the width, or 0.
std::size_t group_width(std::string_view text, std::size_t at) {
  std::size_t end = at;
  while (end < text.size() && end - at < 4 && is_hex(text[end])) ++end;
  return in_segment(at_or_zero(text, end)) ? 0 : end - at;
}

void add_group(HexChain& chain, std::string_view text, std::size_t at, std::size_t width) {
  if (chain.count < HexChain::most) {
    std::uint64_t value = 0;
    for (std::size_t i = at; i < at + width; ++i) value = value << 4 | hex_value(text[i]);
    chain.value[chain.count] = static_cast<std::uint16_t>(value);
    chain.width[chain.count] = static_cast<std::uint8_t>(width);
    chain.start[chain.count] = at;
  }
  ++chain.count;
  chain.last = at;
  chain.end = at + width;
}

// Steps over "::"; true when a group follows.
bool take_gap(HexChain& chain, std::string_view text, std::size_t& at) {
  if (chain.gap) chain.broken = true;
  chain.gap = chain.count;
  at += 2;
  chain.end = at;
  const char next = at_or_zero(text, at);
  if (group_width(text, at) == 0 && (in_segment(next) || next == ':')) chain.broken = true;
  return group_width(text, at) != 0;
}

void take_dotted_tail(HexChain& chain, std::string_view text) {
  if (chain.count == 0 || chain.count >= HexChain::most || at_or_zero(text, chain.end) != '.')
    return;
  const auto tail = dotted_ipv4(text, chain.last);
  if (!tail || in_segment(at_or_zero(text, tail->end))) return;
  chain.dotted = true;
  chain.value[chain.count - 1] = static_cast<std::uint16_t>(tail->address >> 16);
  chain.value[chain.count] = static_cast<std::uint16_t>(tail->address & 0xffff);
  ++chain.count;
  chain.end = tail->end;
}

}  // namespace

bool HexChain::widths_are(std::size_t wanted, std::size_t first, std::size_t past) const {
  for (std::size_t i = first; i < past; ++i)
    if (width[i] != wanted) return false;
  return true;
}

std::optional<Ipv6> HexChain::ipv6() const {
  if (broken || (gap ? count > 7 : count != 8)) return std::nullopt;
  std::array<std::uint64_t, 8> groups{};
  const std::size_t before = gap.value_or(count);
  for (std::size_t i = 0; i < count; ++i) groups[i < before ? i : i + 8 - count] = value[i];
  Ipv6 address;
  for (std::size_t i = 0; i < 4; ++i) {
    address.network = address.network << 16 | groups[i];
    address.interface = address.interface << 16 | groups[i + 4];
  }
  return address;
}

HexChain hex_chain(std::string_view text, std::size_t at) {
  HexChain chain;
  chain.end = at;
  const auto gap_at = [text](std::size_t i) {
    return at_or_zero(text, i) == ':' && at_or_zero(text, i + 1) == ':';
  };
  if (gap_at(at) && !take_gap(chain, text, at)) return chain;
  while (const std::size_t width = group_width(text, at)) {
    add_group(chain, text, at, width);
    at += width;
    if (gap_at(at)) {
      if (!take_gap(chain, text, at)) break;
    } else if (at_or_zero(text, at) == ':') {
      ++at;  // the chain ends before a colon that no group follows
    } else {
      break;
    }
  }
  take_dotted_tail(chain, text);
  return chain;
}

std::optional<DottedIpv4> dotted_ipv4(std::string_view text, std::size_t at, char separator) {
  DottedIpv4 result;
  for (int octet = 0; octet < 4; ++octet) {
    if (octet > 0 && at_or_zero(text, at++) != separator) return std::nullopt;
    std::uint32_t value = 0;
    const std::size_t start = at;
    while (at - start < 4 && is_digit(at_or_zero(text, at)))
      value = value * 10 + static_cast<std::uint32_t>(text[at++] - '0');
    const std::size_t width = at - start;
    if (width == 0 || value > 255 || (width > 1 && text[start] == '0')) return std::nullopt;
    result.address = result.address << 8 | value;
  }
  result.end = at;
  return result;
}

}  // namespace railgauge::observe::privacy
