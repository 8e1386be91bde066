// Counters worth a look: errors that are not zero, and with two samples how fast things grow.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <type_traits>

#include "base/strings.h"
#include "model/field_lists.h"
#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::Counter;
using model::Counters;

// More counters of one device than this are counted, unless verbose.
constexpr std::size_t listed_counters = 8;
constexpr std::size_t name_columns = 14;

// Words in the names of counters that count trouble. Everything else counts work.
constexpr std::array<std::string_view, 28> trouble{
    "err",     "Err",      "discard", "drop",    "timeout", "Timeout",  "retr",
    "replay",  "Rollover", "BadTLP",  "BadDLLP", "symbol",  "down",     "recover",
    "buffer",  "pause",    "mark",    "cnp",     "congest", "sequence", "crc",
    "invalid", "overrun",  "wait",    "exceed",  "reset",   "illegal",  "fault"};

bool counts_trouble(std::string_view name) {
  for (const auto word : trouble)
    if (contains(name, word)) return true;
  return false;
}

bool counts_bytes(std::string_view name) { return contains(name, "bytes"); }

std::string rate_text(const std::string& name, double per_second) {
  if (counts_bytes(name)) return text(BytesPerSecond{per_second});
  if (per_second >= 100) return fmt::format("{:.0f}/s", per_second);
  return fmt::format("{:.2g}/s", per_second);
}

struct Said {
  Span span;
  bool grows = false;
  std::uint64_t value = 0;
};

// "rx_bytes 23.1 GB/s", "symbol_errors 12 (+0.2/s)", "link_downed 3"; nothing when it says nothing.
std::optional<Said> phrase(const std::string& name, const Counter& counter, bool bad) {
  const auto rate = counter.per_second();
  const bool grows = rate && *rate > 0;
  const std::uint64_t value = counter.value.value_or(0);
  if (!grows && (!bad || value == 0)) return std::nullopt;
  const std::string called = clean(name);
  if (!bad) return Said{{fmt::format("{} {}", called, rate_text(name, *rate))}, true, 0};
  std::string words = fmt::format("{} {}", called, value);
  if (grows) words += fmt::format(" (+{})", rate_text(name, *rate));
  return Said{{words, grows ? Ink::yellow : Ink::plain}, grows, value};
}

void add(std::vector<Said>& out, const Counters& counters, std::string_view prefix,
         bool all_trouble) {
  for (const auto& [name, counter] : counters) {
    if (contains(name, "TOTAL_ERR") || contains(name, "packets")) continue;
    if (auto said = phrase(name, counter, all_trouble || counts_trouble(name))) {
      said->span.text = std::string(prefix) + said->span.text;
      out.push_back(std::move(*said));
    }
  }
}

template <class Owner>
void add_fields(std::vector<Said>& out, const Owner& owner, std::string_view prefix,
                bool all_trouble) {
  model::each_counter_field<Owner>(
      [&](const auto& field) { add(out, owner.*field.member, prefix, all_trouble); });
}

std::vector<Said> said_of(const model::Device& device) {
  std::vector<Said> out;
  if (device.pci) add_fields(out, *device.pci, "", true);
  if (device.gpu) {
    add_fields(out, *device.gpu, "", true);
    for (const auto& link : device.gpu->nvlinks)
      add_fields(out, link, fmt::format("NVLink {} ", link.number), true);
  }
  if (device.nic)
    for (const auto& port : device.nic->ports)
      add_fields(out, port,
                 device.nic->ports.size() > 1 ? fmt::format("port {} ", port.number) : "", false);
  std::stable_sort(out.begin(), out.end(), [](const Said& a, const Said& b) {
    return a.grows != b.grows ? a.grows : a.value > b.value;
  });
  return out;
}

std::size_t count_of(const model::Device& device) {
  std::size_t count = 0;
  const auto add_all = [&](const auto& owner) {
    model::each_counter_field<std::decay_t<decltype(owner)>>(
        [&](const auto& field) { count += (owner.*field.member).size(); });
  };
  if (device.gpu) add_all(*device.gpu);
  if (device.nic)
    for (const auto& port : device.nic->ports) add_all(port);
  return count;
}

void write_heading(TreeContext& tree) {
  const bool sampled = tree.machine.taken && !tree.machine.taken->sample_seconds.empty();
  tree.page.blank();
  tree.page.add({{"counters", Ink::bold},
                 {sampled ? "  since they were cleared; (+…) and rates are of now"
                          : "  since they were cleared; two samples would tell what grows now",
                  Ink::dim}});
}

}  // namespace

void write_counters(TreeContext& tree) {
  bool headed = false;
  std::size_t counters = 0;
  for (const model::DeviceId id : tree.machine.all()) {
    counters += count_of(tree.machine[id]);
    const auto said = said_of(tree.machine[id]);
    if (said.empty()) continue;
    if (!headed) write_heading(tree);
    headed = true;
    std::vector<Span> phrases;
    for (const Said& one : said) {
      if (phrases.size() == listed_counters && !tree.page.style().verbose) {
        phrases.push_back({fmt::format("{} more", said.size() - listed_counters), Ink::dim});
        break;
      }
      phrases.push_back(one.span);
    }
    const std::string name = id_of(tree.machine, id);
    tree.page.flow({{padded(name, name_columns)}}, {{std::string(name_columns, ' ')}}, phrases);
  }
  if (headed || counters == 0) return;
  tree.page.blank();
  tree.page.add(
      {{"counters", Ink::bold},
       {fmt::format("  {} of adapters and GPUs read; none tells of trouble", counters), Ink::dim}});
}

}  // namespace railgauge::present
