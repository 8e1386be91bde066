#include "observe/text/topo_matrix.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>
#include <unordered_map>

#include "base/strings.h"
#include "observe/text/host_prefix.h"
#include "observe/text/matrix_blocks.h"
#include "observe/text/matrix_machine.h"
#include "observe/text/tokens.h"
#include "observe/text/topo_affinity.h"
#include "observe/text/topo_legend.h"
#include "observe/text/topo_row.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;
using model::PathClass;
using model::SmiClass;

constexpr std::size_t remarks_max = 1000;  // more is one broken file, not many findings

bool is_nvlink_cell(std::string_view cell) {
  return cell.substr(0, 2) == "NV" && is_path_cell(cell);
}

bool has_nvlink(const MatrixBlock& block) {
  for (const auto& row : block.rows)
    for (const auto& word : row.words)
      if (is_nvlink_cell(word)) return true;
  return false;
}

// Is it this command's matrix? A lone X could be of `topo -p2p` too; the legend and the command
// decide then.
bool is_class_matrix(const MatrixBlock& block, const TopoLegend& legend) {
  std::size_t classes = 0, p2p = 0, self = 0;
  for (const auto& row : block.rows) {
    for (const auto& word : row.words) {
      if (word == "X")
        ++self;
      else if (is_path_cell(word) || !split_merged_cells(word).empty())
        ++classes;
      else if (is_p2p_cell(word))
        ++p2p;
    }
  }
  if (classes > 0 || p2p > 0) return classes > p2p;
  if (block.rows.empty()) return block.header.trailing.size() > 1;
  const bool p2p_hint = legend.names_p2p || contains(block.command, "p2p");
  return self > 0 && (!block.header.trailing.empty() || !p2p_hint);
}

std::string list_of(const std::vector<std::string>& names) {
  std::string out;
  for (std::size_t i = 0; i < names.size() && i < 8; ++i) out += (i ? ", " : "") + names[i];
  if (names.size() > 8) out += fmt::format(" and {} more", names.size() - 8);
  return out;
}

class MatrixReader {
 public:
  explicit MatrixReader(const Input& input) : out_(input) {}

  void read_block(const MatrixBlock& block) {
    const bool first = blocks_++ == 0;
    kept_from_before_ = conflicts_ = 0;
    no_nvlink_ = !has_nvlink(block);
    for (const auto& column : block.header.columns) out_.device(column, block.header_line);
    for (const auto& word : block.header.merged)
      out_.warn(block.header_line,
                fmt::format("header {} lost its separators; read as several columns", word));
    if (!block.header.rest.empty())
      out_.warn(block.header_line, fmt::format("the header ends in {}, which is no column",
                                               quoted(block.header.rest)));
    if (block.header.lines > 1)
      out_.note(block.header_line,
                fmt::format("the header was wrapped over {} lines; joined", block.header.lines));
    for (const auto& row : block.rows) {
      if (out_.machine.remarks.size() > remarks_max) break;
      if (block.header_line == 0)
        read_loose_row(row);
      else
        read_row(block, row);
    }
    if (block.header_line != 0) {
      say_missing_rows(block);
      if (!first) say_second_matrix(block);
      known_columns_.insert(block.header.columns.begin(), block.header.columns.end());
    }
  }

  void read_names(const TopoLegend& legend) {
    if (legend.nics.empty()) return;
    std::set<std::string> named;
    for (const auto& entry : legend.nics) {
      if (named.size() > 4096) break;
      const bool in_matrix = known_columns_.count(entry.label) > 0;
      if (!in_matrix && named.insert(entry.label).second)
        out_.note(entry.line, fmt::format("the legend names {} = {}, which has no column",
                                          entry.label, quoted(entry.name)));
      named.insert(entry.label);
      auto& nic = out_.machine[out_.device(entry.label, entry.line)].nic;
      if (nic->rdma_device && *nic->rdma_device != entry.name)
        out_.warn(
            entry.line,
            fmt::format("{} is {} here and {} before: two machines in one file? give each its "
                        "own file",
                        entry.label, quoted(entry.name), quoted(*nic->rdma_device)));
      nic->rdma_device.claim(entry.name, out_.at(entry.line));
    }
    std::vector<std::string> unnamed;
    for (const auto& column : known_columns_)
      if (column.substr(0, 3) == "NIC" && named.count(column) == 0) unnamed.push_back(column);
    if (!unnamed.empty())
      out_.note(legend.nics.front().line, "the legend does not name " + list_of(unnamed));
  }

