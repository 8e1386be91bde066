#include "observe/benchmark_text/perftest.h"

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

// "RDMA_Write Bidirectional BW Test" is "ib_write_bw_bidirectional"; empty for any other line.
std::string test_name(std::string_view line) {
  if (!line.ends_with(" Test") || line.size() > 120) return {};
  const bool bandwidth = contains(line, " BW ");
  if (!bandwidth && !contains(line, " Latency ")) return {};
  std::string verb = lower(line.substr(0, line.find(' ')));
  if (verb.starts_with("rdma_")) verb = verb.substr(5);
  const bool known = verb == "write" || verb == "read" || verb == "send" || verb == "atomic";
  if (!known) verb = "raw_ethernet";
  std::string out = (known ? "ib_" : "") + verb + (bandwidth ? "_bw" : "_lat");
  if (contains(line, "Bidirectional")) out += "_bidirectional";
  return out;
}

// What one unit of the table's rates is, in bytes per second.
struct Table {
  bool latency = false;
  double unit = 0;
  std::size_t average = 3;  // column of the average rate or of the typical latency
};

std::optional<Table> header(std::string_view line) {
  if (!line.starts_with("#bytes")) return std::nullopt;
  Table out;
  const bool service_level = contains(line, "#sl");
  if (contains(line, "t_typical[usec]") || contains(line, "t_avg[usec]")) {
    out.latency = true;
    out.average = contains(line, "t_typical[usec]") ? 4 : 2;
    return out;
  }
  if (!contains(line, "BW average")) return std::nullopt;
  out.average = service_level ? 4 : 3;
  if (contains(line, "average[Gb/sec]")) out.unit = 1e9 / 8;
  // perftest counts in units of 2^20 bytes, whichever of the two it prints.
  if (contains(line, "average[MB/sec]") || contains(line, "average[MiB/sec]")) out.unit = 1 << 20;
  if (out.unit <= 0) return std::nullopt;
  return out;
}

std::optional<double> positive(std::string_view word) {
  const auto value = parse_double(word);
  if (!value || !(*value >= 0) || *value > 1e12) return std::nullopt;
  return value;
}

std::optional<BenchmarkRow> result(std::string_view line, const Table& table) {
  const auto words = split_blank(line.substr(0, 1024));
  if (words.size() <= table.average) return std::nullopt;
  const auto bytes = parse_int(words[0]);
  const auto iterations = parse_int(words[1]);
  const auto value = positive(words[table.average]);
  if (!bytes || *bytes < 0 || !iterations || !value) return std::nullopt;
  BenchmarkRow out;
  out.size_bytes = static_cast<std::uint64_t>(*bytes);
  if (table.latency) {
    out.seconds = *value * 1e-6;
  } else {
    out.algbw = BytesPerSecond{*value * table.unit};
    out.busbw = out.algbw;
  }
  return out;
}

// " Number of qps   : 4		Transport type : IB": the word after "Number of qps   :".
std::string_view setting(std::string_view line, std::string_view key) {
  const auto at = line.find(key);
  if (at == std::string_view::npos) return {};
  const auto rest = trim(line.substr(at + key.size()));
  if (!rest.starts_with(':')) return {};
  const auto words = split_blank(rest.substr(1, 128));
  return words.empty() ? std::string_view() : words.front();
}

class TestReader {
 public:
  explicit TestReader(const Input& input) : paste_(input) {}

  Result<model::Machine> read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      paste_.at(lines.number());
      take(trim(lines.line()));
    }
    return paste_.take("no result: expected the output of perftest, \"#bytes #iterations …\"");
  }

 private:
  void take(std::string_view line) {
    if (line.empty()) return;
    if (const std::string name = test_name(line); !name.empty()) {
      paste_.begin(BenchmarkTool::perftest, name);
      open_ = true;
      table_.reset();
    } else if (const auto found = header(line)) {
      // Without -F or with --output, the block of settings is missing.
      if (!open_) paste_.begin(BenchmarkTool::perftest, found->latency ? "ib_lat" : "ib_bw");
      open_ = true;
      table_ = found;
    } else if (line.starts_with("---")) {
      if (table_) open_ = false;
      table_.reset();
    } else if (table_) {
      if (const auto row = result(line, *table_)) paste_.row(*row);
    } else if (open_) {
      take_setting(line);
    }
  }

  void take_setting(std::string_view line) {
    BenchmarkRun& run = *paste_.current();
    if (const auto device = setting(line, "Device"); !device.empty())
      run.nic = valid_utf8(device.substr(0, 64));
    if (const auto qps = parse_int(setting(line, "Number of qps"));
        qps && *qps > 0 && *qps < 1'000'000)
      run.connections = static_cast<int>(*qps);
    if (const auto type = setting(line, "Link type"); !type.empty())
      run.link_layer = valid_utf8(type.substr(0, 32));
    const auto mtu = setting(line, "Mtu");
    if (const auto bytes = parse_int(mtu.substr(0, mtu.find('[')));
        bytes && *bytes > 0 && *bytes < 1 << 20)
      run.mtu_bytes = static_cast<int>(*bytes);
  }

  BenchmarkPaste paste_;
  std::optional<Table> table_;
  bool open_ = false;
};

}  // namespace

bool looks_like_perftest(std::string_view bytes) {
  return contains(bytes, "#bytes") && read_perftest({"", std::string(bytes)}).has_value();
}

Result<model::Machine> read_perftest(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  return TestReader(input).read(plain);
}

}  // namespace railgauge::observe
