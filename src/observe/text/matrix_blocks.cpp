#include "observe/text/matrix_blocks.h"

#include <algorithm>
#include <unordered_set>

#include "base/strings.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t blocks_max = 64;
constexpr std::size_t rows_max = 8192;       // of all blocks
constexpr std::size_t row_words_max = 4096;  // a row wider than this is no row
constexpr std::size_t wrapped_lines_max = 16;

bool is_cell(std::string_view word) {
  return is_path_cell(word) || is_p2p_cell(word) || is_rocm_cell(word) || is_affinity(word) ||
         !split_merged_cells(word).empty();
}

class BlockFinder {
 public:
  explicit BlockFinder(std::string_view plain) {
    for (LineCursor cursor(plain); cursor.next();) lines_.push_back(cursor.line());
  }

  MatrixText find() {
    std::size_t i = 0;
    while (i < lines_.size()) {
      if (found_.blocks.size() > blocks_max || rows_ > rows_max) {
        found_.limit_hit = "line " + std::to_string(i + 1) + ": more than " +
                           std::to_string(blocks_max) + " matrices or " + std::to_string(rows_max) +
                           " rows; the rest is not read";
        break;
      }
      i += take(i);
    }
    return std::move(found_);
  }

 private:
  // Understands what starts at line i and says how many lines it was.
  std::size_t take(std::size_t i) {
    const auto words = split_blank(lines_[i]);
    if (words.empty()) return 1;
    if (words[0] == "GB/s") return rate_table(i);
    if (is_row(words)) return take_row(i, words);
    if (auto header = find_header(std::span(lines_).subspan(i))) {
      const std::size_t used = header->lines;
      open_block(static_cast<std::uint32_t>(i + 1), std::move(*header));
      return used;
    }
    if (rows_in_block() > 0) open_ = false;
    if (contains(lines_[i], "topo") || contains(lines_[i], "-smi"))
      command_ = short_copy(lines_[i]);
    title_ = short_copy(lines_[i]);
    return 1;
  }

  // The second table of `railgauge see --matrix`: rates in its cells, no classes. Up to the next
  // blank line.
  std::size_t rate_table(std::size_t i) {
    open_ = false;
    std::size_t used = 1;
    while (i + used < lines_.size() && !trim(lines_[i + used]).empty()) ++used;
    return used;
  }

  static std::string short_copy(std::string_view line) {
    return std::string(trim(line).substr(0, 200));
  }

  std::size_t rows_in_block() const {
    return found_.blocks.empty() ? 0 : found_.blocks.back().rows.size();
  }

  void open_block(std::uint32_t line, MatrixHeader header) {
    columns_.clear();
    columns_.insert(header.columns.begin(), header.columns.end());
    found_.blocks.push_back({line, std::move(header), title_, command_, {}});
    open_ = true;
  }

  bool is_row(const std::vector<std::string_view>& words) const {
    if (words.size() > row_words_max) return false;
    const auto label = parse_label(words[0]);
    if (!label) return false;
    const bool ours = columns_.count(label->text) > 0;
    if (open_ && ours && words.size() == 1) return rows_in_block() > 0;  // a row cut to its name
    if (words.size() < 2) return false;
    if (open_ && ours && !parse_label(words[1]) && !is_phrase(words[1])) return true;
    if (!is_cell(words[1])) return false;
    // Without a header only a row that holds nothing but cells is believed, and more of them where
    // the name could be any word.
    if (!open_ && !ours && label->kind == LabelKind::nic_name &&
        (words.size() < 4 || !is_path_cell(words[1])))
      return false;
    const bool all = std::all_of(words.begin() + 1, words.end(), is_cell);
    const bool path = is_path_cell(words[1]) || is_p2p_cell(words[1]) || is_rocm_cell(words[1]) ||
                      !split_merged_cells(words[1]).empty();
    return all && (path || (open_ && label->kind != LabelKind::nic_name)) &&
           (words.size() > 2 || words[1] == "X" || open_);
  }

  static bool is_phrase(std::string_view word) {  // a header of one device: "GPU0 CPU Affinity"
    return equal_nocase(word, "CPU") || equal_nocase(word, "NUMA") || equal_nocase(word, "GPU");
  }

  std::size_t take_row(std::size_t i, const std::vector<std::string_view>& words) {
    MatrixRow row;
    row.label = std::string(words[0]);
    row.line = row.last_line = static_cast<std::uint32_t>(i + 1);
    row.words.assign(words.begin() + 1, words.end());
    row.text = std::string(lines_[i]);
    const bool belongs = !found_.blocks.empty() && (open_ || columns_.count(row.label) > 0);
    if (!belongs && (found_.blocks.empty() || found_.blocks.back().header_line != 0)) {
      open_block(0, {});
      open_ = false;
    }
    std::size_t used = 1;
    while (i + used < lines_.size() && used < wrapped_lines_max &&
           append_wrapped(row, lines_[i + used]))
      ++used;
    if (used > 1) row.text.clear();
    row.last_line = static_cast<std::uint32_t>(i + used);
    found_.blocks.back().rows.push_back(std::move(row));
    ++rows_;
    return used;
  }

  // How many words a whole row has; 0 when there is no header to say.
  std::size_t whole_row(const MatrixRow& row) const {
    const MatrixHeader& header = found_.blocks.back().header;
    const auto label = parse_label(row.label);
    const bool is_nic =
        label && (label->kind == LabelKind::nic_name || label->kind == LabelKind::nic_number);
    return header.columns.size() + (is_nic ? 0 : header.trailing.size());
  }

  // Joins the next line to the row when it can only be its rest.
  bool append_wrapped(MatrixRow& row, std::string_view line) const {
    const bool has_header = found_.blocks.back().header_line != 0;
    const std::size_t whole = has_header ? whole_row(row) : row_words_max;
    const auto words = split_blank(line);
    if (row.words.empty() || words.empty() || words.size() > whole) return false;
    if (row.words.size() >=
        whole) {  // only a number broken at the very end can be left: "8-1", "5"
      const bool broken = has_header && row.words.size() == whole && words.size() == 1 &&
                          words[0] != "N/A" && is_affinity(words[0]) &&
                          is_affinity(row.words.back()) && row.words.back() != "N/A";
      if (broken) row.words.back() += words[0];
      return broken;
    }
    if (const auto label = parse_label(words[0]);
        label && (label->kind != LabelKind::nic_name || columns_.count(label->text) > 0))
      return false;
    if (!std::all_of(words.begin() + 1, words.end(), is_cell)) return false;
    std::string& last = row.words.back();
    const std::string glued = last + std::string(words[0]);
    const bool glue_fits = is_cell(glued) && (!is_cell(last) || !is_cell(words[0]) ||
                                              row.words.size() + words.size() > whole ||
                                              (is_path_cell(glued) && is_affinity(words[0])));
    if (!glue_fits && (!is_cell(last) || !is_cell(words[0]))) return false;
    if (row.words.size() + words.size() - (glue_fits ? 1 : 0) > whole) return false;
    if (glue_fits) last = glued;
    row.words.insert(row.words.end(), words.begin() + (glue_fits ? 1 : 0), words.end());
    return true;
  }

  std::vector<std::string_view> lines_;
  MatrixText found_;
  std::unordered_set<std::string> columns_;
  std::string title_;
  std::string command_;
  std::size_t rows_ = 0;
  bool open_ = false;
};

}  // namespace

MatrixText find_matrices(std::string_view plain) { return BlockFinder(plain).find(); }

}  // namespace railgauge::observe
