#include <optional>

#include "observe/archive/bounded_json.h"
#include "observe/benchmark_text/benchmark_paste.h"
#include "observe/benchmark_text/json_values.h"
#include "observe/benchmark_text/nccl_tests.h"

namespace railgauge::observe {
namespace {

using namespace json_values;
using model::BenchmarkRow;
using model::BenchmarkRun;

std::optional<BenchmarkRow> placement(const Json& row, const char* key, std::uint64_t bytes) {
  const Json* body = member(row, key);
  if (body == nullptr) return std::nullopt;
  auto time = number(*body, "time");
  if (!time) time = number(*body, "cpu_time");
  const auto algbw = number(*body, "alg_bw");
  const auto busbw = number(*body, "bus_bw");
  if (!time || !algbw || !busbw || !(*time >= 0) || !(*algbw >= 0) || !(*busbw >= 0))
    return std::nullopt;
  BenchmarkRow out;
  out.size_bytes = bytes;
  out.seconds = *time * 1e-6;
  out.algbw = gigabytes_per_second(*algbw);
  out.busbw = gigabytes_per_second(*busbw);
  if (const auto wrong = count(*body, "nwrong", std::int64_t{1} << 60))
    out.wrong_count = static_cast<std::uint64_t>(*wrong);
  return out;
}

// The report lists the first rank of every process.
void take_devices(const Json& config, BenchmarkRun& run) {
  const auto threads = count(config, "nthreads", 4096);
  const auto gpus = count(config, "ngpus", 4096);
  const Json& processes = array(config, "devices");
  for (const Json& process : processes) {
    BenchmarkPaste::add_once(run.hosts, trim(string(process, "hostname")));
    BenchmarkPaste::add_once(run.devices, trim(string(process, "device_info")));
  }
  if (threads && gpus && !processes.empty() && processes.size() < 65'536)
    run.ranks = static_cast<int>(*threads * *gpus % (1 << 20)) *
                static_cast<int>(std::min<std::size_t>(processes.size(), 1024));
  if (!run.hosts.empty()) run.nodes = static_cast<int>(run.hosts.size());
  if (run.ranks && run.nodes && *run.ranks % *run.nodes == 0)
    run.gpus_per_node = *run.ranks / *run.nodes;
}

void take_results(const Json& document, BenchmarkPaste& paste) {
  for (const Json& row : array(document, "results")) {
    const auto bytes = count(row, "size", std::int64_t{1} << 60);
    if (!bytes) {
      paste.warn("result without a size");
      continue;
    }
    BenchmarkRun& run = *paste.current();
    if (run.data_type.empty()) run.data_type = valid_utf8(string(row, "type").substr(0, 64));
    if (run.reduction.empty()) run.reduction = valid_utf8(string(row, "redop").substr(0, 64));
    const auto size = static_cast<std::uint64_t>(*bytes);
    if (const auto outside = placement(row, "out_of_place", size)) paste.row(*outside);
    if (auto inside = placement(row, "in_place", size)) {
      inside->in_place = true;
      paste.row(*inside);
    }
  }
}

}  // namespace

bool looks_like_nccl_tests_json(std::string_view bytes) {
  return contains(bytes, "\"results\"") && contains(bytes, "\"bus_bw\"") &&
         !object_text(bytes).empty();
}

Result<model::Machine> read_nccl_tests_json(const Input& input) {
  const auto document = parse_bounded_json(object_text(input.bytes), input.name, most_bytes);
  if (!document) return tl::unexpected(document.error());
  BenchmarkPaste paste(input);
  std::string_view program;
  const Json& arguments = array(*document, "args");
  if (!arguments.empty()) program = nccl_tests_program(string(&arguments.front()));
  BenchmarkRun& run = paste.begin(model::BenchmarkTool::nccl_tests, program);
  if (const auto version = count(*document, "nccl_version", 1'000'000))
    run.tool_version = "NCCL " + nccl_version_text(*version);
  if (const Json* config = member(*document, "config")) take_devices(*config, run);
  take_results(*document, paste);
  return paste.take("no results: expected the JSON report of nccl-tests (-J FILE.json)");
}

}  // namespace railgauge::observe
