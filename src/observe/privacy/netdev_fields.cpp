#include <algorithm>
#include <array>

#include "base/strings.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"
#include "observe/privacy/interface_name.h"
#include "observe/privacy/vocabulary.h"

namespace railgauge::observe::privacy {
namespace {

constexpr std::size_t longest_netdev = 15;       // IFNAMSIZ
constexpr std::size_t longest_rdma_device = 63;  // IB_DEVICE_NAME_MAX

bool in_name(char c) { return in_segment(c) || c == '-' || c == '_' || c == '.'; }

std::string_view name_from(std::string_view text, std::size_t at, std::size_t most) {
  std::size_t end = at;
  while (end < text.size() && end - at <= most && in_name(text[end])) ++end;
  return text.substr(at, end - at);
}

void add(std::string_view text, std::string_view name, NameKind kind, Fields& fields) {
  const bool netdev = kind == NameKind::netdev;
  if (name.empty() || name.size() > (netdev ? longest_netdev : longest_rdma_device)) return;
  if (netdev ? is_systematic_netdev(name) : is_systematic_rdma_device(name)) return;
  if (reads_as_word(name)) return;
  fields.push_back({static_cast<std::size_t>(name.data() - text.data()), name.size(), kind});
}

// What the kernel says of interfaces alone, behind "NAME: ".
bool is_said_of_interfaces(std::string_view message) {
  constexpr std::array<std::string_view, 12> beginnings{
      "Link up",     "Link down",    "Link is up",      "Link is down",
      "link up",     "link down",    "link is not",     "link becomes",
      "NIC Link is", "renamed from", "entered promisc", "left promisc"};
  return std::any_of(beginnings.begin(), beginnings.end(), [message](std::string_view beginning) {
    return message.starts_with(beginning);
  });
}

// "0000:18:00.0 NAME: …" is how a driver speaks of its interface; "0000:18:00.0: NAME: " may be
// anything, so what is said decides.
void behind_pci_address(std::string_view text, std::size_t function, std::size_t end,
                        Fields& fields) {
  const bool address = end - function == 1 && function >= 12 && text[function - 1] == '.' &&
                       text[function - 4] == ':' && text[function - 7] == ':';
  if (!address) return;
  const bool colon = at_or_zero(text, end) == ':';
  const std::size_t at = end + (colon ? 2 : 1);
  if (at_or_zero(text, at - 1) != ' ') return;
  const std::string_view name = name_from(text, at, longest_netdev);
  const std::string_view rest = text.substr(at + name.size());
  if (rest.starts_with(": ") && (!colon || is_said_of_interfaces(rest.substr(2))))
    add(text, name, NameKind::netdev, fields);
}

// "NAME: renamed from eth0", "NAME: link becomes ready"; `at` is behind the colon.
void before_colon(std::string_view text, std::size_t at, Fields& fields) {
  if (at < 3 || text[at - 1] != ' ' || text[at - 2] != ':') return;
  const std::size_t end = at - 2;
  std::size_t start = end;
  while (start > 0 && end - start <= longest_netdev && in_name(text[start - 1])) --start;
  if (is_said_of_interfaces(text.substr(at, 24)))
    add(text, text.substr(start, end - start), NameKind::netdev, fields);
}

// "(slave NAME)", "device NAME entered promiscuous mode", "renamed from NAME", "infiniband NAME: "
void behind_word(std::string_view text, std::string_view word, std::size_t end, Fields& fields) {
  if (at_or_zero(text, end) != ' ') return;
  const std::string_view name = name_from(text, end + 1, longest_rdma_device);
  const std::string_view rest = text.substr(end + 1 + name.size());
  const char before = at_or_zero(text, end - word.size() - 1);
  if (word == "infiniband" && rest.starts_with(": "))
    return add(text, name, NameKind::rdma_device, fields);
  const bool named = (word == "slave" && before == '(' && rest.starts_with(")")) ||
                     (word == "device" && rest.starts_with(" entered promisc")) ||
                     (word == "device" && rest.starts_with(" left promisc"));
  if (named) add(text, name, NameKind::netdev, fields);
}

}  // namespace

void netdev_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  if (is_digit(text[start])) return behind_pci_address(text, start, end, fields);
  const std::string_view segment = text.substr(start, end - start);
  switch (segment[0]) {
    case 'l':
    case 'L':
    case 'N':
    case 'e':
    case 'r':
      if (segment == "link" || segment == "Link" || segment == "NIC" || segment == "entered" ||
          segment == "left" || segment == "renamed")
        before_colon(text, start, fields);
      if (segment == "renamed" && text.substr(end).starts_with(" from "))
        add(text, name_from(text, end + 6, longest_netdev), NameKind::netdev, fields);
      break;
    case 'd':
    case 'i':
    case 's':
      if (segment == "device" || segment == "infiniband" || segment == "slave")
        behind_word(text, segment, end, fields);
      break;
    default: break;
  }
}

}  // namespace railgauge::observe::privacy
