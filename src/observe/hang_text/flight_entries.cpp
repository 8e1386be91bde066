#include "observe/hang_text/flight_entries.h"

#include <algorithm>
#include <tuple>

#include "base/strings.h"
#include "observe/hang_text/operation_name.h"
#include "observe/hang_text/user_frame.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using namespace model;
using Id = ValueTree::Id;

constexpr std::size_t most_calls = 200'000;           // PyTorch keeps 2,000 by default
constexpr std::size_t most_frames = 100;              // of one call
constexpr std::size_t most_shape_numbers = 4u << 20;  // of all calls together

std::optional<double> seconds(std::optional<std::int64_t> nanoseconds) {
  if (!nanoseconds || *nanoseconds <= 0) return std::nullopt;  // JSON writes 0 for "not yet"
  return static_cast<double>(*nanoseconds) / 1e9;
}

std::optional<std::uint64_t> count(std::optional<std::int64_t> value) {
  if (!value || *value < 0) return std::nullopt;
  return static_cast<std::uint64_t>(*value);
}

std::string word(std::optional<std::string_view> text) {
  return text ? valid_utf8(strip_terminal_codes(text->substr(0, 120))) : std::string();
}

// "nccl:send 0->1", "nccl:recv 1<-0": the other end, as a rank of the group.
std::optional<int> peer_of(std::string_view rest, bool send) {
  const auto other = after(rest, send ? "->" : "<-");
  return other ? leading_int(*other) : std::nullopt;
}

// Calls inside a coalesced launch have no events of their own and stay "scheduled" for ever: what
// the launch as a whole says holds for them.
void settle_coalesced(std::vector<CollectiveCall>& calls) {
  std::map<std::tuple<std::string, bool, std::uint64_t>, const CollectiveCall*> launches;
  for (const CollectiveCall& call : calls)
    if (call.operation.ends_with("coalesced") && call.sequence)
      launches[{call.group, call.point_to_point, *call.sequence}] = &call;
  if (launches.empty()) return;
  for (CollectiveCall& call : calls) {
    if (!call.sequence || call.state != CollectiveCall::State::scheduled) continue;
    const auto found = launches.find({call.group, call.point_to_point, *call.sequence});
    if (found == launches.end() || found->second == &call) continue;
    call.state = found->second->state;
    call.state_word = found->second->state_word;
    call.timed_out = found->second->timed_out;
    call.started_seconds = found->second->started_seconds;
    call.completed_seconds = found->second->completed_seconds;
  }
}

}  // namespace

std::string FlightEntries::group_of(Id entry) {
  std::string name;
  std::string description;
  const auto pair = tree_.items(entry, "process_group");
  if (!pair.empty()) name = word(tree_.text(pair[0]));
  if (pair.size() > 1) description = word(tree_.text(pair[1]));
  const auto number = tree_.integer(entry, "pg_id");
  if (pair.empty() && number) name = std::to_string(*number);  // version 1
  GroupOfRanks& group = groups_[name];
  group.name = name;
  if (group.description.empty() && description != "undefined") group.description = description;
  if (number) group_numbers_[*number] = name;
  return name;
}

void FlightEntries::name(Id entry, CollectiveCall& call) const {
  const std::string_view profiling = tree_.text(entry, "profiling_name").value_or("");
  const std::string_view first = until(profiling, " ");
  call.operation = operation_name(first);
  const auto p2p = tree_.find(entry, "is_p2p");
  const bool send = call.operation == "send";
  const bool named_p2p = send || call.operation == "recv";
  call.point_to_point = p2p ? tree_.truth(*p2p).value_or(false) : named_p2p;
  call.sequence =
      count(tree_.integer(entry, call.point_to_point ? "p2p_seq_id" : "collective_seq_id"));
  if (!call.sequence) call.sequence = count(tree_.integer(entry, "seq_id"));  // version 1
  if (!named_p2p) return;
  call.peer = peer_of(profiling.substr(first.size()), send);
  const auto group = groups_.find(call.group);
  if (!call.peer || group == groups_.end()) return;
  const auto& ranks = group->second.ranks;
  if (*call.peer >= 0 && static_cast<std::size_t>(*call.peer) < ranks.size())
    call.peer = ranks[static_cast<std::size_t>(*call.peer)];
}

