// NCC103: the ranks of a group entered one operation with sizes or types that do not fit together.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/hang_rules.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

using Shapes = std::vector<std::vector<std::uint64_t>>;

std::uint64_t elements(const std::vector<std::uint64_t>& shape) {
  std::uint64_t out = 1;
  for (const std::uint64_t size : shape) {
    if (size != 0 && out > UINT64_MAX / size) return UINT64_MAX;
    out *= size;
  }
  return out;
}

std::uint64_t elements(const Shapes& shapes) {
  std::uint64_t out = 0;
  for (const auto& shape : shapes) out += elements(shape);
  return out;
}

// What must be equal on all ranks; nothing where the operation leaves it to each rank.
std::optional<std::uint64_t> common_count(const CollectiveCall& call) {
  const std::string& operation = call.operation;
  const bool by_output = operation == "reduce_scatter" || operation == "scatter";
  const Shapes& shapes = by_output ? call.output_sizes : call.input_sizes;
  // A list of tensors may be uneven on purpose (all_gather with sizes of its own for each rank).
  const Shapes& many = by_output ? call.input_sizes : call.output_sizes;
  const bool listed =
      many.size() > 1 && (operation == "all_gather" || operation == "reduce_scatter");
  if (listed && std::any_of(many.begin(), many.end(), [&](const auto& shape) {
        return elements(shape) != elements(many.front());
      }))
    return std::nullopt;
  if (operation == "all_reduce" || operation == "broadcast" || operation == "reduce" ||
      operation == "all_gather" || operation == "reduce_scatter" || operation == "gather" ||
      operation == "scatter")
    return shapes.empty() ? std::nullopt : std::optional(elements(shapes));
  return std::nullopt;
}

struct Row {
  int rank = 0;
  const CollectiveCall* call = nullptr;
  std::string value;  // "4096 elements", "float32"
};

// Only where one call stands at that number on each rank, and all name the same operation.
std::vector<Row> rows_of(const JobGroup& group, std::uint64_t sequence) {
  std::vector<Row> out;
  for (const auto& [rank, member] : group.members) {
    std::size_t here = 0;
    for (auto it = std::lower_bound(member.calls.begin(), member.calls.end(), sequence,
                                    [](const auto*call, std::uint64_t wanted) {
                                      return call->sequence.value_or(0) < wanted;
                                    });
         it != member.calls.end() && (*it)->sequence == sequence; ++it)
      ++here;
    if (here > 1) return {};
    if (here == 1) out.push_back({rank, member.at(sequence), {}});
  }
  for (const Row& row : out)
    if (row.call->operation != out.front().call->operation) return {};
  return out;
}

bool differ(const std::vector<Row>& rows) {
  return std::any_of(rows.begin(), rows.end(),
                     [&](const Row& row) { return row.value != rows.front().value; });
}

