#include <algorithm>

#include "base/strings.h"
#include "observe/privacy/address_form.h"
#include "observe/privacy/characters.h"
#include "observe/privacy/field_finders.h"

namespace railgauge::observe::privacy {
namespace {

constexpr std::size_t longest_user = 64;

bool joins(char c) { return c == '-' || c == '_' || c == '.'; }

// Where the name begins whose last segment begins at `start`.
std::size_t name_start(std::string_view text, std::size_t start) {
  const std::size_t least = start > longest_user ? start - longest_user : 0;
  std::size_t at = start;
  while (at > least && (in_segment(text[at - 1]) || joins(text[at - 1]))) --at;
  while (at < start && !in_segment(text[at])) ++at;
  return behind_escape(text, at);
}

bool is_unit_of_systemd(std::string_view name) {
  const std::string_view type = name.substr(std::min(name.rfind('.'), name.size()));
  for (const char* known : {".service", ".socket", ".slice", ".timer", ".target", ".scope",
                            ".mount", ".device", ".path", ".swap"})
    if (type == known) return true;
  return false;
}

// "mlx5_comp0@pci:0000:17:00.0", "ethernet@1c000", "gcc@12.2.0" and "getty@tty1" are no logins.
bool is_machine(std::string_view name) {
  if (name == "pci" || name.starts_with("tty") || is_unit_of_systemd(name)) return false;
  const std::string_view label = name.substr(0, name.find('.'));
  const bool has_digit = std::any_of(label.begin(), label.end(), is_digit);
  return !(has_digit && all_of_kind(label, hex_character)) && is_host(name);
}

}  // namespace

void login_at(std::string_view text, std::size_t start, std::size_t end, Fields& fields) {
  if (at_or_zero(text, end) != '@' || !in_segment(at_or_zero(text, end + 1))) return;
  const std::size_t host = end + 1;
  const bool address = AddressForms(text).at(host, segment_end(text, host)).has_value();
  const std::size_t host_end = name_end(text, host);
  const std::string_view host_name = text.substr(host, host_end - host);
  if (!address && !is_machine(host_name)) return;
  const std::size_t user = name_start(text, start);
  if (user < end && is_user(text.substr(user, end - user)))
    fields.push_back({user, end - user, NameKind::user});
  if (!address) fields.push_back({host, host_end - host, NameKind::host});
}

}  // namespace railgauge::observe::privacy
