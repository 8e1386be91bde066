#include "observe/benchmark_text/nccl_tests.h"

#include <algorithm>
#include <optional>

#include "base/characters.h"
#include "base/strings.h"
#include "observe/benchmark_text/benchmark_paste.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::BenchmarkRow;
using model::BenchmarkRun;
using model::BenchmarkTool;
using Words = std::vector<std::string_view>;

constexpr std::string_view types[] = {
    "int8",   "uint8",   "int32",   "uint32",   "int64",   "uint64",  "half",     "float",
    "double", "char",    "int",     "bfloat16", "f8e4m3",  "f8e5m2",  "fp8_e4m3", "fp8_e5m2",
    "bf16",   "fp8e4m3", "fp8e5m2", "float16",  "float32", "float64", "mulsum",   "all"};
constexpr std::string_view programs[] = {"all_reduce", "all_gather", "reduce_scatter", "broadcast",
                                         "reduce",     "alltoallv",  "alltoall",       "sendrecv",
                                         "gather",     "scatter",    "hypercube"};

// The columns that a header line names.
struct Columns {
  bool reduction = true;
  bool root = true;
  bool wrong = true;      // "#wrong"; older versions print an error there
  std::size_t group = 4;  // of one placement: time, algbw, busbw, #wrong, and more
};

std::optional<Columns> header(std::string_view line) {
  if (!line.starts_with('#')) return std::nullopt;
  const auto words = split_blank(line.substr(1));
  if (words.size() < 10 || words[0] != "size" || words[1] != "count" || words[2] != "type")
    return std::nullopt;
  const auto is_time = [](std::string_view w) { return w == "time" || w == "cputime"; };
  const auto first = std::find_if(words.begin(), words.end(), is_time);
  if (first == words.end()) return std::nullopt;
  const auto second = std::find_if(first + 1, words.end(), is_time);
  Columns out;
  out.reduction = std::find(words.begin(), first, "redop") != first;
  out.root = std::find(words.begin(), first, "root") != first;
  out.wrong = std::find(first, words.end(), "#wrong") != words.end();
  if (second != words.end()) out.group = static_cast<std::size_t>(second - first);
  if (out.group < 4 || out.group > 16) return std::nullopt;
  return out;
}

// "12345.6", or "1.2e+07" where the number did not fit; never negative.
std::optional<double> amount(std::string_view word) {
  const auto value = parse_double(word);
  if (!value || !(*value >= 0) || *value > 1e15) return std::nullopt;
  return value;
}

bool is_size(std::string_view word) {
  const auto value = parse_int(word);
  return value && *value >= 0;
}

// The words of a row before its figures, and where those begin.
struct RowStart {
  std::uint64_t bytes = 0;
  std::string_view type;
  std::string_view reduction;
  std::size_t figures = 0;
};

std::optional<RowStart> row_start(const Words& words, const Columns& columns) {
  if (words.size() < 7 || !is_size(words[0]) || !is_size(words[1]) || !is_nccl_type(words[2]))
    return std::nullopt;
  RowStart out{static_cast<std::uint64_t>(*parse_int(words[0])), words[2], {}, 3};
  // Programs that do not reduce print "none", and old ones nothing.
  if (columns.reduction && !amount(words[3]) && !parse_int(words[3])) out.reduction = words[3];
  if (!out.reduction.empty()) ++out.figures;
  if (columns.root) ++out.figures;
  return out;
}

std::optional<BenchmarkRow> placement(const Words& words, std::size_t from, const Columns& columns,
                                      std::uint64_t bytes) {
  if (from + 4 > words.size()) return std::nullopt;
  const auto time = amount(words[from]);
  const auto algbw = amount(words[from + 1]);
  const auto busbw = amount(words[from + 2]);
  if (!time || !algbw || !busbw) return std::nullopt;
  BenchmarkRow out;
  out.size_bytes = bytes;
  out.seconds = *time * 1e-6;
  out.algbw = gigabytes_per_second(*algbw);
  out.busbw = gigabytes_per_second(*busbw);
  const auto wrong = amount(words[from + 3]);
  if (columns.wrong && wrong) out.wrong_count = static_cast<std::uint64_t>(*wrong);
  return out;
}

// "#  Rank  0 Group  0 Pid  4242 on  node01 device  0 [0000:1b:00] NVIDIA H100 80GB HBM3"
struct RankLine {
  std::string_view host;
  std::string_view device;
};
std::optional<RankLine> rank_line(std::string_view line) {
  const auto on = line.find(" on ");
  if (!line.starts_with('#') || on == std::string_view::npos) return std::nullopt;
  const auto words = split_blank(line.substr(1, on));
  if (words.size() < 4 || words[0] != "Rank" || !is_size(words[1])) return std::nullopt;
  const auto rest = line.substr(on + 4);
  const auto device = rest.find(" device ");
  const auto bracket = rest.find(']');
  if (device == std::string_view::npos || bracket == std::string_view::npos) return std::nullopt;
  return RankLine{trim(rest.substr(0, device)), trim(rest.substr(bracket + 1))};
}

std::optional<std::int64_t> number_after(const Words& words, std::string_view name) {
  const auto found = std::find(words.begin(), words.end(), name);
  if (found == words.end() || found + 1 == words.end()) return std::nullopt;
  return parse_int(*(found + 1));
}

class TableReader {
 public:
  explicit TableReader(const Input& input) : paste_(input) {}

