#include <algorithm>

#include "observe/archive/bounded_json.h"
#include "observe/benchmark_text/benchmark_paste.h"
#include "observe/benchmark_text/iperf3.h"
#include "observe/benchmark_text/json_values.h"

namespace railgauge::observe {
namespace {

using namespace json_values;
using model::BenchmarkRow;
using model::BenchmarkRun;

void take_start(const Json& start, BenchmarkRun& run) {
  run.tool_version = valid_utf8(string(start, "version").substr(0, 64));
  if (const Json* to = member(start, "connecting_to"))
    BenchmarkPaste::add_once(run.hosts, string(*to, "host"));
  const Json* test = member(start, "test_start");
  if (test == nullptr) return;
  if (const auto streams = count(*test, "num_streams", 100'000))
    run.connections = static_cast<int>(*streams);
  if (equal_nocase(string(*test, "protocol"), "UDP")) run.name = "udp";
}

}  // namespace

bool looks_like_iperf3_json(std::string_view bytes) {
  return contains(bytes, "\"bits_per_second\"") && contains(bytes, "\"test_start\"") &&
         !object_text(bytes).empty();
}

Result<model::Machine> read_iperf3_json(const Input& input) {
  const auto document = parse_bounded_json(object_text(input.bytes), input.name, most_bytes);
  if (!document) return tl::unexpected(document.error());
  BenchmarkPaste paste(input);
  BenchmarkRun& run = paste.begin(model::BenchmarkTool::iperf3, "tcp");
  if (const Json* start = member(*document, "start")) take_start(*start, run);
  const std::string_view error = string(*document, "error");
  if (!error.empty()) paste.warn("iperf3 says: " + quoted(error));
  const Json* end = member(*document, "end");
  if (end == nullptr) return paste.take("no result: expected the JSON of iperf3 -J");
  // TCP has both; UDP of old versions only "sum".
  const Json* rate = nullptr;
  for (const char* key : {"sum_received", "sum", "sum_sent"})
    if (rate == nullptr &&
        number(member(*end, key) ? *member(*end, key) : Json(), "bits_per_second"))
      rate = member(*end, key);
  if (rate == nullptr) return paste.take("no rate: expected end.sum_received of iperf3 -J");
  BenchmarkRow row;
  row.algbw = BytesPerSecond{std::max(0.0, *number(*rate, "bits_per_second")) / 8};
  row.busbw = row.algbw;
  row.seconds = number(*rate, "seconds");
  if (const Json* sent = member(*end, "sum_sent"))
    if (const auto again = count(*sent, "retransmits", std::int64_t{1} << 50))
      run.retransmits = static_cast<std::uint64_t>(*again);
  for (const char* key : {"sum", "sum_received"})
    if (const Json* sum = member(*end, key))
      if (const auto lost = number(*sum, "lost_percent"))
        run.loss_fraction = std::clamp(*lost / 100, 0.0, 1.0);
  paste.row(row);
  return paste.take("no result: expected the JSON of iperf3 -J");
}

}  // namespace railgauge::observe
