// How far the cost model of src/model/nccl_cost is from measured collectives.
//   bandwidth_verdict DIRECTORY
// Reads DIRECTORY/*_nccl_perf.csv: nccl_dtype, num_gpus, message_size (elements), op_name and
// latency (ms) of single nodes, one file a system and NCCL version (a100_sxm__comm__nccl__2.27.3…).
// Prints the absolute relative error of the time: median, 90th percentile and the worst rows.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/files.h"
#include "base/strings.h"
#include "model/nccl_constants.h"
#include "model/nccl_cost/expected.h"

namespace {

using namespace railgauge;
using namespace railgauge::model;

struct Row {
  std::string system;
  std::string collective;
  std::string version;
  std::string type;
  int ranks = 0;
  double bytes = 0;
  double measured_us = 0;
  double expected_us = 0;
  std::string how;
  double error() const { return expected_us / measured_us - 1; }
};

// The machines of the files: eight GPUs on NVSwitches as sold, or on PCIe Gen4 (as NCCL counts it).
std::optional<nccl_cost::Fabric> fabric_of(const std::string& system) {
  struct Known {
    const char* prefix;
    int compute_capability;
    int nvlinks;
  };
  constexpr Known known[] = {{"v100", 70, 6},    {"a100", 80, 12},  {"h100", 90, 18},
                             {"h200", 90, 18},   {"h20", 90, 18},   {"b200", 100, 18},
                             {"gb200", 100, 18}, {"b300", 103, 18}, {"gb300", 103, 18},
                             {"l40s", 89, 0}};
  for (const Known& board : known) {
    if (!system.starts_with(board.prefix)) continue;
    nccl_cost::Fabric out;
    out.compute_capability = board.compute_capability;
    out.nvlink = board.nvlinks > 0;
    out.multicast = out.nvlink && board.compute_capability >= 90;
    out.gpu_gbps = out.nvlink ? board.nvlinks : 24;
    return out;
  }
  return std::nullopt;
}

double bytes_of_type(const std::string& type) {
  if (type == "int8" || type == "fp8" || type == "uint8") return 1;
  return type == "float" ? 4 : 2;
}

// Judged with the release the file names; the newest we have constants of where it names none.
void predict(Row& row) {
  auto fabric = fabric_of(row.system);
  const auto collective = nccl_cost::parse_collective(row.collective);
  if (!fabric || !collective) return;
  fabric->gpus_per_node = row.ranks;
  fabric->version = NcclVersion::parse(row.version).value_or(fabric->version);
  if (fabric->nvlink)
    fabric->gpu_gbps *= nccl::nvlink_gbps(fabric->compute_capability, fabric->version);
  if (const auto found = nccl_cost::expected(*fabric, *collective, row.bytes)) {
    row.expected_us = found->seconds * 1e6;
    row.how = found->tuned ? fmt::format("{}/{}", text(found->algorithm), text(found->protocol))
                           : std::string("p2p");
  }
}

std::vector<Row> rows_of(const std::filesystem::path& file) {
  std::vector<Row> out;
  const auto text = read_file(file.string(), 64u << 20);
  if (!text) return out;
  const std::string name = file.filename().string();
  std::map<std::string, std::size_t, std::less<>> columns;
  for (LineCursor lines(*text); lines.next();) {
    const auto cells = split(lines.line(), ',');
    if (lines.number() == 1) {
      for (std::size_t i = 0; i < cells.size(); ++i) columns.emplace(trim(cells[i]), i);
      continue;
    }
    const auto cell = [&](const char* column) {
      const auto found = columns.find(column);
      return found == columns.end() || found->second >= cells.size() ? std::string_view()
                                                                     : trim(cells[found->second]);
    };
    Row row;
    row.system = name.substr(0, name.find('_'));
    const auto version = name.find("nccl__");
    if (version != std::string::npos)
      row.version = name.substr(version + 6, name.find("__", version + 6) - version - 6);
    row.collective = cell("op_name");
    row.type = cell("nccl_dtype");
    row.ranks = static_cast<int>(parse_int(cell("num_gpus")).value_or(0));
    row.bytes = parse_double(cell("message_size")).value_or(0) * bytes_of_type(row.type);
    row.measured_us = parse_double(cell("latency")).value_or(0) * 1000;
    predict(row);
    if (row.expected_us > 0 && row.measured_us > 0) out.push_back(row);
  }
  return out;
}

double percentile(std::vector<double> values, double part) {
  std::sort(values.begin(), values.end());
  const double at = part * static_cast<double>(values.size() - 1);
  const auto low = static_cast<std::size_t>(at);
  const std::size_t high = std::min(low + 1, values.size() - 1);
  return values[low] + (values[high] - values[low]) * (at - static_cast<double>(low));
}

void report(const std::string& title, const std::vector<Row>& rows) {
  if (rows.empty()) return;
  std::vector<double> errors;
  for (const Row& row : rows) errors.push_back(std::abs(row.error()));
  fmt::print("{:<34} {:>5} rows  median {:>5.1f} %  p90 {:>5.1f} %  worst {:>5.1f} %\n", title,
             rows.size(), 100 * percentile(errors, 0.5), 100 * percentile(errors, 0.9),
             100 * percentile(errors, 1));
}

void worst(std::vector<Row> rows, std::size_t count) {
  std::sort(rows.begin(), rows.end(),
            [](const Row& a, const Row& b) { return std::abs(a.error()) > std::abs(b.error()); });
  rows.resize(std::min(rows.size(), count));
  for (const Row& row : rows)
    fmt::print(
        "    NCCL {:<8} {:<5} {} GPUs {:>9}: expected {:>7.1f} us, measured {:>7.1f} us "
        "({:+.0f} %, {})\n",
        row.version, row.type, row.ranks, text_of_bytes(static_cast<std::uint64_t>(row.bytes)),
        row.expected_us, row.measured_us, 100 * row.error(), row.how);
}

template <class Keep>
std::vector<Row> those(const std::vector<Row>& rows, Keep keep) {
  std::vector<Row> out;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(out), keep);
  return out;
}

