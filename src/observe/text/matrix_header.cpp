#include "observe/text/matrix_header.h"

#include <array>
#include <unordered_set>

#include "base/strings.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t columns_max =
    1024;  // the widest real ones, with virtual functions, have < 200
constexpr std::size_t wrapped_lines_max = 8;

// How many words of `words` from `at` on make the phrase; 0 when they do not.
std::size_t phrase_length(const std::vector<std::string_view>& words, std::size_t at,
                          std::string_view phrase) {
  const auto parts = split_blank(phrase);
  if (at + parts.size() > words.size()) return 0;
  for (std::size_t i = 0; i < parts.size(); ++i)
    if (!equal_nocase(words[at + i], parts[i])) return 0;
  return parts.size();
}

bool add_columns(MatrixHeader& header, std::string_view word,
                 std::unordered_set<std::string>& seen) {
  std::vector<std::string> labels = split_merged_labels(word);
  if (!labels.empty()) {
    header.merged.emplace_back(word);
  } else if (auto label = parse_label(word)) {
    labels.push_back(label->text);
  }
  for (auto& label : labels) {
    if (!seen.insert(label).second) return false;
    header.columns.push_back(std::move(label));
  }
  return !labels.empty() && header.columns.size() <= columns_max;
}

// The header made of all the text, or of all but a last broken piece (then in `rest`).
std::optional<MatrixHeader> parse_header(std::string_view text) {
  static constexpr std::array<std::string_view, 3> phrases{"CPU Affinity", "NUMA Affinity",
                                                           "GPU NUMA ID"};
  const auto words = split_blank(text);
  if (words.empty()) return std::nullopt;
  const auto first = parse_label(words[0]);
  const bool starts =
      first && (first->kind == LabelKind::gpu || first->kind == LabelKind::pci_address);
  if (!starts && split_merged_labels(words[0]).empty()) return std::nullopt;
  MatrixHeader header;
  std::unordered_set<std::string> seen;
  std::size_t at = 0;
  while (at < words.size() && add_columns(header, words[at], seen)) ++at;
  for (bool more = true; more && at < words.size();) {
    more = false;
    for (const auto phrase : phrases) {
      const std::size_t length = phrase_length(words, at, phrase);
      if (length == 0) continue;
      header.trailing.emplace_back(phrase);
      header.trailing_at.push_back(static_cast<std::size_t>(words[at].data() - text.data()));
      at += length;
      more = true;
      break;
    }
  }
  if (header.columns.empty() || words.size() - at > 2) return std::nullopt;
  for (; at < words.size(); ++at) header.rest += std::string(words[at]) + ' ';
  if (!header.rest.empty()) header.rest.pop_back();
  return header;
}

std::size_t known_words(const MatrixHeader& header) {
  return header.columns.size() + header.trailing.size();
}

bool is_row(std::string_view line) {
  const auto words = split_blank(line);
  if (words.size() < 2 || !parse_label(words[0])) return false;
  return is_path_cell(words[1]) || is_p2p_cell(words[1]) || is_rocm_cell(words[1]) ||
         is_affinity(words[1]) || !split_merged_cells(words[1]).empty();
}

}  // namespace

std::optional<MatrixHeader> find_header(std::span<const std::string_view> lines) {
  auto header = parse_header(lines[0]);
  if (!header) return std::nullopt;
  std::string text(lines[0]);
  std::size_t used = 1;
  while (used < lines.size() && used < wrapped_lines_max) {
    if (trim(lines[used]).empty() || is_row(lines[used])) break;
    const std::string spaced = text + ' ' + std::string(lines[used]);
    const std::string glued = text + std::string(lines[used]);
    auto with_blank = parse_header(spaced);
    auto without = parse_header(glued);
    const auto better = [&](const std::optional<MatrixHeader>& h) {
      return h && known_words(*h) > known_words(*header);
    };
    const bool blank_fits = better(with_blank);
    const bool glue_fits = better(without);
    if (blank_fits && (with_blank->rest.empty() || !glue_fits || !without->rest.empty())) {
      header = std::move(with_blank);
      text = spaced;
    } else if (glue_fits) {
      header = std::move(without);
      text = glued;
    } else {
      break;
    }
    ++used;
  }
  header->lines = used;
  if (used > 1) header->trailing_at.clear();  // the offsets are of no one line
  // Where something is left over, or a lone label is all there is, a row must follow to prove it a
  // header.
  const bool bare = header->columns.size() == 1 && header->trailing.empty();
  if (!header->rest.empty() || bare) {
    std::size_t next = used;
    while (next < lines.size() && trim(lines[next]).empty()) ++next;
    if (next >= lines.size() || !is_row(lines[next])) return std::nullopt;
  }
  return header;
}

}  // namespace railgauge::observe