std::string FlightEntries::where(Id entry) const {
  std::vector<CodeFrame> frames;
  for (const Id frame : tree_.items(entry, "frames")) {
    if (frames.size() >= most_frames) break;
    frames.push_back({tree_.text(frame, "name").value_or(""),
                      tree_.text(frame, "filename").value_or(""),
                      tree_.integer(frame, "line").value_or(0)});
  }
  return user_frame(frames);
}

std::vector<std::vector<std::uint64_t>> FlightEntries::shapes(Id entry, std::string_view key) {
  std::vector<std::vector<std::uint64_t>> out;
  for (const Id shape : tree_.items(entry, key)) {
    auto& sizes = out.emplace_back();
    for (const Id size : tree_.items(shape)) {
      if (++shape_numbers_ > most_shape_numbers) return {};
      sizes.push_back(count(tree_.integer(size)).value_or(0));
    }
    if (++shape_numbers_ > most_shape_numbers) return {};
  }
  return out;
}

void FlightEntries::state(Id entry, CollectiveCall& call) const {
  using State = CollectiveCall::State;
  call.state_word = word(tree_.text(entry, "state"));
  call.created_seconds = seconds(tree_.integer(entry, "time_created_ns"));
  call.started_seconds = seconds(tree_.integer(entry, "time_discovered_started_ns"));
  call.completed_seconds = seconds(tree_.integer(entry, "time_discovered_completed_ns"));
  if (const auto timeout = tree_.integer(entry, "timeout_ms"); timeout && *timeout > 0)
    call.timeout_seconds = static_cast<double>(*timeout) / 1e3;
  if (call.state_word == "completed" || call.completed_seconds)
    call.state = State::completed;
  else if (call.state_word == "started" || call.started_seconds)
    call.state = State::started;
  const auto retired = tree_.find(entry, "retired");
  call.timed_out =
      call.state != State::completed && retired && tree_.truth(*retired).value_or(false);
}

std::optional<CollectiveCall> FlightEntries::call(Id entry) {
  if (!tree_.text(entry, "profiling_name")) return std::nullopt;
  CollectiveCall out;
  out.group = group_of(entry);
  name(entry, out);
  state(entry, out);
  out.where = where(entry);
  out.input_sizes = shapes(entry, "input_sizes");
  out.output_sizes = shapes(entry, "output_sizes");
  for (const std::string_view key : {"input_dtypes", "output_dtypes"}) {
    const auto types = tree_.items(entry, key);
    if (out.type.empty() && !types.empty()) out.type = word(tree_.text(types[0]));
  }
  out.source = here_;
  return out;
}

void FlightEntries::take(std::span<const Id> entries, HangRank& rank) {
  if (!entries.empty())
    rank.oldest_lost = tree_.integer(entries.front(), "record_id").value_or(0) > 0;
  for (const Id entry : entries) {
    if (rank.calls.size() >= most_calls || shape_numbers_ > most_shape_numbers) {
      ++left_out_;
      continue;
    }
    if (auto one = call(entry))
      rank.calls.push_back(std::move(*one));
    else
      ++not_understood_;
  }
  settle_coalesced(rank.calls);
}

void FlightEntries::take_status(Id status, HangRank& rank) const {
  const auto all = tree_.items(status);
  for (std::size_t i = 0; i + 1 < all.size(); i += 2) {
    const auto number = tree_.integer(all[i]);
    if (!number) continue;
    const auto group = group_numbers_.find(*number);
    if (group == group_numbers_.end()) continue;
    GroupProgress progress;
    progress.group = group->second;
    progress.enqueued = count(tree_.integer(all[i + 1], "last_enqueued_collective"));
    // -1: none yet.
    const auto completed = tree_.integer(all[i + 1], "last_completed_collective");
    if (completed) progress.completed = count(std::max<std::int64_t>(*completed, 0));
    progress.source = here_;
    rank.progress.push_back(std::move(progress));
  }
}

}  // namespace railgauge::observe
