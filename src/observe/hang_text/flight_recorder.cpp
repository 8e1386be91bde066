#include "observe/hang_text/flight_recorder.h"

#include <fmt/format.h>

#include "base/characters.h"
#include "base/strings.h"
#include "observe/hang_text/flight_entries.h"
#include "observe/hang_text/json_tree.h"
#include "observe/hang_text/pickle.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using namespace model;
using Id = ValueTree::Id;

constexpr std::size_t most_groups = 100'000;
constexpr std::size_t most_members = 4u << 20;  // of all groups together

bool looks_like_json(std::string_view bytes) {
  if (!trim(bytes.substr(0, 4096)).starts_with('{')) return false;
  return contains(bytes, "\"pg_config\"") ||
         (contains(bytes, "\"entries\"") && contains(bytes, "\"profiling_name\""));
}

// "[0, 1, 2]", or a list of numbers.
std::vector<int> ranks_of(const ValueTree& tree, Id info, std::size_t& budget) {
  std::vector<int> out;
  const auto add = [&](std::optional<std::int64_t> rank) {
    if (rank && *rank >= 0 && *rank < (1 << 24) && budget > 0) {
      out.push_back(static_cast<int>(*rank));
      --budget;
    }
  };
  const auto ranks = tree.find(info, "ranks");
  if (!ranks) return out;
  if (const auto text = tree.text(*ranks)) {
    std::string_view inside = trim(*text);
    if (inside.starts_with('[')) inside.remove_prefix(1);
    if (inside.ends_with(']')) inside.remove_suffix(1);
    if (inside.size() > budget * 12) return out;
    for (const std::string_view one : split(inside, ',')) add(parse_int(trim(one)));
  }
  for (const Id one : tree.items(*ranks)) {
    if (budget == 0) break;
    add(tree.integer(one));
  }
  return out;
}

GroupsByName groups_of(const ValueTree& tree, Id root) {
  GroupsByName out;
  std::size_t budget = most_members;
  const auto config = tree.items(root, "pg_config");
  for (std::size_t i = 0; i + 1 < config.size() && out.size() < most_groups; i += 2) {
    const std::string name(tree.text(config[i]).value_or(""));
    GroupOfRanks& group = out[valid_utf8(name.substr(0, 120))];
    group.name = valid_utf8(name.substr(0, 120));
    const auto description = tree.text(config[i + 1], "desc").value_or("");
    if (description != "undefined") group.description = valid_utf8(description.substr(0, 120));
    group.ranks = ranks_of(tree, config[i + 1], budget);
    if (!group.ranks.empty()) group.size = static_cast<int>(group.ranks.size());
  }
  return out;
}

Result<ValueTree> tree_of(const Input& input) {
  if (looks_like_pickle(input.bytes)) return read_pickle(input.name, input.bytes);
  const auto objects = json_objects(input.bytes);
  if (objects.empty())
    return fail(ErrorKind::input, input.name + " is neither a pickle nor a JSON object");
  return read_json_tree(input.name, objects.front());
}

std::optional<int> small(std::optional<std::int64_t> number) {
  if (!number || *number < 0 || *number > (1 << 24)) return std::nullopt;
  return static_cast<int>(*number);
}

// Entries lie under "entries"; in the oldest version the dump is the list itself.
Result<std::vector<Id>> entries_of(const ValueTree& tree, const std::string& name) {
  const Id root = tree.root();
  if (tree.kind(root) == ValueTree::Kind::list) {
    const auto all = tree.items(root);
    if (!all.empty() && tree.find(all[0], "profiling_name"))
      return std::vector<Id>(all.begin(), all.end());
  }
  const bool known =
      tree.find(root, "entries") || tree.find(root, "pg_config") || tree.find(root, "pg_status");
  if (!known)
    return fail(ErrorKind::input,
                name + " is no dump of the flight recorder: it has no \"entries\"");
  const auto all = tree.items(root, "entries");
  return std::vector<Id>(all.begin(), all.end());
}

void remark_left_out(Machine& machine, const FlightEntries& entries, SourceRef here) {
  if (entries.not_understood() > 0)
    machine.remark(RemarkLevel::warning,
                   fmt::format("{} entries of the flight recorder have no profiling_name: left out",
                               entries.not_understood()),
                   here);
  if (entries.left_out() > 0)
    machine.remark(RemarkLevel::warning,
                   fmt::format("the last {} entries of the flight recorder are left out: there are "
                               "more than we hold",
                               entries.left_out()),
                   here);
}

}  // namespace

std::optional<int> rank_of_file_name(std::string_view name) {
  name = name.substr(name.find_last_of("/!") + 1);
  const std::string small_letters = lower(name);
  const auto digits_from = [&](std::size_t at) -> std::optional<int> {
    const std::size_t length = digits_at(name, at);
    return length == 0 || length > 7 ? std::nullopt : small(parse_int(name.substr(at, length)));
  };
  if (const auto word = small_letters.rfind("rank"); word != std::string::npos) {
    std::size_t at = word + 4;
    while (at < name.size() && contains("_-.=", name.substr(at, 1))) ++at;
    if (const auto rank = digits_from(at)) return rank;
  }
  // The last number before the endings: "trace_7.pkl.json".
  std::string_view stem = name;
  for (const std::string_view ending : {".json", ".txt", ".pickle", ".pkl", ".dump", ".log"})
    if (stem.ends_with(ending)) stem.remove_suffix(ending.size());
  std::size_t at = stem.size();
  while (at > 0 && is_digit(stem[at - 1])) --at;
  return at == stem.size() ? std::nullopt : digits_from(at);
}

bool looks_like_flight_recorder(std::string_view bytes) {
  return looks_like_pickle(bytes) || looks_like_json(bytes);
}

Result<Machine> read_flight_recorder(const Input& input) {
  auto tree = tree_of(input);
  if (!tree) return tl::unexpected(std::move(tree.error()));
  const auto list = entries_of(*tree, input.name);
  if (!list) return tl::unexpected(list.error());
  Machine machine;
  const SourceRef here = machine.sources.add(input.name, Trust::tool);
  HangDump dump{.kind = "flight recorder", .source = here};
  GroupsByName groups = groups_of(*tree, tree->root());
  HangRank rank;
  rank.source = here;
  rank.rank = small(tree->integer(tree->root(), "rank"));
  if (!rank.rank) rank.rank = rank_of_file_name(input.name);
  for (const std::string_view key : {"host_name", "hostname"})
    if (const auto host = tree->text(tree->root(), key))
      rank.host = valid_utf8(host->substr(0, 120));
  FlightEntries entries(*tree, groups, here);
  entries.take(*list, rank);
  if (const auto status = tree->find(tree->root(), "pg_status")) entries.take_status(*status, rank);
  remark_left_out(machine, entries, here);
  if (!rank.rank)
    machine.remark(RemarkLevel::warning,
                   "of which rank this dump is cannot be told: neither the file's name nor the "
                   "dump gives a number; name it nccl_trace_rank_N",
                   here);
  for (auto& [name, group] : groups) dump.groups.push_back(std::move(group));
  dump.ranks.push_back(std::move(rank));
  machine.hangs.push_back(std::move(dump));
  return machine;
}

}  // namespace railgauge::observe
