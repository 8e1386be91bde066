#include "observe/hang_text/watchdog.h"

#include <fmt/format.h>

#include <map>
#include <tuple>

#include "base/characters.h"
#include "base/strings.h"
#include "observe/hang_text/operation_name.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using namespace model;

constexpr std::string_view caught = "Watchdog caught collective operation timeout: ";
constexpr std::size_t most_ranks = 100'000;
constexpr std::size_t most_timeouts = 100'000;

// "[PG ID 0 PG GUID 0(default_pg) Rank 1]", "[PG 1 Rank 0]", "[PG GUID 0 Rank 1]"
struct Place {
  std::string group;
  std::string description;
  std::optional<int> rank;  // in the group
};

std::optional<Place> place_of(std::string_view line) {
  const auto start = line.find("[PG ");
  if (start == std::string_view::npos) return std::nullopt;
  const std::string_view inside = until(line.substr(start + 1), "]").substr(0, 300);
  Place out;
  if (const auto rank = after(inside, " Rank ")) out.rank = leading_int(*rank);
  const auto guid = after(inside, "PG GUID ");
  std::string_view name = guid ? *guid : inside.substr(3);
  if (const auto end = name.find(" Rank "); end != std::string_view::npos)
    name = name.substr(0, end);
  if (const auto open = name.find('('); open != std::string_view::npos) {
    out.description = valid_utf8(until(name.substr(open + 1), ")"));
    name = name.substr(0, open);
  }
  if (out.description == "undefined") out.description.clear();
  out.group = valid_utf8(trim(name));
  return out;
}

// The global rank of "[rank118]:", where PyTorch 2.2 and later write it.
std::optional<int> global_rank(std::string_view line) {
  for (auto at = line.find("[rank"); at != std::string_view::npos;
       at = line.find("[rank", at + 5)) {
    const std::size_t digits = digits_at(line, at + 5);
    if (digits > 0 && digits < 8 && line.substr(at + 5 + digits, 1) == "]")
      return leading_int(line.substr(at + 5));
  }
  return std::nullopt;
}

std::optional<std::uint64_t> number_after(std::string_view text, std::string_view key) {
  const auto rest = after(text, key);
  return rest ? leading_number(*rest) : std::nullopt;
}

// -1 is "none yet".
std::optional<std::uint64_t> count_after(std::string_view text, std::string_view key) {
  const auto rest = after(text, key);
  if (!rest) return std::nullopt;
  return trim(*rest).starts_with('-') ? 0 : leading_number(*rest);
}

// "[PG ID 0 PG GUID 0(default_pg) Rank 3] … last enqueued work: 9, last completed work: 4"
bool is_progress(std::string_view line) {
  const auto enqueued = after(line, "ast enqueued ");
  if (!enqueued || !contains(*enqueued, "work: ")) return false;
  const auto place = place_of(line);
  return place && (place->rank || global_rank(line));
}

class Log {
 public:
  explicit Log(const std::string& name) { source_ = machine.sources.add(name, Trust::tool); }

  void line(std::string_view text, std::uint32_t number) {
    here_ = source_.at_line(number);
    if (const auto message = after(text, caught)) return timeout(text, *message);
    if (is_progress(text)) return progress(text);
    if (const auto exit = after(text, "failed (exitcode: ")) return failed(*exit);
    if (const auto rank = global_rank(text)) rank_of(*rank);
  }

  void root_cause(std::string_view text, std::uint32_t number) {
    here_ = source_.at_line(number);
    const std::string_view line_text = trim(text);
    if (line_text.starts_with("rank ") && contains(line_text, "local_rank"))
      if (const auto colon = after(line_text, ":")) cause_rank_ = leading_int(*colon);
    if (!line_text.starts_with("exitcode") || !cause_rank_) return;
    const auto code = after(line_text, ":");
    if (!code) return;
    HangRank& rank = rank_of(*cause_rank_);
    const auto id = after(*code, "pid: ");
    if (id) rank.process_id = leading_int(*id);
    state_exit(rank, *code);
    cause_rank_.reset();
  }

  bool empty() const { return dump_.timeouts.empty() && !told_; }

  Machine finish() {
    for (auto& [number, rank] : ranks_) dump_.ranks.push_back(std::move(rank));
    for (auto& rank : without_number_) dump_.ranks.push_back(std::move(rank));
    for (auto& [name, group] : groups_) dump_.groups.push_back(std::move(group));
    dump_.kind = "watchdog";
    dump_.source = source_;
    machine.hangs.push_back(std::move(dump_));
    return std::move(machine);
  }

  Machine machine;

 private:
  HangRank& rank_of(int number) {
    static constexpr int odd = -1;
    const int key = ranks_.size() < most_ranks || ranks_.contains(number) ? number : odd;
    HangRank& rank = ranks_[key];
    if (!rank.rank) {
      rank.rank = key;
      rank.source = here_;
    }
    return rank;
  }