void report(const Machine& machine, const Job& job, const JobGroup& group,
            const std::vector<Row>& rows, Verdicts& out) {
  std::map<std::string, std::vector<int>> by_value;
  for (const Row& row : rows) by_value[row.value].push_back(row.rank);
  const auto odd = std::min_element(
      by_value.begin(), by_value.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const auto most = std::max_element(
      by_value.begin(), by_value.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  const CollectiveCall& call = *rows.front().call;
  std::string text;
  for (const auto& [value, ranks] : by_value)
    if (text.size() < 300)
      text += fmt::format("{}{} on {}", text.empty() ? "" : ", ", value, ranks_words(ranks));
  Finding& finding =
      out.fail(odd->second.size() == 1 ? job.text(odd->second[0]) : ranks_words(odd->second),
               fmt::format("{} of {} was entered with different data: {}", call_text(call),
                           group.text(), text));
  for (const Row& row : rows)
    if (row.value == odd->first && finding.evidence.size() < 8)
      finding.evidence.push_back(evidence(
          machine,
          fmt::format("rank {}{}", row.rank,
                      row.call->where.empty() ? "" : " at " + row.call->where),
          row.value, most == odd ? "the same on all ranks" : most->first, row.call->source));
  finding.impact.text = "the operation waits for data that never comes, or mixes up what comes";
  finding.impact.lost_fraction = 1;
  finding.remedy = {
      {.text = "give all ranks tensors of the same size and type: pad the last batch, "
               "drop it (DataLoader(drop_last=True)), or exchange sizes before"},
      {.text = "check it at run time, in a small run",
       .command = "export TORCH_DISTRIBUTED_DEBUG=DETAIL"}};
}

void compare_counts(const Machine& machine, const Job& job, const JobGroup& group,
                    std::vector<Row> rows, Verdicts& out, bool& failed) {
  std::erase_if(rows, [](const Row& row) { return !common_count(*row.call); });
  for (Row& row : rows) row.value = fmt::format("{} elements", *common_count(*row.call));
  if (!differ(rows)) return;
  report(machine, job, group, rows, out);
  failed = true;
}

void compare_types(const Machine& machine, const Job& job, const JobGroup& group,
                   std::vector<Row> rows, Verdicts& out, bool& failed) {
  std::erase_if(rows, [](const Row& row) { return row.call->type.empty(); });
  // Ranks that are not the root of these give tensors that nobody looks at.
  if (!rows.empty() &&
      (rows[0].call->operation == "scatter" || rows[0].call->operation == "gather"))
    return;
  for (Row& row : rows) row.value = row.call->type;
  if (!differ(rows)) return;
  report(machine, job, group, rows, out);
  failed = true;
}

// Each rank of an all_to_all sends what it likes, but all that is sent must be received.
void compare_exchange(const Machine& machine, const JobGroup& group, const std::vector<Row>& rows,
                      Verdicts& out) {
  if (rows.empty() || rows[0].call->operation != "all_to_all") return;
  if (group.ranks.empty() || rows.size() != group.ranks.size()) return;
  std::uint64_t sent = 0;
  std::uint64_t received = 0;
  for (const Row& row : rows) {
    sent += elements(row.call->input_sizes);
    received += elements(row.call->output_sizes);
  }
  if (sent == received) return;
  const CollectiveCall& call = *rows.front().call;
  Finding& finding = out.fail(
      group.text(), fmt::format("{} of {} sends {} elements and wants {}: the splits of the ranks "
                                "do not fit",
                                call_text(call), group.text(), sent, received));
  finding.evidence = {evidence(machine, "elements of all ranks together", fmt::format("{}", sent),
                               fmt::format("{}", received), call.source)};
  finding.impact.text = "a rank waits for data that nobody sends";
  finding.impact.lost_fraction = 1;
  finding.remedy = {{.text =
                         "exchange the split sizes before the data: what rank a sends to rank b "
                         "must be what b expects of a"}};
}

// A pair of a send and a receive that are both open.
void compare_pair(const Machine& machine, const Job& job, const Stall& stall, Verdicts& out) {
  if (stall.waiting.size() != 2) return;
  const CollectiveCall& receive = *stall.call;
  const auto found = job.ranks.find(stall.waiting[1]);
  if (found == job.ranks.end()) return;
  const CollectiveCall* send = nullptr;
  for (const CollectiveCall* call : found->second.point_to_point)
    if (send == nullptr && call->operation == "send" && call->peer == stall.waiting[0] &&
        call->group == receive.group && call->state != CollectiveCall::State::completed)
      send = call;
  if (send == nullptr || send->input_sizes.empty() || receive.output_sizes.empty()) return;
  const std::uint64_t sent = elements(send->input_sizes);
  const std::uint64_t wanted = elements(receive.output_sizes);
  if (sent == wanted) return;
  Finding& finding = out.fail(fmt::format("ranks {} and {}", stall.waiting[1], stall.waiting[0]),
                              fmt::format("rank {} sends {} elements, rank {} wants {}",
                                          stall.waiting[1], sent, stall.waiting[0], wanted));
  finding.evidence = {evidence(machine, "send" + (send->where.empty() ? "" : " at " + send->where),
                               fmt::format("{} elements", sent), fmt::format("{}", wanted),
                               send->source)};
  finding.impact.text = "the receiver waits for data that never comes";
  finding.impact.lost_fraction = 1;
  finding.remedy = {{.text = "send and receive the same number of elements"}};
}

}  // namespace

void sizes_differ(const Patient& patient, Verdicts& out) {
  const Job job = job_of(patient.machine);
  if (job.groups.empty()) return;
  out.pass();
  for (const Stall& stall : stalls(job)) {
    if (stall.point_to_point) {
      compare_pair(patient.machine, job, stall, out);
      continue;
    }
    if (!stall.call->sequence) continue;
    const JobGroup& group = job.groups[stall.group];
    const auto rows = rows_of(group, *stall.call->sequence);
    bool failed = false;
    compare_counts(patient.machine, job, group, rows, out, failed);
    if (!failed) compare_types(patient.machine, job, group, rows, out, failed);
    if (!failed) compare_exchange(patient.machine, group, rows, out);
  }
}

}  // namespace railgauge::judge::hang