bool reduces_or_gathers(const Row& row) { return row.collective != "alltoall"; }

void tables(const std::vector<Row>& rows) {
  std::map<std::pair<std::string, std::string>, std::vector<Row>> groups;
  std::map<std::string, std::vector<Row>> systems;
  for (const Row& row : rows) {
    groups[{row.system, row.collective}].push_back(row);
    if (reduces_or_gathers(row)) systems[row.system].push_back(row);
  }
  for (const auto& [key, group] : groups) {
    report(key.first + " " + key.second, group);
    worst(group, 3);
  }
  fmt::print("\nall_reduce, all_gather and reduce_scatter together:\n");
  for (const auto& [system, group] : systems) report(system, group);
  const auto hopper = [](const Row& r) {
    return reduces_or_gathers(r) && (r.system == "h100" || r.system == "h200");
  };
  report("h100 and h200", those(rows, hopper));
  report("all systems", those(rows, reduces_or_gathers));
  for (const int ranks : {2, 4, 8})
    report(fmt::format("  {} GPUs", ranks),
           those(rows, [&](const Row& r) { return reduces_or_gathers(r) && r.ranks == ranks; }));
  report("all systems, 32 MiB and more",
         those(rows, [](const Row& r) { return reduces_or_gathers(r) && r.bytes >= (32 << 20); }));
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 2) {
    fmt::print(stderr, "usage: {} DIRECTORY with *_nccl_perf.csv\n", argv[0]);
    return 2;
  }
  std::vector<Row> rows;
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(argv[1], error))
    if (entry.path().filename().string().ends_with("nccl_perf.csv")) {
      const auto more = rows_of(entry.path());
      rows.insert(rows.end(), more.begin(), more.end());
    }
  if (rows.empty()) {
    fmt::print(stderr, "no rows to compare in {}\n", argv[1]);
    return 2;
  }
  tables(rows);
  return 0;
}
