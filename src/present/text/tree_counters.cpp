// Counters worth a look: errors that are not zero, and with two samples how fast things grow.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/strings.h"
#include "model/field_lists.h"
#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

using model::Counter;
using model::Counters;

// More counters of one device than this are counted, unless verbose.
constexpr std::size_t listed_counters = 6;
constexpr std::size_t name_columns = 14;

// Words in the names of counters that count trouble. Everything else counts work.
constexpr std::array<std::string_view, 24> trouble{
    "err",      "Err",    "discard", "drop",     "timeout", "Timeout", "retr",    "replay",
    "Rollover", "BadTLP", "BadDLLP", "symbol",   "down",    "recover", "buffer",  "pause",
    "mark",     "cnp",    "congest", "sequence", "crc",     "invalid", "overrun", "wait"};

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

// "rx_bytes 23.1 GB/s", "symbol_errors 12 (0.2/s)", "link_downed 3"; nothing when it says nothing.
std::optional<Span> phrase(const std::string& name, const Counter& counter, bool bad) {
  const auto rate = counter.per_second();
  const bool grows = rate && *rate > 0;
  if (!grows && (!bad || counter.value.value_or(0) == 0)) return std::nullopt;
  const std::string called = clean(name);
  if (!bad) return Span{fmt::format("{} {}", called, rate_text(name, *rate))};
  std::string words = fmt::format("{} {}", called, *counter.value);
  if (grows) words += fmt::format(" (+{})", rate_text(name, *rate));
  return Span{words, grows ? Ink::yellow : Ink::plain};
}

void add(std::vector<Span>& out, const Counters& counters, std::string_view prefix,
         bool all_trouble) {
  for (const auto& [name, counter] : counters) {
    if (contains(name, "TOTAL_ERR") || contains(name, "packets")) continue;
    if (auto said = phrase(name, counter, all_trouble || counts_trouble(name))) {
      said->text = std::string(prefix) + said->text;
      out.push_back(std::move(*said));
    }
  }
}

template <class Owner>
void add_fields(std::vector<Span>& out, const Owner& owner, std::string_view prefix,
                bool all_trouble) {
  model::each_counter_field<Owner>([&](const auto& field) {
    if (std::string_view(field.key) != "driver_counters")
      add(out, owner.*field.member, prefix, all_trouble);
  });
}

std::vector<Span> phrases_of(const model::Device& device) {
  std::vector<Span> out;
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
  return out;
}

}  // namespace

void write_counters(TreeContext& tree) {
  bool headed = false;
  for (const model::DeviceId id : tree.machine.all()) {
    auto phrases = phrases_of(tree.machine[id]);
    if (phrases.empty()) continue;
    if (!headed) {
      const bool sampled = tree.machine.taken && !tree.machine.taken->sample_seconds.empty();
      tree.page.blank();
      tree.page.add({{"counters", Ink::bold},
                     {sampled ? "  since they were cleared, and in brackets or per second: now"
                              : "  since they were cleared; two samples would tell what grows now",
                      Ink::dim}});
    }
    headed = true;
    if (phrases.size() > listed_counters && !tree.page.style().verbose) {
      const std::size_t more = phrases.size() - listed_counters;
      phrases.resize(listed_counters);
      phrases.push_back({fmt::format("{} more", more), Ink::dim});
    }
    const std::string name = id_of(tree.machine, id);
    tree.page.flow({{padded(name, name_columns)}}, {{std::string(name_columns, ' ')}}, phrases);
  }
}

}  // namespace railgauge::present
