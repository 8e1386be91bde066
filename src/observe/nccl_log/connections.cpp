// Ways between ranks, rings and trees:
//   Channel 00/0 : 0[0] -> 1[1] via P2P/IPC              Channel 00 : 0[1b000] -> 1[1c000] via …
//   Channel 02/0 : 1[1] -> 8[0] [receive] via NET/IB/0/GDRDMA
//   Ring 00 : 0[0] -> 1[1] via P2P/direct pointer        (2.4)
//   Ring 00 : 7 -> 0 -> 1                                Channel 00/08 : 0 1 2 3 4 5 6 7
//   Trees [0] 1/-1/-1->0->-1 [1] -1/-1/-1->0->1
//   Connected all rings, use ring PXN 0 GDR 1
//   24 coll channels, 24 collnet channels, 16 nvls channels, 32 p2p channels, …
#include <algorithm>
#include <array>

#include "base/characters.h"
#include "base/strings.h"
#include "observe/kernel_log/scan.h"
#include "observe/nccl_log/statements.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 6> words{"Channel ", "Ring ",          "Trees [",
                                                "Tree ",    " coll channels", ", use ring PXN "};
constexpr std::size_t ranks_max = 1u << 20;

std::optional<int> rank_at(std::string_view text) {
  text = trim(text);
  const auto value = parse_int(until(text, "[ "));
  if (!value || *value < -1 || *value > static_cast<std::int64_t>(ranks_max)) return std::nullopt;
  return static_cast<int>(*value);
}

bool take_connection(std::string_view said, const NcclLine& line, RunBuilder& run) {
  const auto arrow = said.find("->");
  const auto via = said.find(" via ", arrow);
  const auto from = rank_at(said.substr(0, arrow));
  const std::string_view middle = said.substr(arrow + 2, via - arrow - 2);
  const auto to = rank_at(middle);
  if (!from || !to || *from < 0 || *to < 0) {
    run.cut(line);
    return false;
  }
  Way way{*from, *to, said.substr(via + 5).substr(0, 80)};
  if (contains(middle, "[send]")) way.direction = 's';
  if (contains(middle, "[receive]")) way.direction = 'r';
  run.connection(line, way);
  return true;
}

// "7 -> 0 -> 1" of a ring, "-1 -> 0 -> 1/-1/-1" of a tree of 2.4.
bool take_chain(int channel, std::string_view said, bool tree, RunBuilder& run) {
  const auto first = said.find("->");
  const auto second = first == std::string_view::npos ? first : said.find("->", first + 2);
  if (second == std::string_view::npos) return false;
  const auto previous = rank_at(said.substr(0, first));
  const auto rank = rank_at(said.substr(first + 2, second - first - 2));
  if (!previous || !rank) return false;
  if (!tree) {
    const auto next = rank_at(said.substr(second + 2));
    if (!next) return false;
    run.ring_step({channel, *previous, *rank, *next});
    return true;
  }
  model::NcclTreeStep step{channel, *rank, std::nullopt, {}};
  if (*previous >= 0) step.up = *previous;
  for (const std::string_view word : split(said.substr(second + 2).substr(0, 64), '/'))
    if (const auto down = rank_at(word); down && *down >= 0) step.down.push_back(*down);
  run.tree_step(std::move(step));
  return true;
}

bool take_ring(int channel, std::string_view said, RunBuilder& run) {
  std::vector<int> ranks;
  for (std::size_t at = 0; at < said.size() && ranks.size() < ranks_max;) {
    at = said.find_first_not_of(" \t", at);
    if (at == std::string_view::npos) break;
    const auto end = std::min(said.find_first_of(" \t", at), said.size());
    const auto rank = rank_at(said.substr(at, end - at));
    if (!rank) return false;
    ranks.push_back(*rank);
    at = end;
  }
  if (ranks.empty()) return false;
  run.ring(channel, std::move(ranks));
  return true;
}

// "1/-1/-1->0->-1": down, rank, up. Versions before 2.8 print a second tree after '|'.
bool take_tree(int channel, std::string_view word, RunBuilder& run) {
  word = until(word, "|");
  const auto first = word.find("->");
  const auto second = first == std::string_view::npos ? first : word.find("->", first + 2);
  if (second == std::string_view::npos) return false;
  const auto rank = rank_at(word.substr(first + 2, second - first - 2));
  const auto up = rank_at(word.substr(second + 2));
  if (!rank || !up) return false;
  model::NcclTreeStep step{channel, *rank, std::nullopt, {}};
  if (*up >= 0) step.up = *up;
  for (const std::string_view one : split(word.substr(0, first), '/'))
    if (const auto down = rank_at(one); down && *down >= 0) step.down.push_back(*down);
  run.tree_step(std::move(step));
  return true;
}

