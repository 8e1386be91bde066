#include "observe/text/tokens.h"

#include <algorithm>
#include <array>

#include "base/characters.h"
#include "base/strings.h"
#include "model/path_class.h"
#include "model/pci.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t word_max = 256;  // longer words are no labels and no cells

std::optional<Label> numbered(std::string_view word, std::string_view prefix, LabelKind kind) {
  if (word.substr(0, prefix.size()) != prefix) return std::nullopt;
  const auto digits = word.substr(prefix.size());
  if (digits.empty() || digits.size() > 6 || digits_at(digits, 0) != digits.size())
    return std::nullopt;
  return Label{kind, std::string(word), static_cast<int>(*parse_int(digits))};
}

// The length of the path cell at the front of the text; 0 when there is none.
std::size_t path_cell_length(std::string_view text) {
  static constexpr std::array<std::string_view, 7> words{"PIX", "PXB", "PHB", "NODE",
                                                         "SYS", "SOC", "X"};
  for (const auto word : words)
    if (text.substr(0, word.size()) == word) return word.size();
  if (text.substr(0, 2) == "NV") {
    const std::size_t digits = digits_at(text, 2);
    if (digits > 0 && digits <= 3) return 2 + digits;
  }
  return 0;
}

void replace_all(std::string& text, std::string_view from, char to) {
  std::size_t out = 0;
  for (std::size_t i = 0; i < text.size();) {
    if (std::string_view(text).substr(i, from.size()) == from) {
      text[out++] = to;
      i += from.size();
    } else {
      text[out++] = text[i++];
    }
  }
  text.resize(out);
}

}  // namespace

std::string pasted_text(std::string_view bytes) {
  std::string text = strip_terminal_codes(bytes);
  replace_all(text, "\xc2\xa0", ' ');      // no-break space, from web pages
  replace_all(text, "\xe2\x94\x82", ' ');  // box drawing bar
  replace_all(text, "\xef\xbb\xbf", ' ');  // byte order mark
  std::replace(text.begin(), text.end(), '|', ' ');
  return text;
}

std::optional<Label> parse_label(std::string_view word) {
  if (word.empty() || word.size() > word_max) return std::nullopt;
  if (auto gpu = numbered(word, "GPU", LabelKind::gpu)) return gpu;
  if (auto nic = numbered(word, "NIC", LabelKind::nic_number)) return nic;
  if (contains(word, ":") && contains(word, ".") && model::PciAddress::parse(word))
    return Label{LabelKind::pci_address, std::string(word), -1};
  if (!is_letter(word.front()) || is_path_cell(word) || !split_merged_cells(word).empty())
    return std::nullopt;
  if (word.substr(0, 3) == "GPU" || word.substr(0, 3) == "NIC") return std::nullopt;
  const bool name = std::all_of(word.begin(), word.end(), [](char c) {
    return is_letter(c) || is_digit(c) || c == '_' || c == '-' || c == '.';
  });
  if (!name || std::none_of(word.begin(), word.end(), is_digit)) return std::nullopt;
  return Label{LabelKind::nic_name, std::string(word), -1};
}

std::vector<std::string> split_merged_labels(std::string_view word) {
  std::vector<std::string> out;
  if (word.size() > word_max) return out;
  while (!word.empty()) {
    if (word.substr(0, 3) != "GPU" && word.substr(0, 3) != "NIC") return {};
    const std::size_t digits = digits_at(word, 3);
    if (digits == 0 || digits > 6) return {};
    out.emplace_back(word.substr(0, 3 + digits));
    word.remove_prefix(3 + digits);
  }
  if (out.size() < 2) out.clear();
  return out;
}

bool is_path_cell(std::string_view word) {
  return !word.empty() && path_cell_length(word) == word.size();
}

bool is_p2p_cell(std::string_view word) { return model::parse_p2p_status(word).has_value(); }

bool is_rocm_cell(std::string_view word) {
  static constexpr std::array<std::string_view, 9> words{
      "XGMI", "PCIE", "True", "False", "ENABLED", "DISABLED", "SELF", "UNKNOWN", "PCIe"};
  return std::find(words.begin(), words.end(), word) != words.end();
}

bool is_affinity(std::string_view word) {
  if (word == "N/A") return true;
  return !word.empty() && is_digit(word.front()) &&
         std::all_of(word.begin(), word.end(),
                     [](char c) { return is_digit(c) || c == ',' || c == '-'; });
}

std::vector<std::string> split_merged_cells(std::string_view word) {
  std::vector<std::string> out;
  if (word.empty() || word.size() > word_max) return out;
  while (!word.empty()) {
    const std::size_t length = path_cell_length(word);
    if (length == 0) {
      // Digits right after NV# could belong to either side.
      const bool certain = !out.empty() && out.back().substr(0, 2) != "NV";
      if (!certain || !is_affinity(word)) return {};
      out.emplace_back(word);
      break;
    }
    out.emplace_back(word.substr(0, length));
    word.remove_prefix(length);
  }
  if (out.size() < 2) out.clear();
  return out;
}

}  // namespace railgauge::observe
