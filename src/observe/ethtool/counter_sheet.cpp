#include "observe/ethtool/counter_sheet.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

// Sums stay at the top instead of starting again at 0: nobody can send 2^64 bytes.
void add(std::uint64_t& sum, std::uint64_t value) {
  const std::uint64_t room = std::numeric_limits<std::uint64_t>::max() - sum;
  sum += std::min(room, value);
}

void merge(model::Counters& into, model::Counters&& from) {
  for (auto& [name, counter] : from)
    for (const auto& claim : counter.value.claims())
      into[name].value.claim(claim.value, claim.source);
}

}  // namespace

void CounterSheet::take(std::string_view driver_name, std::uint64_t value, model::SourceRef here) {
  if (!seen_.emplace(driver_name).second) {
    flush();
    seen_.emplace(driver_name);
  }
  const auto put = [&](auto& sums, std::string name, std::uint64_t amount) {
    const auto [place, fresh] = sums.try_emplace(std::move(name), Sum{0, here});
    add(place->second.value, amount);
    return fresh;
  };
  const auto common = names_.find(driver_name);
  const bool fits =
      common && value <= std::numeric_limits<std::uint64_t>::max() / common->row->factor;
  if (fits) {
    put(common_, common->name, value * common->row->factor);
    if (common->row->largest != 0 && value >= common->row->largest)
      full_.emplace(driver_name, Sum{value, here});
    return;
  }
  std::string all_queues = without_queue(driver_name);
  put(own_, all_queues.empty() ? valid_utf8(driver_name) : valid_utf8(all_queues), value);
}

void CounterSheet::flush() {
  for (const auto& [name, sum] : common_) common_done_[name].value.claim(sum.value, sum.source);
  for (const auto& [name, sum] : own_) own_done_[name].value.claim(sum.value, sum.source);
  common_.clear();
  own_.clear();
  seen_.clear();
}

void CounterSheet::write(model::NicPort& port, model::Machine& machine, const std::string& whose) {
  flush();
  merge(port.counters, std::move(common_done_));
  merge(port.driver_counters, std::move(own_done_));
  for (const auto& [name, sum] : full_)
    machine.remark(model::RemarkLevel::note,
                   fmt::format("{}: {} is {}, the largest value it can hold: it counts no further "
                               "until it is cleared",
                               whose, railgauge::quoted(name), sum.value),
                   sum.source);
  common_done_.clear();
  own_done_.clear();
  full_.clear();
}

}  // namespace railgauge::observe
