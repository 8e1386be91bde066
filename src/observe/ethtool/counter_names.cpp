#include "observe/ethtool/counter_names.h"

#include <algorithm>

#include "base/characters.h"
#include "base/strings.h"

namespace railgauge::observe {
namespace {

// The kernel's own names have at most 31 characters (ETH_GSTRING_LEN); RDMA's are short as well.
constexpr std::size_t longest_name = 64;

std::string replaced(std::string_view text, std::size_t at, std::size_t length,
                     std::string_view by) {
  return std::string(text.substr(0, at)) + std::string(by) + std::string(text.substr(at + length));
}

// Where a queue's number stands in a name: mlx5's rx0_ tx0_ ch0_, bnxt's [0]:, ice's rx_queue_0_,
// ena's queue_0_, i40e's rx-0.
std::size_t queue_number_at(std::string_view name) {
  const auto followed = [&](std::size_t at, std::string_view by) {
    const std::size_t n = digits_at(name, at);
    return n > 0 && n <= 5 && name.substr(at + n, by.size()) == by;
  };
  for (const std::string_view prefix : {"rx", "tx", "ch"})
    if (name.starts_with(prefix) && followed(2, "_")) return 2;
  for (const std::string_view prefix : {"rx-", "tx-"})
    if (name.starts_with(prefix) && followed(3, ".")) return 3;
  if (name.starts_with('[') && followed(1, "]: ")) return 1;
  for (const std::string_view word : {"queue_", "queue-"}) {
    const auto at = name.find(word);
    if (at != std::string_view::npos && digits_at(name, at + word.size()) > 0)
      return at + word.size();
  }
  return std::string_view::npos;
}

}  // namespace

std::string without_queue(std::string_view driver_name) {
  const std::size_t at = queue_number_at(driver_name.substr(0, longest_name));
  if (at == std::string_view::npos) return {};
  return replaced(driver_name, at, digits_at(driver_name, at), "*");
}

void CounterNames::add(std::span<const CounterRow> rows) {
  for (const CounterRow& row : rows) rows_.emplace(row.driver_name, &row);
}

CounterNames CounterNames::of_ethtool(std::string_view driver) {
  CounterNames names;
  if (driver == "bnxt_en") {
    names.add(bnxt_counter_rows());
    return names;
  }
  if (driver.starts_with("mlx5")) names.add(mlx5_counter_rows());
  if (driver == "ice") names.add(ice_counter_rows());
  if (driver == "ena") names.add(ena_counter_rows());
  names.add(netdev_counter_rows());
  return names;
}

CounterNames CounterNames::of_any_driver() {
  CounterNames names;
  for (const auto rows :
       {mlx5_counter_rows(), ice_counter_rows(), ena_counter_rows(), netdev_counter_rows()})
    names.add(rows);
  for (const CounterRow& row : bnxt_counter_rows()) {
    const auto [place, fresh] = names.rows_.emplace(row.driver_name, &row);
    if (!fresh && std::string_view(place->second->common) != row.common) names.rows_.erase(place);
  }
  return names;
}

std::string_view driver_of_counters(std::span<const std::string_view> names) {
  std::string_view best;
  std::size_t most = 0;
  bool alone = false;
  for (const std::string_view driver : {"mlx5_core", "ice", "bnxt_en", "ena"}) {
    const CounterNames table = CounterNames::of_ethtool(driver);
    const auto known = static_cast<std::size_t>(
        std::count_if(names.begin(), names.end(),
                      [&](std::string_view name) { return table.find(name).has_value(); }));
    alone = known == most ? false : known > most || alone;
    if (known <= most) continue;
    best = driver;
    most = known;
  }
  return alone ? best : std::string_view();
}

CounterNames CounterNames::of_netdev() {
  CounterNames names;
  names.add(netdev_counter_rows());
  return names;
}

CounterNames CounterNames::of_rdma() {
  CounterNames names;
  names.add(rdma_port_counter_rows());
  names.add(rdma_hw_counter_rows());
  return names;
}

std::optional<CommonName> CounterNames::find(std::string_view driver_name) const {
  if (driver_name.size() > longest_name) return std::nullopt;
  if (const auto found = rows_.find(driver_name); found != rows_.end())
    return CommonName{found->second->common, found->second};
  if (const std::size_t at = queue_number_at(driver_name); at != std::string_view::npos) {
    const std::string pattern = replaced(driver_name, at, digits_at(driver_name, at), "{q}");
    const auto found = rows_.find(pattern);
    return found == rows_.end() ? std::nullopt
                                : std::optional(CommonName{found->second->common, found->second});
  }
  // One digit is a priority: there are eight.
  for (std::size_t at = 0; at < driver_name.size(); ++at) {
    const std::size_t length = digits_at(driver_name, at);
    if (length == 0) continue;
    const std::string_view number = driver_name.substr(at, length);
    if (length == 1)
      if (const auto found = rows_.find(replaced(driver_name, at, length, "{n}"));
          found != rows_.end()) {
        const std::string_view common = found->second->common;
        return CommonName{replaced(common, common.find("{n}"), 3, number), found->second};
      }
    at += length - 1;
  }
  return std::nullopt;
}

}  // namespace railgauge::observe
