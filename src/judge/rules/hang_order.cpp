// NCC102: at one number of a group the ranks are in different operations, or two groups were
// entered in different order.
#include <fmt/format.h>

#include <algorithm>

#include "judge/rules/hang_rules.h"

namespace railgauge::judge::hang {
namespace {

using namespace model;

using ByOperation = std::map<std::string, std::vector<const CollectiveCall*>>;

struct Mismatch {
  std::uint64_t sequence = 0;
  std::map<std::string, std::vector<int>> ranks;  // operation -> who is in it
  std::map<std::string, const CollectiveCall*> example;
};

// The only call of a rank at that number; nothing where several were launched together.
const CollectiveCall* only_call(const Member& member, std::uint64_t sequence) {
  const CollectiveCall* first = member.at(sequence);
  if (first == nullptr || first->operation.ends_with("coalesced") || first->operation.empty())
    return nullptr;
  const auto place = std::find(member.calls.begin(), member.calls.end(), first);
  const auto next = std::next(place);
  return next != member.calls.end() && (*next)->sequence == first->sequence ? nullptr : first;
}

Mismatch at(const JobGroup& group, std::uint64_t sequence) {
  Mismatch out{.sequence = sequence};
  for (const auto& [rank, member] : group.members)
    if (const CollectiveCall* call = only_call(member, sequence)) {
      out.ranks[call->operation].push_back(rank);
      out.example.try_emplace(call->operation, call);
    }
  return out;
}

// From the first operation that did not end on; before it all went well.
std::optional<Mismatch> first_mismatch(const JobGroup& group, std::uint64_t from) {
  std::uint64_t last = from;
  for (const auto& [rank, member] : group.members)
    if (!member.calls.empty()) last = std::max(last, member.calls.back()->sequence.value_or(0));
  last = std::min(last, from + 1000);  // the first one decides; a recorder keeps a few thousand
  for (std::uint64_t sequence = from; sequence <= last; ++sequence) {
    Mismatch one = at(group, sequence);
    if (one.ranks.size() > 1) return one;
  }
  return std::nullopt;
}

void report(const Machine& machine, const Job& job, const JobGroup& group, const Mismatch& mismatch,
            Verdicts& out) {
  const auto fewest = std::min_element(
      mismatch.ranks.begin(), mismatch.ranks.end(),
      [](const auto& a, const auto& b) { return a.second.size() < b.second.size(); });
  std::string text;
  for (const auto& [operation, ranks] : mismatch.ranks) {
    const CollectiveCall& call = *mismatch.example.at(operation);
    text += fmt::format("{}{} in {}{}", text.empty() ? "" : ", ", ranks_words(ranks), operation,
                        call.where.empty() ? "" : " at " + call.where);
  }
  const auto& odd = fewest->second;
  Finding& finding = out.fail(
      odd.size() == 1 ? job.text(odd[0]) : ranks_words(odd),
      fmt::format("operation #{} of {} differs: {}", mismatch.sequence, group.text(), text));
  for (const auto& [operation, ranks] : mismatch.ranks)
    finding.evidence.push_back(evidence(
        machine, fmt::format("operation #{} of {}", mismatch.sequence, ranks_words(ranks)),
        operation, operation == fewest->first ? mismatch.ranks.rbegin()->first : fewest->first,
        mismatch.example.at(operation)->source));
  finding.impact.text = "ranks wait in operations that no other rank joins";
  finding.impact.lost_fraction = 1;
  finding.remedy = {{.text = "find the branch in which these ranks skip or add an operation: a "
                             "condition on the rank, on data or on a loss; all ranks of a group "
                             "must call the same operations in the same order"},
                    {.text = "check it at run time, in a small run",
                     .command = "export TORCH_DISTRIBUTED_DEBUG=DETAIL"}};
}

void report_circle(const Machine& machine, const Job& job, const std::vector<Stall>& all,
                   const std::vector<std::size_t>& circle, Verdicts& out) {
  std::string text;
  std::string subject;
  std::vector<Evidence> lines;
  for (const std::size_t i : circle) {
    const Stall& stall = all[i];
    text +=
        fmt::format("{}{} wait in {} for {}", text.empty() ? "" : "; ", ranks_words(stall.waiting),
                    hang::text(job, stall), ranks_words(stall.late));
    subject += fmt::format("{}{}", subject.empty() ? "" : " and ", job.groups[stall.group].text());
    lines.push_back(evidence(machine, hang::text(job, stall),
                             ranks_words(stall.waiting) + " inside",
                             ranks_words(stall.late) + " too", stall.call->source));
  }
  Finding& finding = out.fail(subject, "operations were entered in different order: " + text);
  finding.evidence = std::move(lines);
  finding.impact.text = "the ranks wait for each other for ever";
  finding.impact.lost_fraction = 1;
  finding.remedy = {{.text = "let all ranks enter operations of different groups, and sends and "
                             "receives, in the same order; put sends and receives that cross into "
                             "one batch_isend_irecv"}};
}

}  // namespace

void calls_differ(const Patient& patient, Verdicts& out) {
  const Job job = job_of(patient.machine);
  if (job.groups.empty()) return;
  out.pass();
  const auto all = stalls(job);
  for (const Stall& stall : all) {
    if (stall.point_to_point || !stall.call->sequence) continue;
    const JobGroup& group = job.groups[stall.group];
    if (const auto mismatch = first_mismatch(group, *stall.call->sequence))
      report(patient.machine, job, group, *mismatch, out);
  }
  if (const auto found = circle(all); !found.empty())
    report_circle(patient.machine, job, all, found, out);
}

}  // namespace railgauge::judge::hang
