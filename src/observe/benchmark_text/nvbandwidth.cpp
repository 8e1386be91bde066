#include "observe/benchmark_text/nvbandwidth.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "observe/benchmark_text/benchmark_paste.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::BenchmarkRun;
using model::BenchmarkTool;

constexpr std::size_t most_columns = 1024;

// "CPU(row)" is "CPU".
std::string place(std::string_view word, std::string_view suffix) {
  if (!word.ends_with(suffix)) return {};
  return std::string(word.substr(0, word.size() - suffix.size()).substr(0, 16));
}

bool is_test_name(std::string_view word) {
  return word.size() > 2 && word.size() < 96 && std::all_of(word.begin(), word.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_';
         });
}

// "Running host_to_device_memcpy_ce."
std::string_view running(std::string_view line) {
  if (!line.starts_with("Running ")) return {};
  line = trim(line.substr(8));
  if (line.ends_with('.')) line.remove_suffix(1);
  return is_test_name(line) && contains(line, "_") ? line : std::string_view();
}

// "Device 0: NVIDIA H100 80GB HBM3 (00000000:1b:00)", or "(0000…" cut off.
std::string_view device_line(std::string_view line) {
  const bool process = line.starts_with("Process ");
  const auto at = process ? line.find(": device ") : 0;
  if (at == std::string_view::npos) return {};
  if (!process && !line.starts_with("Device ")) return {};
  auto rest = line.substr(at + (process ? 9 : 7));
  const auto colon = rest.find(": ");
  if (colon == std::string_view::npos || colon > 6) return {};
  rest = rest.substr(colon + 2);
  return trim(rest.substr(0, rest.rfind(" (")));
}

class MatrixReader {
 public:
  explicit MatrixReader(const Input& input) : paste_(input) {}

  Result<model::Machine> read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      paste_.at(lines.number());
      take(trim(lines.line()));
    }
    return paste_.take("no matrix: expected the output of nvbandwidth, \"Running …\"");
  }

 private:
  void take(std::string_view line) {
    if (const auto name = running(line); !name.empty()) {
      BenchmarkRun& run = paste_.begin(BenchmarkTool::nvbandwidth, name);
      run.tool_version = version_;
      run.devices = devices_;
      in_matrix_ = false;
      columns_.clear();
    } else if (line.starts_with("nvbandwidth Version: ")) {
      version_ = valid_utf8(trim(line.substr(21)).substr(0, 64));
      devices_.clear();
    } else if (const auto device = device_line(line); !device.empty()) {
      BenchmarkPaste::add_once(devices_, device);
    } else if (parse_matrix_title(line, title_)) {
      in_matrix_ = paste_.current() != nullptr;
      columns_.clear();
    } else if (line.empty() || line.starts_with("SUM ")) {
      in_matrix_ = false;
    } else if (in_matrix_) {
      take_matrix_line(split_blank(line.substr(0, 65'536)));
    }
  }

  void take_matrix_line(const std::vector<std::string_view>& words) {
    if (columns_.empty()) {
      for (const std::string_view word : words)
        if (columns_.size() < most_columns) columns_.emplace_back(word.substr(0, 64));
      return;
    }
    const std::string_view row = words.front();
    if (words.size() != columns_.size() + 1)
      paste_.warn("row " + quoted(row) + " of nvbandwidth's matrix has " +
                  std::to_string(words.size() - 1) + " of " + std::to_string(columns_.size()) +
                  " cells");
    for (std::size_t i = 1; i < words.size() && i <= columns_.size(); ++i) {
      if (words[i] == "N/A") continue;
      const auto value = parse_double(words[i]);
      if (!value || !(*value >= 0) || *value > 1e12) {
        paste_.warn("cell of nvbandwidth's matrix: expected a number or N/A, found " +
                    quoted(words[i]));
        continue;
      }
      paste_.row(matrix_cell(title_, row, columns_[i - 1], *value));
    }
  }

  BenchmarkPaste paste_;
  std::string version_;
  std::vector<std::string> devices_;
  MatrixTitle title_;
  std::vector<std::string> columns_;
  bool in_matrix_ = false;
};

}  // namespace

bool parse_matrix_title(std::string_view line, MatrixTitle& out) {
  const bool rate = line.ends_with("(GB/s)");
  const bool latency = line.ends_with("(ns)");
  if ((!rate && !latency) || line.size() > 256) return false;
  const auto words = split_blank(line);
  const auto column = std::find_if(
      words.begin(), words.end(), [](std::string_view word) { return word.ends_with("(column)"); });
  MatrixTitle found;
  found.nanoseconds = latency;
  if (column == words.end()) {
    // "memory latency SM CPU(row) …" has both; a vector of devices has neither.
    if (!contains(line, "memcpy") && !contains(line, "bandwidth") && !contains(line, "latency"))
      return false;
    found.column = "GPU";
    out = std::move(found);
    return true;
  }
  found.column = place(*column, "(column)");
  if (column - words.begin() < 2) return false;
  const std::string_view arrow = *(column - 1);
  found.row = place(*(column - 2), "(row)");
  if (found.row.empty() || (arrow != "->" && arrow != "<-" && arrow != "<->")) return false;
  found.to_row = arrow == "<-";
  found.both_ways = arrow == "<->";
  out = std::move(found);
  return true;
}

model::BenchmarkRow matrix_cell(const MatrixTitle& title, std::string_view row,
                                std::string_view column, double value) {
  const auto named = [](const std::string& kind, std::string_view number) {
    if (kind.empty()) return std::string();
    return kind == "CPU" ? std::string("host") : kind + std::string(number);
  };
  model::BenchmarkRow out;
  out.from = named(title.row, row);
  out.to = named(title.column, column);
  if (title.to_row) std::swap(out.from, out.to);
  if (title.nanoseconds)
    out.seconds = value * 1e-9;
  else
    out.busbw = gigabytes_per_second(value);
  return out;
}

bool looks_like_nvbandwidth(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  bool named = false;
  MatrixTitle title;
  for (LineCursor lines(plain); lines.next();) {
    const auto line = trim(lines.line());
    named |= !running(line).empty();
    if (named && parse_matrix_title(line, title)) return true;
  }
  return false;
}

Result<model::Machine> read_nvbandwidth(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  return MatrixReader(input).read(plain);
}

}  // namespace railgauge::observe
