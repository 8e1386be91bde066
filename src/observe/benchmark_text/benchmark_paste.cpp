#include "observe/benchmark_text/benchmark_paste.h"

#include <algorithm>

#include "base/characters.h"
#include "base/strings.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_prefix = 80;

bool is_timestamp(std::string_view word) {
  return word.size() >= 19 && is_digit(word[0]) && word[4] == '-' && word[10] == 'T';
}

bool is_prefix_word(std::string_view word) {
  return !word.empty() && std::all_of(word.begin(), word.end(), [](char c) {
    return is_digit(c) || is_letter(c) || c == '-' || c == '_' || c == '.';
  });
}

// What may follow a prefix: a comment or a row.
bool begins_content(std::string_view rest) {
  rest = trim(rest);
  return !rest.empty() && (rest.front() == '#' || is_digit(rest.front()) || rest.front() == '[');
}

}  // namespace

BenchmarkPaste::BenchmarkPaste(const Input& input)
    : source_(machine_.sources.add(input.name, model::Trust::tool)), here_(source_) {
  machine_.name = input.name;
}

model::BenchmarkRun& BenchmarkPaste::begin(model::BenchmarkTool tool, std::string_view name) {
  if (machine_.benchmarks.size() >= most_runs) {
    if (!overflow_) warn("more than " + std::to_string(most_runs) + " runs; the rest is left out");
    overflow_ = true;
    spare_ = {};
  } else {
    machine_.benchmarks.emplace_back();
  }
  model::BenchmarkRun& out = run();
  out.tool = tool;
  out.name = valid_utf8(name.substr(0, 128));
  out.source = here_;
  return out;
}

void BenchmarkPaste::row(model::BenchmarkRow row) {
  if (machine_.benchmarks.empty()) return;
  if (++rows_ > most_rows) {
    ++lost_rows_;
    return;
  }
  row.source = here_;
  run().rows.push_back(std::move(row));
}

void BenchmarkPaste::warn(std::string text) {
  if (++remarks_ > most_remarks) return;
  if (remarks_ == most_remarks) text = "further remarks about this text are left out";
  machine_.remark(model::RemarkLevel::warning, std::move(text), here_);
}

void BenchmarkPaste::add_once(std::vector<std::string>& names, std::string_view name) {
  if (name.empty() || names.size() >= most_names) return;
  std::string clean = valid_utf8(name.substr(0, 256));
  // Ranks of one host stand together, so the last name is the likely one.
  if (!names.empty() && names.back() == clean) return;
  if (names.size() < 64 && std::find(names.begin(), names.end(), clean) != names.end()) return;
  names.push_back(std::move(clean));
}

Result<model::Machine> BenchmarkPaste::take(const char* expected) {
  auto& runs = machine_.benchmarks;
  std::erase_if(runs, [](const model::BenchmarkRun& run) { return run.rows.empty(); });
  if (runs.empty()) return fail(ErrorKind::input, machine_.name + ": " + expected);
  here_ = source_;
  if (lost_rows_ > 0)
    machine_.remark(model::RemarkLevel::warning,
                    "more than " + std::to_string(most_rows) + " rows; " +
                        std::to_string(lost_rows_) + " are left out",
                    source_);
  return std::move(machine_);
}

std::string_view without_launcher_prefix(std::string_view line) {
  if (line.starts_with('[')) {  // Open MPI: [job,rank]<stdout>:
    const auto end = line.substr(0, longest_prefix).find(">:");
    return end == std::string_view::npos ? line : line.substr(end + 2);
  }
  const auto blank = line.substr(0, longest_prefix).find(' ');
  if (blank == std::string_view::npos || blank == 0) return line;
  const std::string_view word = line.substr(0, blank);
  if (is_timestamp(word)) return line.substr(blank + 1);
  if (word.back() == ':' && is_prefix_word(word.substr(0, word.size() - 1)) &&
      begins_content(line.substr(blank)))
    return line.substr(blank + 1);
  return line;
}

}  // namespace railgauge::observe
