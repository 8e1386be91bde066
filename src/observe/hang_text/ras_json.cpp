// RAS answers as JSON: {"communicators": [{"hash": …, "size": 2, "ranks": [{"rank": 0, "host": …,
// "pid": …, "collective_counts": {"AllReduce": 12}}], "missing_ranks": […]}]}, and events of the
// monitor: {"event": "PEER_DEAD", "peer": {"host": …, "pid": …}}.
#include <fmt/format.h>

#include <map>

#include "base/strings.h"
#include "observe/hang_text/json_tree.h"
#include "observe/hang_text/ras_parts.h"

namespace railgauge::observe {
namespace {

using namespace model;
using Id = ValueTree::Id;

constexpr std::size_t most_ranks = 200'000;
constexpr std::size_t most_named = 32;  // ranks of one count that are named: more are no outliers

class Answer {
 public:
  Answer(const ValueTree& tree, HangDump& dump) : tree_(tree), dump_(dump) {}

  void take() {
    for (const Id communicator : tree_.items(tree_.root(), "communicators")) take(communicator);
    if (tree_.text(tree_.root(), "event") == "PEER_DEAD")
      if (const auto peer = tree_.find(tree_.root(), "peer"))
        add_statement(process(*peer), ras_dead);
  }

 private:
  std::optional<int> number(Id object, std::string_view key) const {
    const auto value = tree_.integer(object, key);
    if (!value || *value < 0 || *value > INT32_MAX) return std::nullopt;
    return static_cast<int>(*value);
  }

  HangRank& process(Id object) {
    const auto host = tree_.text(object, "host").value_or("");
    const auto id = number(object, "pid");
    const auto [place, added] =
        places_.try_emplace({std::string(host), id.value_or(-1)}, dump_.ranks.size());
    if (!added) return dump_.ranks[place->second];
    HangRank& rank = dump_.ranks.emplace_back();
    rank.host = valid_utf8(host.substr(0, 120));
    rank.process_id = id;
    rank.source = dump_.source;
    return rank;
  }

  void take(Id communicator) {
    GroupOfRanks group{
        .name = valid_utf8(tree_.text(communicator, "hash").value_or("").substr(0, 60)),
        .size = number(communicator, "size")};
    if (group.size && (!dump_.ranks_expected || *dump_.ranks_expected < *group.size))
      dump_.ranks_expected = *group.size;
    std::map<std::pair<std::string, std::uint64_t>, std::vector<int>> counts;
    for (const Id rank : tree_.items(communicator, "ranks")) {
      if (++taken_ > most_ranks) return;
      const auto in_group = number(rank, "rank");
      HangRank& one = process(rank);
      if (!one.rank) one.rank = in_group;
      if (in_group) take_counts(rank, *in_group, counts);
      take_errors(rank, one);
    }
    for (const auto& [what, ranks] : counts) add_count(group.name, what, ranks);
    for (const Id rank : tree_.items(communicator, "missing_ranks")) {
      if (++taken_ > most_ranks) return;
      take_missing(rank);
    }
    dump_.groups.push_back(std::move(group));
  }

  void take_counts(Id rank, int in_group,
                   std::map<std::pair<std::string, std::uint64_t>, std::vector<int>>& counts) {
    const auto all = tree_.items(rank, "collective_counts");
    for (std::size_t i = 0; i + 1 < std::min<std::size_t>(all.size(), 40); i += 2) {
      const auto launched = tree_.integer(all[i + 1]);
      if (!launched || *launched < 0) continue;
      const std::string kind = valid_utf8(tree_.text(all[i]).value_or("").substr(0, 40));
      counts[{kind, static_cast<std::uint64_t>(*launched)}].push_back(in_group);
    }
  }

  void add_count(const std::string& group, const std::pair<std::string, std::uint64_t>& what,
                 const std::vector<int>& ranks) {
    LaunchCount count{.group = group,
                      .operation = what.first,
                      .launched = what.second,
                      .ranks = static_cast<int>(ranks.size()),
                      .source = dump_.source};
    if (ranks.size() <= most_named) count.named = ranks;
    dump_.launch_counts.push_back(std::move(count));
  }

  // 0 is ncclSuccess, 7 ncclInProgress.
  void take_errors(Id rank, HangRank& one) {
    const auto status = tree_.find(rank, "status");
    if (!status) return;
    for (const std::string_view key : {"init_state", "async_error"})
      if (const auto code = number(*status, key); code && *code != 0 && *code != 7)
        add_statement(one, fmt::format("{} {}", key, *code));
  }

  void take_missing(Id rank) {
    const auto status = tree_.find(rank, "status");
    const auto is = [&](std::string_view key) {
      const auto flag = status ? tree_.find(*status, key) : std::nullopt;
      return flag && tree_.truth(*flag).value_or(false);
    };
    const bool dead = is("considered_dead");
    // A rank that answers and is not a member comes or goes.
    if (!dead && !is("unresponsive")) return;
    HangRank& one = process(rank);
    if (!one.rank) one.rank = number(rank, "rank");
    add_statement(one, dead ? ras_dead : ras_missing);
  }

  const ValueTree& tree_;
  HangDump& dump_;
  std::map<std::pair<std::string, int>, std::size_t> places_;
  std::size_t taken_ = 0;
};

}  // namespace

bool looks_like_ras_json(std::string_view bytes) {
  return (contains(bytes, "\"communicators\"") && contains(bytes, "\"missing_ranks_count\"")) ||
         (contains(bytes, "\"PEER_DEAD\"") && contains(bytes, "\"peer\""));
}

void read_ras_json(std::string_view bytes, const std::string& name, SourceRef source,
                   Machine& machine) {
  for (const std::string_view object : json_objects(bytes)) {
    const auto tree = read_json_tree(name, object);
    if (!tree) {
      machine.remark(RemarkLevel::error, tree.error().text(), source);
      continue;
    }
    const bool status = tree->find(tree->root(), "communicators").has_value();
    const bool event = tree->text(tree->root(), "event") == "PEER_DEAD";
    if (!status && !event) continue;
    HangDump dump{.kind = std::string(ras_dump_kind), .source = source};
    Answer(*tree, dump).take();
    machine.hangs.push_back(std::move(dump));
  }
}

}  // namespace railgauge::observe