  void note(std::uint32_t line, std::string text) { out_.note(line, std::move(text)); }
  void warn(std::uint32_t line, std::string text) { out_.warn(line, std::move(text)); }
  model::Machine take() { return std::move(out_.machine); }

 private:
  void read_row(const MatrixBlock& block, const MatrixRow& row) {
    const auto& columns = block.header.columns;
    if (row.last_line != row.line)
      out_.note(row.line, fmt::format("row {} was wrapped over lines {}-{}; joined", row.label,
                                      row.line, row.last_line));
    if (std::find(columns.begin(), columns.end(), row.label) == columns.end()) {
      out_.warn(row.line, fmt::format("row {} has no column of its name in the header of line {}",
                                      row.label, block.header_line));
    }
    check_repeated(block, row);
    const DeviceId self = out_.device(row.label, row.line);
    const CutRow cut = cut_row(block.header, row);
    for (const auto& text : cut.notes) out_.note(row.line, text);
    for (const auto& text : cut.problems) out_.warn(row.line, text);
    for (std::size_t i = 0; i < cut.cells.size(); ++i)
      read_cell(row, self, columns[i], cut.cells[i]);
    if (auto& gpu = out_.machine[self].gpu) {
      for (std::size_t i = 0; i < block.header.trailing.size(); ++i)
        read_affinity(row, block.header.trailing[i], cut.trailing[i], self, *gpu);
    }
  }

  void read_cell(const MatrixRow& row, DeviceId self, const std::string& column,
                 const std::string& cell) {
    const DeviceId other = out_.device(column, row.line);
    if (other == self) return;  // the X, checked by cut_row
    auto value = PathClass::parse(cell);
    if (cell == "SOC") value = PathClass{SmiClass::sys, 0};  // the word before driver 387
    auto& smi = out_.pair(self, other).smi;
    if (!value || value->kind == SmiClass::self) {
      out_.warn(row.line, fmt::format("row {}, column {}: {} is no class between two devices",
                                      row.label, column, quoted(cell)));
      smi.refuse("the matrix says " + quoted(cell), out_.at(row.line));
      return;
    }
    if (blocks_ > 1 && smi && *smi != *value) {
      if (no_nvlink_ && smi->kind == SmiClass::nv) {  // the -mp form of the same matrix
        ++kept_from_before_;
        return;
      }
      ++conflicts_;
    }
    smi.claim(*value, out_.at(row.line));
  }

  void check_repeated(const MatrixBlock& block, const MatrixRow& row) {
    const std::string key = std::to_string(block.header_line) + ' ' + row.label;
    const auto [before, added] = rows_.try_emplace(key, &row);
    if (added) return;
    const bool same = before->second->words == row.words;
    const auto text = fmt::format("row {} stands twice, first on line {}, and {}", row.label,
                                  before->second->line, same ? "agrees" : "differs");
    same ? out_.note(row.line, text) : out_.warn(row.line, text);
  }

  void read_loose_row(const MatrixRow& row) {
    const DeviceId self = out_.device(row.label, row.line);
    const LooseRow cut = cut_loose_row(row);
    for (const auto& text : cut.notes) out_.note(row.line, text);
    out_.warn(row.line, fmt::format("row {} has {} cells, no header: which device each cell is of "
                                    "is not known; paste the line that starts with GPU0 too",
                                    row.label, cut.cell_count));
    auto& gpu = out_.machine[self].gpu;
    if (!gpu) return;
    static constexpr const char* order[] = {"CPU Affinity", "NUMA Affinity", "GPU NUMA ID"};
    for (std::size_t i = 0; i < cut.trailing.size() && i < 3; ++i)
      read_affinity(row, order[i], cut.trailing[i], self, *gpu);
  }

