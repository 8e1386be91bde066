#include "observe/text/rocm_showtopo.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <utility>

#include "base/small_number.h"
#include "base/strings.h"
#include "observe/text/matrix_blocks.h"
#include "observe/text/matrix_machine.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t remarks_max = 1000;
constexpr int number_max = 1 << 20;

enum class Table { weight, hops, link_type, access, other };

// Which table a title announces; nothing for titles of other programs. Titles come in every case
// and between rows of '='.
std::optional<Table> table_of(std::string_view title) {
  static constexpr std::array<std::pair<std::string_view, Table>, 9> titles{{
      {"weight between two gpus", Table::weight},
      {"hops between two gpus", Table::hops},
      {"link type between two gpus", Table::link_type},
      {"link accessibility between two gpus", Table::access},
      {"weight table", Table::weight},
      {"hops table", Table::hops},
      {"link type table", Table::link_type},
      {"access table", Table::access},
      {"between two gpus", Table::other},
  }};
  const std::string text = lower(title);
  for (const auto& [words, table] : titles)
    if (contains(text, words)) return table;
  if (text.size() > 6 && text.substr(text.size() - 6) == "table:") return Table::other;
  return std::nullopt;
}

// False when the word is no value of this table.
bool claim_cell(Table table, const std::string& word, model::SourceRef source, model::Pair& pair) {
  switch (table) {
    case Table::weight:
    case Table::hops: {
      auto& fact = table == Table::weight ? pair.rocm_weight : pair.rocm_hops;
      if (word == "N/A") return fact.refuse("rocm-smi says N/A", source), true;
      const auto number = small_number(word, number_max);
      if (number) fact.claim(*number, source);
      return number.has_value();
    }
    case Table::link_type: {
      if (word == "N/A" || word == "UNKNOWN")
        return pair.rocm_link.refuse("rocm-smi says " + word, source), true;
      const std::string upper = word == "PCIe" ? "PCIE" : word;
      if (upper != "XGMI" && upper != "PCIE") return false;
      pair.rocm_link.claim(upper, source);
      return true;
    }
    case Table::access: {  // whether one GPU may address the other's memory
      const bool yes = word == "True" || word == "ENABLED";
      if (!yes && word != "False" && word != "DISABLED") return false;
      pair.p2p_read.claim(yes ? model::P2pStatus::ok : model::P2pStatus::not_supported, source);
      return true;
    }
    case Table::other: return true;
  }
  return false;
}

void read_table(const MatrixBlock& block, Table table, MatrixMachine& out) {
  const auto& columns = block.header.columns;
  for (const auto& column : columns) out.device(column, block.header_line);
  if (table == Table::other) {
    out.note(block.header_line,
             fmt::format("the table {} is not one we keep", quoted(block.title)));
    return;
  }
  for (const auto& row : block.rows) {
    if (out.machine.remarks.size() > remarks_max) return;
    const model::DeviceId self = out.device(row.label, row.line);
    if (row.words.size() != columns.size())
      out.warn(row.line, fmt::format("row {} has {} of {} cells", row.label, row.words.size(),
                                     columns.size()));
    for (std::size_t i = 0; i < row.words.size() && i < columns.size(); ++i) {
      const model::DeviceId other = out.device(columns[i], row.line);
      if (other == self) continue;
      if (!claim_cell(table, row.words[i], out.at(row.line), out.pair(self, other)))
        out.warn(row.line, fmt::format("row {}, column {}: {} is no value of {}", row.label,
                                       columns[i], quoted(row.words[i]), quoted(block.title)));
    }
  }
  if (block.rows.size() < columns.size())
    out.warn(block.header_line, fmt::format("{}: {} columns and {} rows", quoted(block.title),
                                            columns.size(), block.rows.size()));
}

struct NumaLine {
  int gpu = 0;
  bool affinity = false;
  std::string_view value;
};

// "GPU[3]  : (Topology) Numa Node: 0"
std::optional<NumaLine> numa_line(std::string_view line) {
  line = trim(line);
  if (line.substr(0, 4) != "GPU[") return std::nullopt;
  const std::size_t end = line.find(']');
  const std::size_t topology = line.find("(Topology) Numa ");
  if (end == std::string_view::npos || topology == std::string_view::npos) return std::nullopt;
  const auto gpu = small_number(line.substr(4, end - 4), number_max);
  const std::size_t colon = line.rfind(':');
  if (!gpu || colon < topology) return std::nullopt;
  return NumaLine{*gpu, contains(line.substr(topology), "Affinity"), trim(line.substr(colon + 1))};
}

void read_numa_lines(std::string_view plain, MatrixMachine& out) {
  for (LineCursor lines(plain); lines.next();) {
    const auto found = numa_line(lines.line());
    if (!found || out.machine.remarks.size() > remarks_max) continue;
    const auto source = out.at(lines.number());
    auto& gpu = out.machine[out.device("GPU" + std::to_string(found->gpu), lines.number())];
    const auto node = small_number(found->value, number_max);
    if (node && found->affinity)
      gpu.gpu->numa_affinity.claim(std::string(found->value), source);
    else if (node)
      gpu.numa_node.claim(*node, source);
    else if (found->affinity)
      gpu.gpu->numa_affinity.refuse("rocm-smi says " + quoted(found->value), source);
    else
      gpu.numa_node.refuse("rocm-smi says " + quoted(found->value), source);
  }
}

bool has_numa_line(std::string_view plain) {
  for (LineCursor lines(plain); lines.next();)
    if (numa_line(lines.line())) return true;
  return false;
}

}  // namespace

bool looks_like_rocm_showtopo(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  if (has_numa_line(plain)) return true;
  for (const auto& block : find_matrices(plain).blocks)
    if (block.header_line != 0 && table_of(block.title)) return true;
  return false;
}

Result<model::Machine> read_rocm_showtopo(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  const MatrixText text = find_matrices(plain);
  MatrixMachine out(input);
  bool any = has_numa_line(plain);
  for (const auto& block : text.blocks) {
    const auto table = block.header_line != 0 ? table_of(block.title) : std::nullopt;
    if (!table) continue;
    any = true;
    read_table(block, *table, out);
  }
  if (!any)
    return fail(ErrorKind::input,
                input.name +
                    ": nothing of rocm-smi --showtopo: expected a title such as \"Weight "
                    "between two GPUs\" above a matrix, or \"(Topology) Numa Node\" lines");
  read_numa_lines(plain, out);
  if (!text.limit_hit.empty()) out.note(0, text.limit_hit);
  return std::move(out.machine);
}

}  // namespace railgauge::observe
