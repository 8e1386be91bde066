#include "present/pair_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <set>

#include "present/words.h"

namespace railgauge::present {
namespace {

using model::Fact;
using model::Machine;
using model::P2pStatus;
using model::Pair;

struct P2pColumn {
  const char* name;
  Fact<P2pStatus> Pair::*fact;
};
constexpr std::array<P2pColumn, 5> p2p_columns{{{"P2P read", &Pair::p2p_read},
                                                {"P2P write", &Pair::p2p_write},
                                                {"P2P NVLink", &Pair::p2p_nvlink},
                                                {"P2P atomics", &Pair::p2p_atomics},
                                                {"P2P PCIe", &Pair::p2p_pcie}}};

std::string rocm_cell(const Pair& pair) {
  std::string out;
  const auto add = [&](const std::string& part) { out += (out.empty() ? "" : " ") + part; };
  if (pair.rocm_link) add(clean(*pair.rocm_link));
  if (pair.rocm_weight) add(fmt::format("weight {}", *pair.rocm_weight));
  if (pair.rocm_hops) add(fmt::format("hops {}", *pair.rocm_hops));
  return out;
}

std::string legend_of(const PairTable& table) {
  std::set<std::string> cells;
  for (const auto& [pair, cell] : table.cells) cells.insert(cell);
  std::string out;
  for (const std::string& cell : cells)
    if (const std::string meaning = status_meaning(cell); !meaning.empty())
      out += (out.empty() ? "" : ", ") + cell + " = " + meaning;
  return out;
}

}  // namespace

std::string PairTable::cell(model::DeviceId a, model::DeviceId b) const {
  const auto at = cells.find({std::min(a, b), std::max(a, b)});
  return at == cells.end() ? "?" : at->second;
}

std::vector<PairTable> pair_tables(const Machine& machine) {
  std::vector<PairTable> out;
  const auto add = [&](const char* name, const auto& cell_of) {
    PairTable table;
    table.name = name;
    for (const Pair& pair : machine.pairs)
      if (std::string cell = cell_of(pair); !cell.empty())
        table.cells[{std::min(pair.a, pair.b), std::max(pair.a, pair.b)}] = std::move(cell);
    table.legend = legend_of(table);
    if (!table.cells.empty()) out.push_back(std::move(table));
  };
  for (const P2pColumn& column : p2p_columns)
    add(column.name, [&](const Pair& pair) {
      const auto& fact = pair.*column.fact;
      return fact ? std::string(text(*fact)) : std::string();
    });
  add("ROCm", rocm_cell);
  return out;
}

std::vector<PairGroup> groups_of(const PairTable& table) {
  std::map<std::string, std::vector<DevicePair>> by_cell;
  for (const auto& [pair, cell] : table.cells) by_cell[cell].push_back(pair);
  std::vector<PairGroup> out;
  for (auto& [cell, pairs] : by_cell) out.push_back({cell, std::move(pairs)});
  std::stable_sort(out.begin(), out.end(), [](const PairGroup& a, const PairGroup& b) {
    return a.pairs.size() > b.pairs.size();
  });
  return out;
}

std::string status_meaning(const std::string& cell) {
  static constexpr std::array<std::pair<const char*, const char*>, 6> meanings{
      {{"CNS", "chipset not supported"},
       {"GNS", "GPU not supported"},
       {"TNS", "topology not supported"},
       {"DR", "disabled by regkey"},
       {"NS", "not supported"},
       {"U", "unknown"}}};
  for (const auto& [word, meaning] : meanings)
    if (cell == word) return meaning;
  return "";
}

}  // namespace railgauge::present