bool take_trees(std::string_view said, const NcclLine& line, RunBuilder& run) {
  std::optional<int> channel;
  for (const std::string_view word : split_blank(said.substr(0, 16384))) {
    if (word.size() > 2 && word.front() == '[' && word.back() == ']')
      channel = leading_int(word.substr(1));
    else if (channel && !take_tree(*channel, word, run))
      run.cut(line);
  }
  return true;
}

// Steps through a line of exactly one shape; `good` turns false where it is another.
class Steps {
 public:
  explicit Steps(std::string_view rest) : rest_(rest) {}
  bool good() const { return good_; }
  std::string_view rest() const { return rest_; }

  bool maybe(std::string_view word) {
    if (!rest_.starts_with(word)) return false;
    rest_.remove_prefix(word.size());
    return true;
  }
  void expect(std::string_view word) { good_ = maybe(word) && good_; }
  int number() {
    int value = 0;
    std::size_t digits = 0;
    while (digits < rest_.size() && digits < 7 && is_digit(rest_[digits]))
      value = value * 10 + (rest_[digits++] - '0');
    good_ = good_ && digits > 0;
    rest_.remove_prefix(digits);
    return value;
  }
  void bracket() {  // "[0]", "[1b000]"
    const auto end = rest_.find(']');
    good_ = good_ && rest_.starts_with('[') && end < 24;
    if (good_) rest_.remove_prefix(end + 1);
  }

 private:
  std::string_view rest_;
  bool good_ = true;
};

// "Channel 02/0 : 1[1] -> 8[0] [receive] via NET/IB/0/GDRDMA": nearly all lines of a long log, so
// they get the short way. What has another shape is left to the long one.
bool take_usual(const NcclLine& line, RunBuilder& run) {
  Steps steps(line.text);
  steps.expect("Channel ");
  steps.number();
  if (steps.maybe("/")) steps.number();
  steps.expect(" : ");
  Way way;
  way.from = steps.number();
  steps.bracket();
  steps.expect(" -> ");
  way.to = steps.number();
  steps.bracket();
  if (steps.maybe(" [receive]"))
    way.direction = 'r';
  else if (steps.maybe(" [send]"))
    way.direction = 's';
  steps.expect(" via ");
  if (!steps.good() || way.from > static_cast<int>(ranks_max) ||
      way.to > static_cast<int>(ranks_max))
    return false;
  way.via = steps.rest().substr(0, 80);
  run.connection(line, way);
  return true;
}

bool take(const NcclLine& line, RunBuilder& run) {
  if (take_usual(line, run)) return true;
  if (const auto at = line.text.find(" coll channels"); at != std::string_view::npos) {
    const auto blank = line.text.substr(0, at).rfind(' ');
    const auto count =
        leading_int(line.text.substr(blank == std::string_view::npos ? 0 : blank + 1));
    if (count) run.say(line, run.run.channels, *count);
    return count.has_value();
  }
  if (const auto used = after(line.text, ", use ring PXN ")) {
    const auto gdr = after(*used, " GDR ");
    if (gdr) run.say(line, run.run.gdr_used, gdr->starts_with('1'));
    return gdr.has_value();
  }
  if (line.text.substr(0, 6) == "Trees ") return take_trees(line.text.substr(6), line, run);
  for (const std::string_view key : {"Channel ", "Ring ", "Tree "}) {
    if (line.text.substr(0, key.size()) != key) continue;
    const std::string_view rest = line.text.substr(key.size());
    const auto channel = leading_int(rest);
    const auto colon = rest.find(':');
    if (!channel || colon == std::string_view::npos) return false;
    const std::string_view said = rest.substr(colon + 1);
    const auto arrow_at = said.find("->");
    const bool arrow = arrow_at != std::string_view::npos;
    if (arrow && said.find(" via ", arrow_at) != std::string_view::npos)
      return take_connection(said, line, run);
    const bool taken =
        arrow ? take_chain(*channel, said, key == "Tree ", run) : take_ring(*channel, said, run);
    if (!taken) run.cut(line);
    return taken;
  }
  return false;
}

}  // namespace

Statement connection_statement() { return {words, take}; }

}  // namespace railgauge::observe
