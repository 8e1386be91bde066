#include "observe/benchmark_text/iperf3.h"

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "observe/benchmark_text/benchmark_paste.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::BenchmarkRow;
using model::BenchmarkRun;
using model::BenchmarkTool;
using Words = std::vector<std::string_view>;

constexpr int most_streams = 128;  // MAX_STREAMS of iperf3

double bits_of_unit(std::string_view unit) {
  const std::pair<std::string_view, double> units[] = {
      {"bits/sec", 1},      {"Kbits/sec", 1e3},      {"Mbits/sec", 1e6},
      {"Gbits/sec", 1e9},   {"Tbits/sec", 1e12},     {"Bytes/sec", 8},
      {"KBytes/sec", 8192}, {"MBytes/sec", 8388608}, {"GBytes/sec", 8589934592.0}};
  for (const auto& [word, bits] : units)
    if (word == unit) return bits;
  return 0;
}

// A line of the closing summary: "[  5]   0.00-10.00  sec … 9.41 Gbits/sec    0   sender".
struct Summary {
  bool sum = false;  // over all streams
  bool receiver = false;
  double bits_per_second = 0;
  double seconds = 0;
  std::optional<std::uint64_t> retransmits;
  std::optional<double> loss_fraction;
};

double interval_seconds(std::string_view word) {
  const auto dash = word.find('-');
  if (dash == std::string_view::npos) return 0;
  const auto from = parse_double(word.substr(0, dash));
  const auto to = parse_double(word.substr(dash + 1));
  return from && to && *to > *from ? *to - *from : 0;
}

std::optional<Summary> summary(std::string_view line) {
  if (!line.starts_with('[') || line.size() > 512) return std::nullopt;
  const auto close = line.find(']');
  if (close == std::string_view::npos) return std::nullopt;
  const auto words = split_blank(line.substr(close + 1));
  if (words.size() < 7 || words[1] != "sec") return std::nullopt;
  Summary out;
  out.receiver = words.back() == "receiver";
  if (!out.receiver && words.back() != "sender") return std::nullopt;
  out.sum = trim(line.substr(1, close - 1)) == "SUM";
  out.seconds = interval_seconds(words[0]);
  const auto rate = parse_double(words[4]);
  const double unit = bits_of_unit(words[5]);
  if (!rate || !(*rate >= 0) || unit <= 0) return std::nullopt;
  out.bits_per_second = *rate * unit;
  // TCP: the sender's retransmits. UDP: jitter "0.010 ms", lost/total, "(0.15%)".
  if (words.size() == 8 && !out.receiver)
    if (const auto count = parse_int(words[6]); count && *count >= 0)
      out.retransmits = static_cast<std::uint64_t>(*count);
  for (const std::string_view word : words)
    if (word.starts_with('(') && word.ends_with("%)"))
      if (const auto percent = parse_double(word.substr(1, word.size() - 3)))
        out.loss_fraction = std::clamp(*percent / 100, 0.0, 1.0);
  return out;
}

bool is_stream_line(std::string_view line) {
  return line.starts_with('[') && contains(line.substr(0, 200), " local ") &&
         contains(line.substr(0, 300), " connected to ");
}

class TestReader {
 public:
  explicit TestReader(const Input& input) : paste_(input) {}

  Result<model::Machine> read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      line_ = lines.number();
      take(trim(lines.line()));
    }
    finish();
    return paste_.take("no summary: expected the end of iperf3's output, \"… sender\"");
  }

 private:
  void take(std::string_view line) {
    if (is_stream_line(line)) {
      if (!sums_.empty() || !single_.empty()) finish();
      if (streams_ < most_streams) ++streams_;
      host_ = line.substr(line.find(" connected to ") + 14);
      host_ = host_.substr(0, host_.find(' '));
    } else if (const auto found = summary(line)) {
      auto& list = found->sum ? sums_ : single_;
      if (list.size() < 2 * static_cast<std::size_t>(most_streams)) list.push_back(*found);
      if (first_line_ == 0) first_line_ = line_;
      if (found->loss_fraction) udp_ = true;
    }
  }

  // Of all streams, as the receiver saw it; else the sender.
  void finish() {
    auto& list = sums_.empty() ? single_ : sums_;
    if (!list.empty()) {
      paste_.at(first_line_);
      BenchmarkRun& run = paste_.begin(BenchmarkTool::iperf3, udp_ ? "udp" : "tcp");
      if (streams_ > 0) run.connections = streams_;
      BenchmarkPaste::add_once(run.hosts, host_);
      BenchmarkRow row;
      bool from_receiver = false;
      double total = 0;
      for (const Summary& s : list) {
        if (s.retransmits) run.retransmits = run.retransmits.value_or(0) + *s.retransmits;
        if (s.loss_fraction) run.loss_fraction = s.loss_fraction;
        if (s.receiver && !from_receiver) total = 0;
        if (from_receiver && !s.receiver) continue;
        from_receiver |= s.receiver;
        total += s.bits_per_second;
        row.seconds = s.seconds;
      }
      row.algbw = BytesPerSecond{total / 8};
      row.busbw = row.algbw;
      paste_.row(row);
    }
    sums_.clear();
    single_.clear();
    streams_ = 0;
    first_line_ = 0;
    udp_ = false;
  }

  BenchmarkPaste paste_;
  std::vector<Summary> sums_;
  std::vector<Summary> single_;
  std::string_view host_;
  std::uint32_t line_ = 0;
  std::uint32_t first_line_ = 0;
  int streams_ = 0;
  bool udp_ = false;
};

}  // namespace

bool looks_like_iperf3(std::string_view bytes) {
  return contains(bytes, "/sec") && read_iperf3({"", std::string(bytes)}).has_value();
}

Result<model::Machine> read_iperf3(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  return TestReader(input).read(plain);
}

}  // namespace railgauge::observe