  void timeout(std::string_view text, std::string_view message) {
    WatchdogTimeout out;
    out.rank = global_rank(text);
    if (!out.rank)
      if (const auto rank = after(text, "[Rank ")) out.rank = leading_int(*rank);
    out.sequence = number_after(message, "SeqNum=");
    if (const auto type = after(message, "OpType="))
      out.operation = operation_name(until(*type, ",)"));
    out.input_count = number_after(message, "NumelIn=");
    out.output_count = number_after(message, "NumelOut=");
    if (const auto ms = number_after(message, "Timeout(ms)="))
      out.timeout_seconds = static_cast<double>(*ms) / 1e3;
    if (const auto ms = number_after(message, " ran for "))
      out.ran_seconds = static_cast<double>(*ms) / 1e3;
    out.source = here_;
    if (out.rank) rank_of(*out.rank);
    const auto key = std::tuple(out.rank.value_or(-1), out.sequence.value_or(0), out.operation);
    if (dump_.timeouts.size() < most_timeouts &&
        said_.try_emplace(key, dump_.timeouts.size()).second) {
      dump_.timeouts.push_back(out);
      last_[out.rank.value_or(-1)] = dump_.timeouts.size() - 1;
    }
    if (contains(text, "[PG ")) attach(text);
  }

  // The group stands in the line that follows the timeout, not in its own.
  void attach(std::string_view text) {
    const auto place = place_of(text);
    if (!place) return;
    auto& group = groups_[place->group];
    group.name = place->group;
    if (group.description.empty()) group.description = place->description;
    const auto rank = global_rank(text) ? global_rank(text) : place->rank;
    const auto timeout = last_.find(rank.value_or(-1));
    if (timeout == last_.end()) return;
    WatchdogTimeout& one = dump_.timeouts[timeout->second];
    auto sequence = number_after(text, "detected by watchdog at work: ");
    if (!sequence) sequence = number_after(text, "at work sequence id: ");
    if (!sequence) sequence = number_after(text, "Timeout at NCCL work: ");
    if (sequence && one.sequence && *sequence != *one.sequence) return;
    if (one.group.empty()) one.group = place->group;
  }

  void progress(std::string_view text) {
    const auto place = place_of(text);
    const auto enqueued = after(text, "ast enqueued ");
    if (!place || !enqueued) return;
    const auto completed = after(*enqueued, "last completed ");
    attach(text);
    const auto rank = global_rank(text) ? global_rank(text) : place->rank;
    if (!rank) return;
    told_ = true;
    GroupProgress out{.group = place->group,
                      .enqueued = count_after(*enqueued, "work: "),
                      .completed = completed ? count_after(*completed, "work: ") : std::nullopt,
                      .source = here_};
    if (const auto timeout = last_.find(*rank); timeout != last_.end()) {
      WatchdogTimeout& one = dump_.timeouts[timeout->second];
      if (one.group == out.group) {
        one.last_enqueued = out.enqueued;
        one.last_completed = out.completed;
      }
    }
    for (GroupProgress& known : rank_of(*rank).progress)
      if (known.group == out.group) {
        known = out;
        return;
      }
    if (rank_of(*rank).progress.size() < 1000) rank_of(*rank).progress.push_back(std::move(out));
  }

  // "failed (exitcode: -9) local_rank: 3 (pid: 1906) of binary: …"
  void failed(std::string_view exit) {
    const auto id = after(exit, "(pid: ");
    if (!id || without_number_.size() >= 1000) return;
    HangRank rank;
    rank.process_id = leading_int(*id);
    rank.source = here_;
    state_exit(rank, exit);
    if (!rank.statements.empty()) without_number_.push_back(std::move(rank));
  }

  // Signals that end a process from outside. 6 is the watchdog's own abort, 15 torchrun's.
  void state_exit(HangRank& rank, std::string_view code) {
    code = trim(code);
    if (!code.starts_with('-')) return;
    const auto signal = leading_int(code.substr(1));
    if (!signal || *signal == 6 || *signal == 15 || *signal == 2 || *signal == 1) return;
    rank.statements.push_back(fmt::format("ended by signal {}", *signal));
    told_ = true;
  }

  SourceRef source_;
  SourceRef here_;
  HangDump dump_;
  bool told_ = false;
  std::map<int, HangRank> ranks_;
  std::vector<HangRank> without_number_;
  std::map<std::string, GroupOfRanks> groups_;
  std::map<std::tuple<int, std::uint64_t, std::string>, std::size_t> said_;
  std::map<int, std::size_t> last_;  // rank -> its last timeout
  std::optional<int> cause_rank_;
};

}  // namespace

bool looks_like_watchdog_log(std::string_view bytes) {
  if (contains(bytes, caught)) return true;
  for (const std::string_view signal : {"failed (exitcode: -9)", "failed (exitcode: -11)",
                                        "failed (exitcode: -7)", "failed (exitcode: -4)"})
    if (contains(bytes, signal) && contains(bytes, "(pid: ")) return true;
  if (!contains(bytes, "ast enqueued ") || !contains(bytes, "[PG ")) return false;
  for (LineCursor lines(bytes); lines.next();)
    if (is_progress(lines.line())) return true;
  return false;
}

Result<Machine> read_watchdog_log(const Input& input) {
  Log log(input.name);
  bool in_root_cause = false;
  for (LineCursor lines(input.bytes); lines.next();) {
    const std::string_view line = lines.line();
    if (contains(line, "Root Cause (first observed failure)")) in_root_cause = true;
    if (in_root_cause && line.starts_with("=====")) in_root_cause = false;
    if (in_root_cause)
      log.root_cause(line, lines.number());
    else
      log.line(line, lines.number());
  }
  if (log.empty())
    return fail(ErrorKind::input,
                input.name +
                    ": nothing of PyTorch's watchdog: expected \"Watchdog caught collective "
                    "operation timeout: WorkNCCL(…)\"");
  return log.finish();
}

}  // namespace railgauge::observe
