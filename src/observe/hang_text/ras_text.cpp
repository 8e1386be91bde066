// RAS answers as text:
//   Communicators... (0.00s)
//   Group     Comms     Nodes     Ranks     Ranks     Ranks    Status  Errors
//       #  in group  per comm  per node  per comm  in group
//       0         1         4         8        32        32   RUNNING  MISMATCH
//   DEAD
//     1 job process is considered dead (unreachable via the RAS network)
//     Process 3487984 on node 172.16.64.213 managing GPU 5
//   #0-0 (cf264af53edbe986) MISMATCH
//     Communicator ranks have different AllReduce operation counts
//     26 ranks have launched up to operation 6650
//     Rank 21 has launched up to operation 6649 -- GPU 5 managed by process 3487984 on node 172.…
#include <fmt/format.h>

#include "base/strings.h"
#include "observe/hang_text/ras_parts.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using namespace model;

constexpr std::size_t most_processes = 20'000;
constexpr std::size_t most_counts = 100'000;
constexpr std::size_t most_dumps = 64;

class Answer {
 public:
  Answer(Machine& machine, SourceRef source) : machine_(machine), source_(source) {}

  void line(std::string_view raw, std::uint32_t number) {
    here_ = source_.at_line(number);
    const std::string_view text = trim(raw);
    if (text.starts_with("Communicators...")) return begin();
    if (const auto event = after(text, "] PEER_DEAD: ")) return process(*event, ras_dead);
    if (machine_.hangs.empty()) return;
    if (table(text) || section(text) || communicator(text)) return;
    if (text.starts_with("Process ") && contains(text, " on node "))
      return process(text, section_ == Section::dead ? ras_dead : ras_missing);
    statement(text);
  }

 private:
  enum class Section : std::uint8_t { none, incomplete, dead };

  HangDump& dump() { return machine_.hangs.back(); }

  void begin() {
    if (machine_.hangs.size() >= most_dumps) return;
    HangDump next{.kind = std::string(ras_dump_kind), .source = here_};
    machine_.hangs.push_back(std::move(next));
    section_ = Section::none;
    group_.clear();
    operation_.clear();
    sizes_.clear();
  }

  // "0         1         4         8        32        32   RUNNING  MISMATCH"
  bool table(std::string_view text) {
    const auto fields = split_blank(text.substr(0, 300));
    if (fields.size() < 8) return false;
    const auto number = parse_int(fields[0]);
    const auto size = parse_int(fields[4]);
    const auto in_group = parse_int(fields[5]);
    if (!number || !size || !in_group || *size < 0 || *size > (1 << 24)) return false;
    sizes_.emplace_back(fmt::format("#{}-", *number), static_cast<int>(*size));
    auto& expected = dump().ranks_expected;
    const int ranks = static_cast<int>(std::min<std::int64_t>(std::max(*in_group, *size), 1 << 24));
    if (!expected || *expected < ranks) expected = ranks;
    return true;
  }

  bool section(std::string_view text) {
    if (text == "INCOMPLETE")
      section_ = Section::incomplete;
    else if (text == "DEAD")
      section_ = Section::dead;
    else if (text == "Errors" || text == "Warnings" || text == "TIMEOUT")
      section_ = Section::none;
    else
      return false;
    group_.clear();
    operation_.clear();
    return true;
  }

  // "#0-0 (cf264af53edbe986) INCOMPLETE"
  bool communicator(std::string_view text) {
    if (!text.starts_with('#')) return false;
    const auto hash = after(text, " (");
    if (!hash || !contains(*hash, ")")) return false;
    group_ = valid_utf8(until(*hash, ")").substr(0, 60));
    section_ = Section::none;
    operation_.clear();
    const std::string_view label = until(text, " ");
    for (const GroupOfRanks& group : dump().groups)
      if (group.name == group_) return true;
    if (dump().groups.size() >= most_processes) return true;
    GroupOfRanks group{.name = group_, .description = valid_utf8(label.substr(0, 40))};
    for (const auto& [start, size] : sizes_)
      if (label.starts_with(start)) group.size = size;
    dump().groups.push_back(std::move(group));
    return true;
  }

  void process(std::string_view text, std::string_view words) {
    if (machine_.hangs.empty()) {
      here_.line = here_.line == 0 ? 1 : here_.line;
      machine_.hangs.push_back({.kind = std::string(ras_dump_kind), .source = here_});
    }
    const auto id = after(text, "rocess ");
    const auto host = after(text, " on node ");
    if (!id || !host || dump().ranks.size() >= most_processes) return;
    HangRank& rank = ras_process(dump(), leading_int(*id), until(*host, " "));
    add_statement(rank, words);
    rank.source = here_;
  }

  // Below a communicator.
  void statement(std::string_view text) {
    if (group_.empty()) return;
    if (const auto kind = after(text, "Communicator ranks have different ")) {
      operation_ = contains(*kind, " operation counts") ? until(*kind, " ") : std::string_view();
      return;
    }
    if (text.starts_with("Rank ")) return named_rank(text);
    if (operation_.empty()) return;
    const auto ranks = leading_int(text);
    if (!ranks || !contains(text, "ranks have ")) return;
    count(*ranks, launched_in(text));
  }

  // "have launched up to operation 6650", "has not launched any operations"
  static std::optional<std::uint64_t> launched_in(std::string_view text) {
    if (contains(text, "not launched any operations")) return 0;
    const auto number = after(text, "launched up to operation ");
    return number ? leading_number(*number) : std::nullopt;
  }

  void count(int ranks, std::optional<std::uint64_t> launched) {
    if (!launched || dump().launch_counts.size() >= most_counts) return;
    dump().launch_counts.push_back({.group = group_,
                                    .operation = operation_,
                                    .launched = *launched,
                                    .ranks = ranks,
                                    .source = here_});
  }

  // "Rank 21 has launched up to operation 6649 -- GPU 5 managed by process 3487984 on node 172.…"
  void named_rank(std::string_view text) {
    const auto number = leading_int(text.substr(5));
    if (!number) return;
    if (!operation_.empty()) {
      if (const auto launched = launched_in(text)) count(1, launched);
      auto& counts = dump().launch_counts;
      if (!counts.empty() && counts.back().group == group_ && counts.back().operation == operation_)
        counts.back().named.push_back(*number);
    }
    const auto id = after(text, "managed by process ");
    const auto host = after(text, " on node ");
    if (!id || !host || dump().ranks.size() >= most_processes) return;
    HangRank& rank = ras_process(dump(), leading_int(*id), until(*host, " "));
    if (!rank.rank) rank.rank = *number;
    if (rank.source.index == 0) rank.source = here_;
  }

  Machine& machine_;
  SourceRef source_;
  SourceRef here_;
  Section section_ = Section::none;
  std::string group_;                               // the communicator of the lines at hand
  std::string operation_;                           // whose counts follow; empty: none do
  std::vector<std::pair<std::string, int>> sizes_;  // "#0-" -> 32
};

}  // namespace

bool looks_like_ras_text(std::string_view bytes) {
  return (contains(bytes, "Communicators...") && contains(bytes, "per comm")) ||
         contains(bytes, "] PEER_DEAD: Process ");
}

void read_ras_text(std::string_view bytes, SourceRef source, Machine& machine) {
  Answer answer(machine, source);
  for (LineCursor lines(bytes); lines.next();) answer.line(lines.line(), lines.number());
}

}  // namespace railgauge::observe
