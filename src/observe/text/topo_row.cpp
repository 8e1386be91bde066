#include "observe/text/topo_row.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

// Cuts "SYSSYS" in two, and remembers that it did.
std::vector<std::string> separate(const MatrixRow& row, std::vector<std::string>& notes) {
  std::vector<std::string> words;
  for (const auto& word : row.words) {
    const auto parts = split_merged_cells(word);
    if (parts.empty()) {
      words.push_back(word);
      continue;
    }
    notes.push_back(fmt::format("row {}: {} lost its separators; read as {} words", row.label,
                                quoted(word), parts.size()));
    words.insert(words.end(), parts.begin(), parts.end());
  }
  return words;
}

// Where the trailing words of a row with too few of them stand, by tabs or by the header's columns.
std::vector<std::string> place_by_position(const MatrixHeader& header, const MatrixRow& row,
                                           const std::vector<std::string>& words) {
  const std::size_t wanted = header.trailing.size();
  std::vector<std::string> out(wanted);
  if (contains(row.text, "\t")) {
    auto fields = split(row.text, '\t');
    while (!fields.empty() && trim(fields.front()) != row.label) fields.erase(fields.begin());
    const std::size_t before = 1 + header.columns.size();
    if (fields.size() < before) return {};
    fields.erase(fields.begin(), fields.begin() + static_cast<std::ptrdiff_t>(before));
    // Some drivers print an empty field before "GPU NUMA ID" that their header lacks.
    if (fields.size() == wanted + 1 && wanted == 3 && trim(fields[2]).empty())
      fields.erase(fields.begin() + 2);
    for (std::size_t i = 0; i < fields.size(); ++i) {
      if (trim(fields[i]).empty()) continue;
      if (i >= wanted) return {};
      out[i] = std::string(trim(fields[i]));
    }
    return out;
  }
  if (header.trailing_at.size() != wanted || row.text.empty()) return {};
  std::size_t from = row.text.size();
  for (auto word = words.rbegin(); word != words.rend(); ++word) {
    if (from == 0) return {};
    const std::size_t at = row.text.rfind(*word, from - 1);
    if (at == std::string::npos) return {};
    from = at;
    bool placed = false;
    for (std::size_t i = 0; i < wanted && !placed; ++i) {
      const std::size_t distance =
          at > header.trailing_at[i] ? at - header.trailing_at[i] : header.trailing_at[i] - at;
      if (distance > 2 || !out[i].empty()) continue;
      out[i] = *word;
      placed = true;
    }
    if (!placed) return {};
  }
  return out;
}

void place_trailing(const MatrixHeader& header, const MatrixRow& row, bool is_nic,
                    std::vector<std::string> words, CutRow& out) {
  const std::size_t wanted = header.trailing.size();
  out.trailing.assign(wanted, "");
  if (words.size() == wanted) {
    out.trailing = std::move(words);
  } else if (words.empty() && is_nic) {
    return;  // adapters have no affinity here
  } else if (words.size() > wanted) {
    out.problems.push_back(fmt::format("row {} has {} words after its cells, the header {}",
                                       row.label, words.size(), wanted));
  } else if (auto placed = place_by_position(header, row, words);
             !words.empty() && !placed.empty()) {
    out.trailing = std::move(placed);
  } else {
    out.problems.push_back(
        fmt::format("row {} has {} of {} affinity columns", row.label, words.size(), wanted));
    // Ranges with a comma are CPU lists unless NUMA nodes are listed too, so only the first of
    // several that starts a row cut at its end is certain.
    if (words.size() > 1 || (words.size() == 1 && words[0] != "N/A")) out.trailing[0] = words[0];
  }
}

}  // namespace

CutRow cut_row(const MatrixHeader& header, const MatrixRow& row) {
  CutRow out;
  std::vector<std::string> words = separate(row, out.notes);
  const std::size_t columns = header.columns.size();
  const auto label = parse_label(row.label);
  const bool is_nic =
      label && (label->kind == LabelKind::nic_number || label->kind == LabelKind::nic_name);

  // By position where the count says so, else cells are the words before the first affinity.
  std::size_t cells = columns;
  if (words.size() != columns + header.trailing.size() && !(is_nic && words.size() == columns))
    cells = static_cast<std::size_t>(std::find_if(words.begin(), words.end(), is_affinity) -
                                     words.begin());
  const auto first_trailing = words.begin() + static_cast<std::ptrdiff_t>(cells);
  std::vector<std::string> rest(first_trailing, words.end());
  words.erase(first_trailing, words.end());

  const auto own = static_cast<std::size_t>(
      std::find(header.columns.begin(), header.columns.end(), row.label) - header.columns.begin());
  const auto diagonal =
      static_cast<std::size_t>(std::find(words.begin(), words.end(), "X") - words.begin());
  const bool in_place = own < columns && diagonal == own;
  if (words.size() != columns) {
    std::string problem =
        fmt::format("row {} has {} of {} cells", row.label, words.size(), columns);
    // Cut at its end, or under a header that was cut: what is there is in order. Else only the part
    // up to the X, which must stand in the row's own column, is certain.
    const bool cut_at_end = words.size() < columns && rest.empty();
    const bool cut_header = words.size() > columns && header.trailing.empty();
    std::size_t certain = 0;
    if (cut_at_end && (in_place || diagonal == words.size()))
      certain = words.size();
    else if (cut_header && in_place)
      certain = columns;
    else if (in_place)
      certain = own + 1;
    if (certain < words.size())
      problem += fmt::format("; {} of them cannot be placed", words.size() - certain);
    words.resize(std::min(certain, words.size()));
    out.problems.push_back(std::move(problem));
  } else if (!in_place && own < columns) {
    out.problems.push_back(
        diagonal < columns
            ? fmt::format("row {}: its X stands in column {}, so its {} cells cannot be placed",
                          row.label, header.columns[diagonal], words.size())
            : fmt::format("row {}: no X in its own column, so its {} cells cannot be placed",
                          row.label, words.size()));
    words.clear();
  }
  out.cells = std::move(words);
  place_trailing(header, row, is_nic, std::move(rest), out);
  return out;
}

LooseRow cut_loose_row(const MatrixRow& row) {
  LooseRow out;
  const auto words = separate(row, out.notes);
  for (const auto& word : words) {
    if (!is_affinity(word))
      ++out.cell_count;
    else
      out.trailing.push_back(word);
  }
  return out;
}

}  // namespace railgauge::observe
