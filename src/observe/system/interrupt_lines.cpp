#include "observe/system/interrupt_lines.h"

#include <algorithm>
#include <array>
#include <charconv>

#include "base/characters.h"

namespace railgauge::observe {
namespace {

// The largest NR_CPUS a distribution builds is 8192.
constexpr std::size_t most_cpus = 8192;
// Interrupt numbers stay far below this on every architecture.
constexpr int largest_number = 1 << 24;

bool is_blank(char c) { return c == ' ' || c == '\t'; }

std::string_view skip_blanks(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && is_blank(text[i])) ++i;
  return text.substr(i);
}

std::string_view first_word(std::string_view text) {
  std::size_t i = 0;
  while (i < text.size() && !is_blank(text[i])) ++i;
  return text.substr(0, i);
}

// Behind the counts: "IR-PCI-MSI 1574912-edge      mlx5_async0@pci:0000:03:00.0" on x86,
// "ITS-MSI 524288 Edge      eth0-TxRx-0" on ARM, "PCI-MSI-edge      eth0" before Linux 3.19.
std::string_view label_of(std::string_view tail) {
  std::string_view rest = skip_blanks(tail.substr(first_word(tail).size()));  // the chip
  if (rest.empty() || !is_digit(rest.front())) return rest;
  rest = skip_blanks(rest.substr(first_word(rest).size()));  // its own number
  for (const std::string_view trigger : {"Level", "Edge"})
    if (first_word(rest) == trigger) rest = skip_blanks(rest.substr(trigger.size()));
  return rest;
}

}  // namespace

std::optional<std::uint64_t> InterruptLines::next_number(std::string_view& rest) {
  rest = skip_blanks(rest);
  std::uint64_t value = 0;
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
  const auto length = static_cast<std::size_t>(end - rest.data());
  if (error != std::errc{} || (length < rest.size() && !is_blank(rest[length])))
    return std::nullopt;
  rest.remove_prefix(length);
  return value;
}

// "            CPU0       CPU1       CPU3"
bool InterruptLines::read_header(std::string_view line) {
  std::vector<int> cpus;
  for (auto rest = skip_blanks(line); !rest.empty();) {
    const auto word = first_word(rest);
    const auto number = word.starts_with("CPU") ? parse_int(word.substr(3)) : std::nullopt;
    if (!number || *number < 0 || *number >= static_cast<std::int64_t>(most_cpus) ||
        cpus.size() == most_cpus)
      return false;
    cpus.push_back(static_cast<int>(*number));
    rest = skip_blanks(rest.substr(word.size()));
  }
  if (cpus.empty()) return false;
  cpus_ = std::move(cpus);
  return true;
}

bool InterruptLines::skip_counts(std::string_view& rest) const {
  for (std::size_t column = 0; column < cpus_.size(); ++column) {
    rest = skip_blanks(rest);
    const auto word = first_word(rest);
    if (word.empty() || !std::all_of(word.begin(), word.end(), is_digit)) return false;
    rest.remove_prefix(word.size());
  }
  return true;
}

bool InterruptLines::read_line(std::string_view line) {
  std::string_view rest = skip_blanks(line);
  const auto [end, error] = std::from_chars(rest.data(), rest.data() + rest.size(), number_);
  const auto length = static_cast<std::size_t>(end - rest.data());
  if (error != std::errc{} || number_ < 0 || number_ > largest_number || length == rest.size() ||
      rest[length] != ':')
    return false;
  rest.remove_prefix(length + 1);
  counts_ = rest;
  // The kernel writes each count ten wide behind a blank. Where the table has that form its counts
  // are jumped over unseen.
  constexpr std::size_t width = 11;
  const std::size_t jump = width * cpus_.size();
  if (rest.size() > jump && is_digit(rest[jump - 1]) && is_blank(rest[jump])) {
    whole_ = true;
    rest.remove_prefix(jump);
  } else {
    whole_ = skip_counts(rest);
  }
  counts_ = counts_.substr(0, counts_.size() - rest.size());
  tail_ = trim(rest);
  label_ = whole_ ? label_of(tail_) : tail_;
  return true;
}

bool InterruptLines::next() {
  while (lines_.next()) {
    const std::string_view line = lines_.line();
    const auto start = skip_blanks(line);
    if (start.starts_with("CPU") && read_header(line)) continue;
    if (!cpus_.empty() && !start.empty() && is_digit(start.front()) && read_line(line)) return true;
  }
  return false;
}

std::optional<model::PciAddress> pci_address_in(std::string_view text) {
  for (auto dot = text.find('.'); dot != std::string_view::npos; dot = text.find('.', dot + 1)) {
    constexpr std::size_t shortest = 10;  // "0000:18:00" before the dot
    if (dot < shortest || dot + 1 >= text.size()) continue;
    std::size_t start = dot - 6;  // of ":18:00"
    if (text[start] != ':' || text[start + 3] != ':') continue;
    while (start > 0 && is_hex_digit(text[start - 1]) && dot - start < 16) --start;
    if (dot - start < shortest) continue;
    if (const auto address = model::PciAddress::parse(text.substr(start, dot + 2 - start)))
      return address;
  }
  return std::nullopt;
}

bool is_gpu_or_nic_label(std::string_view label) {
  if (label.empty()) return false;
  constexpr std::array<std::string_view, 9> starts{"mlx5",  "mlx4", "nvidia", "amdgpu", "bnxt",
                                                   "irdma", "ice-", "efa",    "ena-"};
  constexpr std::array<std::string_view, 5> inside{"TxRx", "Tx-Rx", "-rx-", "-tx-", "@pci:"};
  return std::any_of(starts.begin(), starts.end(),
                     [&](std::string_view word) { return label.starts_with(word); }) ||
         std::any_of(inside.begin(), inside.end(),
                     [&](std::string_view word) { return contains(label, word); });
}

}  // namespace railgauge::observe