  void read_affinity(const MatrixRow& row, const std::string& column, const std::string& value,
                     DeviceId self, model::GpuFacts& gpu) {
    if (!claim_affinity(column, value, out_.at(row.line), out_.machine[self], gpu))
      out_.warn(row.line, fmt::format("row {}: {} is no {}", row.label, quoted(value), column));
  }

  void say_missing_rows(const MatrixBlock& block) {
    std::set<std::string> present;
    for (const auto& row : block.rows) present.insert(row.label);
    std::vector<std::string> missing;
    bool gpu_missing = false;
    for (const auto& column : block.header.columns) {
      if (present.count(column) > 0) continue;
      missing.push_back(column);
      gpu_missing = gpu_missing || column.substr(0, 3) == "GPU";
    }
    if (missing.empty()) return;
    const auto text = fmt::format("the matrix has {} columns and {} rows: no row for {}",
                                  block.header.columns.size(), present.size(), list_of(missing));
    gpu_missing ? out_.warn(block.header_line, text) : out_.note(block.header_line, text);
  }

  void say_second_matrix(const MatrixBlock& block) {
    const std::set<std::string> columns(block.header.columns.begin(), block.header.columns.end());
    if (conflicts_ > 0 || (!known_columns_.empty() && columns != known_columns_))
      out_.warn(block.header_line,
                fmt::format("another matrix starts here, with {} cells that differ from the one "
                            "before and {} columns where that had {}: if these are two machines, "
                            "give each its own file",
                            conflicts_, columns.size(), known_columns_.size()));
    if (kept_from_before_ > 0)
      out_.note(block.header_line,
                fmt::format("this matrix hides NVLink (topo -mp); {} cells of pairs that the other "
                            "one shows as NV# are not kept",
                            kept_from_before_));
  }

  MatrixMachine out_;
  std::set<std::string> known_columns_;
  std::unordered_map<std::string, const MatrixRow*> rows_;
  std::size_t blocks_ = 0;
  std::size_t conflicts_ = 0;
  std::size_t kept_from_before_ = 0;
  bool no_nvlink_ = false;
};

std::vector<const MatrixBlock*> class_matrices(const MatrixText& text, const TopoLegend& legend) {
  std::vector<const MatrixBlock*> out;
  for (const auto& block : text.blocks)
    if (is_class_matrix(block, legend)) out.push_back(&block);
  // A matrix that shows NVLink speaks before one that hides it.
  std::stable_partition(out.begin(), out.end(), [](const auto* b) { return has_nvlink(*b); });
  return out;
}

}  // namespace

bool looks_like_topo_matrix(std::string_view bytes) {
  const std::string plain = without_host_prefix(pasted_text(bytes)).text;
  return !class_matrices(find_matrices(plain), read_legend(plain)).empty();
}

Result<model::Machine> read_topo_matrix(const Input& input) {
  const HostText hosts = without_host_prefix(pasted_text(input.bytes));
  const std::string& plain = hosts.text;
  const TopoLegend legend = read_legend(plain);
  const MatrixText text = find_matrices(plain);
  const auto blocks = class_matrices(text, legend);
  if (blocks.empty())
    return fail(ErrorKind::input,
                input.name +
                    ": no matrix of nvidia-smi topo -m: expected a line of GPU0 GPU1 … and "
                    "rows such as \"GPU0 X NV18 …\"");
  MatrixReader reader(input);
  for (const auto* block : blocks) reader.read_block(*block);
  reader.read_names(legend);
  if (!text.limit_hit.empty()) reader.note(0, text.limit_hit);
  if (hosts.hosts.size() > 1)
    reader.warn(0, fmt::format("lines of {} hosts are mixed here ({}); only those of {} are read: "
                               "give each its own file",
                               hosts.hosts.size(), list_of(hosts.hosts), hosts.hosts.front()));
  model::Machine machine = reader.take();
  // The legend of -m ends in NV#; a whole legend without it is -mp's.
  const bool legend_of_mp = legend.names_pix && !legend.names_nvlink;
  const bool any_nvlink =
      std::any_of(blocks.begin(), blocks.end(), [](const auto* b) { return has_nvlink(*b); });
  machine.nvlink_hidden = !any_nvlink && (legend_of_mp || legend.command_hides_nvlink);
  return machine;
}

}  // namespace railgauge::observe
