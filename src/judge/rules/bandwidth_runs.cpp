#include "judge/rules/bandwidth_runs.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "model/nccl_constants.h"

namespace railgauge::judge::bandwidth {
namespace {

using namespace model;
using nccl_cost::Fabric;
using nccl_cost::Job;
using nccl_cost::Measured;

constexpr std::size_t most_table_rows = 12;

NcclVersion version_of(const Patient& patient, const BenchmarkRun& run) {
  const auto at = run.tool_version.find("NCCL ");
  if (at != std::string::npos) {
    const auto word = run.tool_version.substr(at + 5, run.tool_version.find(')', at) - at - 5);
    if (const auto version = NcclVersion::parse(word)) return *version;
  }
  for (const NcclRun& log : patient.machine.nccl_runs)
    if (log.version)
      if (const auto version = NcclVersion::parse(*log.version)) return *version;
  return {};
}

Job job_of(const Patient& patient, const BenchmarkRun& run, int ranks) {
  Job job;
  job.nodes = run.nodes && *run.nodes > 1 ? *run.nodes : std::max(1, patient.nodes);
  // A list of ranks on one host says that there is one node, whatever the job was told.
  if (run.nodes == 1 && run.ranks == ranks && ranks > 1) job.nodes = 1;
  if (ranks % job.nodes != 0) job.nodes = 1;
  job.gpus_per_node = ranks / job.nodes;
  job.adapters = nccl_cost::parse_adapters(patient.nics);
  job.version = version_of(patient, run);
  return job;
}

const GpuBoard* board_of(const Patient& patient, const BenchmarkRun& run) {
  Machine scratch;
  for (const std::string& name : run.devices) {
    Device gpu;
    gpu.name.claim(name, scratch.sources.add("the benchmark's list of devices", Trust::tool));
    if (const GpuBoard* board = patient.catalogue.board(gpu)) return board;
  }
  if (!run.devices.empty()) return nullptr;
  for (const DeviceId id : patient.machine.of_kind(DeviceKind::gpu))
    if (const GpuBoard* board = patient.catalogue.board(patient.machine[id])) return board;
  return nullptr;
}

// The GPUs of the machine are those of the run, as far as names tell.
bool same_gpus(const Machine& machine, const BenchmarkRun& run) {
  if (run.devices.empty()) return true;
  for (const DeviceId id : machine.of_kind(DeviceKind::gpu))
    if (machine[id].name &&
        std::find(run.devices.begin(), run.devices.end(), *machine[id].name) != run.devices.end())
      return true;
  const auto gpus = machine.of_kind(DeviceKind::gpu);
  return std::none_of(gpus.begin(), gpus.end(),
                      [&](DeviceId id) { return machine[id].name.known(); });
}

bool says_nvlink(const Patient& patient) {
  return has(patient, Need::nvlink_state) || has(patient, Need::gpu_matrix);
}

std::optional<Fabric> wider(const std::optional<Fabric>& a, const std::optional<Fabric>& b) {
  if (!a || !b) return a ? a : b;
  return b->gpu_gbps > a->gpu_gbps * 1.001 ? b : a;
}

std::optional<Fabric> known(const Reading<Fabric>& reading) {
  return reading ? std::optional(*reading) : std::nullopt;
}

struct Fabrics {
  std::optional<Fabric> found;
  std::optional<Fabric> nominal;
  std::string basis;
  std::string why;  // there is none
};

Fabrics fabrics_of(const Patient& patient, const BenchmarkRun& run, const Job& job,
                   const GpuBoard* board) {
  Fabrics out;
  const Machine& machine = patient.machine;
  const bool seen = !machine.of_kind(DeviceKind::gpu).empty() && same_gpus(machine, run);
  if (seen) {
    const auto found = nccl_cost::fabric_of(machine, RateKind::as_found, job);
    out.found = known(found);
    out.nominal = known(nccl_cost::fabric_of(machine, RateKind::nominal, job));
    out.why = found.why();
    if (out.found && !out.found->nvlink && !says_nvlink(patient)) out.found.reset();
    if (out.found) out.basis = "the machine as it was seen";
  }
  if (patient.reference != nullptr)
    out.nominal =
        wider(known(nccl_cost::fabric_of(*patient.reference, RateKind::nominal, job)), out.nominal);
  if (board != nullptr) {
    const auto sold = nccl_cost::fabric_of(*board, job);
    // A board's name does not say how many of its links lead to two or four peers.
    const bool whole = job.gpus_per_node > 4 || !out.nominal;
    if (whole) out.nominal = wider(out.nominal, known(sold));
    if (!sold && !out.found) out.why = sold.why();
  }
  if (!out.found && out.nominal) {
    out.found = out.nominal;
    out.basis = board != nullptr ? board->name + " as sold" : "the machine as sold";
  }
  return out;
}

std::string size_name(const nccl_cost::SizeVerdict& size) {
  return fmt::format("{}{}", text_of_bytes(size.row->size_bytes),
                     size.row->in_place ? " in place" : "");
}

void judge_run(const Patient& patient, const BenchmarkRun& run, const Measured& what, Runs& out) {
  const std::string subject = subject_of(patient, run);
  const GpuBoard* board = board_of(patient, run);
  const Job job = job_of(patient, run, what.ranks);
  const Fabrics fabrics = fabrics_of(patient, run, job, board);
  if (!fabrics.found) {
    out.unjudged.push_back(
        {subject, fabrics.why.empty() ? "the machine it ran on (its GPUs and links)" : fabrics.why,
         "railgauge record on that machine, or the whole output with its list of devices"});
    return;
  }
  JudgedRun judged;
  judged.run = &run;
  judged.subject = subject;
  judged.what = what;
  judged.found = *fabrics.found;
  judged.nominal = fabrics.nominal;
  judged.basis = fabrics.basis;
  judged.sizes = nccl_cost::verdicts(run, what, judged.found, judged.nominal);
  judged.expects_nvlink = judged.found.nvlink || (judged.nominal && judged.nominal->nvlink);
  if (board != nullptr)
    if (const auto speed = PcieSpeed::of_generation(board->pcie_generation))
      judged.pcie_gbps = nccl::pcie_gbps(*speed, board->pcie_width).value_or(0);
  if (judged.sizes.empty()) return;
  out.judged.push_back(std::move(judged));
  JudgedRun& kept = out.judged.back();
  kept.best = nccl_cost::best(kept.sizes);
}

}  // namespace

std::string subject_of(const Patient& patient, const BenchmarkRun& run) {
  std::string out = run.name.empty() ? std::string(text(run.tool)) : run.name;
  if (run.ranks) out += fmt::format(" of {} GPU{}", *run.ranks, *run.ranks == 1 ? "" : "s");
  return fmt::format("{} ({})", out, patient.machine.sources.name(run.source));
}

bool communicates_nothing(const BenchmarkRun& run) {
  if (run.tool != BenchmarkTool::nccl_tests || run.rows.empty()) return false;
  if (run.ranks && *run.ranks > 1) return false;
  const bool moves = std::any_of(run.rows.begin(), run.rows.end(), [](const BenchmarkRow& row) {
    return row.busbw && row.busbw->value > 0;
  });
  const bool works = std::any_of(run.rows.begin(), run.rows.end(), [](const BenchmarkRow& row) {
    return row.algbw && row.algbw->value > 0;
  });
  return run.ranks == 1 ? !moves : !moves && works;
}

Runs judged_runs(const Patient& patient) {
  Runs out;
  // References into the vector are handed out only after it is whole.
  out.judged.reserve(patient.machine.benchmarks.size());
  for (const BenchmarkRun& run : patient.machine.benchmarks) {
    if (run.tool != BenchmarkTool::nccl_tests || communicates_nothing(run)) continue;
    const auto what = nccl_cost::measured_collective(run);
    if (what && what->ranks > 1) {
      judge_run(patient, run, *what, out);
    } else if (!what) {
      out.unjudged.push_back({subject_of(patient, run), "which program ran on how many ranks",
                              "the whole output, with the lines that begin with #"});
    }
  }
  return out;
}

double measured_gbps(const JudgedRun& run) { return run.best->row->busbw->value / 1e9; }
double of_found(const JudgedRun& run) { return run.best->of_found; }
double of_expected(const JudgedRun& run) {
  return std::min(of_found(run), run.best->of_nominal.value_or(of_found(run)));
}

double tolerance(const JudgedRun& run) {
  if (run.what.collective == nccl_cost::Collective::all_to_all ||
      run.what.collective == nccl_cost::Collective::send_receive || !run.expects_nvlink)
    return 0.5;
  return run.found.nodes > 1 ? 0.7 : 0.75;
}

bool too_slow(const JudgedRun& run) {
  return run.best != nullptr && of_expected(run) < tolerance(run);
}

std::optional<bool> gpudirect_seen(const Patient& patient) {
  bool network = false;
  for (const NcclRun& log : patient.machine.nccl_runs)
    for (const NcclConnection& connection : log.connections) {
      if (!connection.via.starts_with("NET/")) continue;
      if (contains(connection.via, "GDRDMA")) return true;
      network = true;
    }
  return network ? std::optional(false) : std::nullopt;
}

std::vector<Evidence> table(const Patient& patient, const JudgedRun& run) {
  std::vector<Evidence> out;
  // The largest sizes, which say most.
  std::vector<const nccl_cost::SizeVerdict*> shown;
  for (const auto& size : run.sizes)
    if (!size.row->in_place) shown.push_back(&size);
  if (shown.empty())
    for (const auto& size : run.sizes) shown.push_back(&size);
  const std::size_t from = shown.size() > most_table_rows ? shown.size() - most_table_rows : 0;
  for (std::size_t i = from; i < shown.size(); ++i) {
    const auto& size = *shown[i];
    std::string expected = fmt::format("{} busbw ({}/{}), {:.0f} %", text(size.found.busbw),
                                       nccl_cost::text(size.found.algorithm),
                                       nccl_cost::text(size.found.protocol), 100 * size.of_found);
    if (size.nominal && size.nominal->busbw.value > size.found.busbw.value * 1.01)
      expected += fmt::format("; as sold {}, {:.0f} %", text(size.nominal->busbw),
                              100 * size.of_nominal.value_or(0));
    if (!size.bandwidth_bound()) expected += "; mostly latency";
    out.push_back(evidence(patient.machine, size_name(size), text(*size.row->busbw), expected,
                           size.row->source));
  }
  return out;
}

}  // namespace railgauge::judge::bandwidth