  Result<model::Machine> read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      paste_.at(lines.number());
      take(trim(without_launcher_prefix(lines.line())));
    }
    finish();
    return paste_.take("no rows: expected the table of nccl-tests, \"# size count type …\"");
  }

 private:
  void take(std::string_view line) {
    if (line.empty()) return;
    if (line.front() == '#') return take_comment(line);
    if (is_digit(line.front())) {
      const auto words = split_blank(line.substr(0, 4096));
      if (const auto start = row_start(words, columns_)) return take_row(words, *start);
    }
    if (const auto program = nccl_tests_program(line); !program.empty()) program_ = program;
  }

  void take_comment(std::string_view line) {
    if (const auto found = header(line)) {
      columns_ = *found;
    } else if (const auto rank = rank_line(line)) {
      BenchmarkRun& run = opened();
      run.ranks = run.ranks.value_or(0) + 1;
      BenchmarkPaste::add_once(run.hosts, rank->host);
      BenchmarkPaste::add_once(run.devices, rank->device);
    } else if (contains(line, "nThread") && contains(line, "nGpus")) {
      take_settings(split_blank(line.substr(1)));
    } else if (line.starts_with("# nccl-tests version ")) {
      start();
      const auto words = split_blank(line.substr(21));
      version_ = words.empty() ? std::string() : valid_utf8(words[0]);
      for (const std::string_view word : words)
        if (word.starts_with("nccl-library="))
          version_ += " (NCCL " + nccl_version_text(parse_int(word.substr(13)).value_or(0)) + ")";
    } else if (line.starts_with("# Collective test starting: ")) {
      if (!fresh_) start();
      program_ = nccl_tests_program(line.substr(28));
    }
  }

  // A new program begins: what stood before does not belong to it.
  void start() {
    finish();
    open_ = false;
    fresh_ = true;
    columns_ = {};
    gpus_of_a_process_.reset();
    version_.clear();
  }

  void take_settings(const Words& words) {
    if (!fresh_) start();
    fresh_ = false;
    const auto threads = number_after(words, "nThread");
    const auto gpus = number_after(words, "nGpus");
    if (threads && gpus && *threads > 0 && *gpus > 0 && *threads * *gpus < 1 << 20)
      gpus_of_a_process_ = static_cast<int>(*threads * *gpus);
    opened();
  }

  void take_row(const Words& words, const RowStart& start) {
    BenchmarkRun& run = opened();
    const auto outside = placement(words, start.figures, columns_, start.bytes);
    auto inside = placement(words, start.figures + columns_.group, columns_, start.bytes);
    if (!outside) {
      paste_.warn("row of nccl-tests: expected time, algbw, busbw and #wrong, found " +
                  quoted(words.size() > start.figures ? words[start.figures] : words.back()));
      return;
    }
    if (run.data_type.empty()) run.data_type = start.type;
    if (run.reduction.empty()) run.reduction = valid_utf8(start.reduction);
    paste_.row(*outside);
    if (!inside) {
      paste_.warn("row of nccl-tests ends after the out-of-place figures");
      return;
    }
    inside->in_place = true;
    paste_.row(*inside);
  }

  BenchmarkRun& opened() {
    if (!open_) {
      BenchmarkRun& run = paste_.begin(BenchmarkTool::nccl_tests, program_);
      run.tool_version = version_;
      open_ = true;
      program_ = {};
    }
    fresh_ = false;
    return *paste_.current();
  }

  void finish() {
    if (!open_) return;
    BenchmarkRun& run = *paste_.current();
    // One process has all of its GPUs as ranks, whether or not the whole list was pasted.
    if (gpus_of_a_process_ && run.ranks.value_or(0) < *gpus_of_a_process_)
      run.ranks = gpus_of_a_process_;
    if (!run.hosts.empty()) run.nodes = static_cast<int>(run.hosts.size());
    if (run.ranks && run.nodes && *run.ranks % *run.nodes == 0)
      run.gpus_per_node = *run.ranks / *run.nodes;
  }

  BenchmarkPaste paste_;
  Columns columns_;
  std::string_view program_;
  std::string version_;
  std::optional<int> gpus_of_a_process_;
  bool open_ = false;
  bool fresh_ = false;  // a program was announced and has printed nothing else yet
};

}  // namespace

bool is_nccl_type(std::string_view word) {
  return std::find(std::begin(types), std::end(types), word) != std::end(types);
}

std::string_view nccl_tests_program(std::string_view text) {
  const auto end = text.substr(0, 4096).find("_perf");
  if (end == std::string_view::npos) return {};
  const std::string_view before = text.substr(0, end);
  for (const std::string_view program : programs)
    if (before.ends_with(program)) {
      const auto start = end - program.size();
      const bool whole =
          start == 0 || text[start - 1] == '/' || text[start - 1] == ' ' || text[start - 1] == '"';
      if (whole) return program;
    }
  return {};
}

std::string nccl_version_text(long long code) {
  const long long major = code >= 10'000 ? code / 10'000 : code / 1'000;
  const long long minor = code >= 10'000 ? code / 100 % 100 : code / 100 % 10;
  return std::to_string(major) + "." + std::to_string(minor) + "." + std::to_string(code % 100);
}

bool looks_like_nccl_tests(std::string_view bytes) {
  return read_nccl_tests({"", std::string(bytes)}).has_value();
}

Result<model::Machine> read_nccl_tests(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  return TableReader(input).read(plain);
}

}  // namespace railgauge::observe
