#include "observe/text/topo_p2p.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "base/strings.h"
#include "observe/text/matrix_blocks.h"
#include "observe/text/matrix_machine.h"
#include "observe/text/tokens.h"
#include "observe/text/topo_legend.h"

namespace railgauge::observe {
namespace {

using model::P2pStatus;
using model::Pair;
using P2pField = model::Fact<P2pStatus> Pair::*;

constexpr std::size_t remarks_max = 1000;

// A status word that the cells of no other matrix use; a lone X needs the command or the legend.
bool is_p2p_matrix(const MatrixBlock& block, const TopoLegend& legend) {
  std::size_t p2p = 0, other = 0, self = 0;
  for (const auto& row : block.rows) {
    for (const auto& word : row.words) {
      if (word == "X")
        ++self;
      else if (is_p2p_cell(word))
        ++p2p;
      else
        ++other;
    }
  }
  if (p2p > 0 || other > 0) return p2p > other;
  return self > 0 && block.header.trailing.empty() &&
         (legend.names_p2p || contains(block.command, "p2p"));
}

std::vector<const MatrixBlock*> p2p_matrices(const MatrixText& text, const TopoLegend& legend) {
  std::vector<const MatrixBlock*> out;
  for (const auto& block : text.blocks)
    if (is_p2p_matrix(block, legend)) out.push_back(&block);
  return out;
}

// The fields that the letters after -p2p name.
std::vector<P2pField> asked_for(std::string_view command) {
  const std::size_t at = command.find("-p2p");
  if (at == std::string_view::npos) return {};
  const auto words = split_blank(command.substr(at + 4));
  std::vector<P2pField> out;
  if (words.empty()) return out;
  for (const auto& [letter, field] : {std::pair{'r', &Pair::p2p_read},
                                      {'w', &Pair::p2p_write},
                                      {'n', &Pair::p2p_nvlink},
                                      {'a', &Pair::p2p_atomics},
                                      {'p', &Pair::p2p_pcie}})
    if (words[0].find(letter) != std::string_view::npos) out.push_back(field);
  return out;
}

void read_row(const MatrixBlock& block, const MatrixRow& row, const std::vector<P2pField>& fields,
              MatrixMachine& out) {
  const auto& columns = block.header.columns;
  const model::DeviceId self = out.device(row.label, row.line);
  if (row.words.size() != columns.size())
    out.warn(row.line,
             fmt::format("row {} has {} of {} cells", row.label, row.words.size(), columns.size()));
  const auto own = std::find(columns.begin(), columns.end(), row.label) - columns.begin();
  const auto diagonal = std::find(row.words.begin(), row.words.end(), "X") - row.words.begin();
  const bool whole_to_the_x = static_cast<std::size_t>(diagonal) < row.words.size();
  if ((whole_to_the_x && diagonal != own) || row.words.size() > columns.size()) {
    out.warn(row.line, fmt::format("row {}: its X is not in its own column, so its {} cells cannot "
                                   "be placed",
                                   row.label, row.words.size()));
    return;
  }
  for (std::size_t i = 0; i < row.words.size(); ++i) {
    const model::DeviceId other = out.device(columns[i], row.line);
    if (other == self) continue;
    const auto status = model::parse_p2p_status(row.words[i]);
    if (!status)
      out.warn(row.line, fmt::format("row {}, column {}: {} is no status of topo -p2p", row.label,
                                     columns[i], quoted(row.words[i])));
    for (const P2pField field : fields) {
      auto& fact = out.pair(self, other).*field;
      if (status)
        fact.claim(*status, out.at(row.line));
      else
        fact.refuse("the matrix says " + quoted(row.words[i]), out.at(row.line));
    }
  }
}

void read_block(const MatrixBlock& block, MatrixMachine& out) {
  std::vector<P2pField> fields = asked_for(block.command);
  if (fields.empty()) {
    fields.push_back(&Pair::p2p_read);
    out.note(block.header_line,
             "no command line says what this -p2p matrix is about; taken as read (topo -p2p r)");
  }
  for (const auto& column : block.header.columns) out.device(column, block.header_line);
  for (const auto& row : block.rows) {
    if (out.machine.remarks.size() > remarks_max) break;
    if (block.header_line != 0) {
      read_row(block, row, fields, out);
      continue;
    }
    out.device(row.label, row.line);
    out.warn(row.line, fmt::format("row {} has {} cells, no header: which device each cell is of "
                                   "is not known",
                                   row.label, row.words.size()));
  }
  if (block.header_line != 0 && block.rows.size() < block.header.columns.size())
    out.warn(block.header_line, fmt::format("the matrix has {} columns and {} rows",
                                            block.header.columns.size(), block.rows.size()));
}

}  // namespace

bool looks_like_topo_p2p(std::string_view bytes) {
  if (!contains(bytes, "GPU")) return false;
  const std::string plain = plain_text(bytes);
  return !p2p_matrices(find_matrices(plain), read_legend(plain)).empty();
}

Result<model::Machine> read_topo_p2p(const Input& input) {
  const std::string plain = plain_text(input.bytes);
  const MatrixText text = find_matrices(plain);
  const auto blocks = p2p_matrices(text, read_legend(plain));
  if (blocks.empty())
    return fail(ErrorKind::input,
                input.name +
                    ": no matrix of nvidia-smi topo -p2p: expected a line of GPU0 GPU1 … "
                    "and rows such as \"GPU0 X OK …\"");
  MatrixMachine out(input);
  for (const auto* block : blocks) read_block(*block, out);
  if (!text.limit_hit.empty()) out.note(0, text.limit_hit);
  return std::move(out.machine);
}

}  // namespace railgauge::observe
