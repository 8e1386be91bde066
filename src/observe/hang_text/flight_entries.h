// The entries of one flight recorder dump as calls. Used by flight_recorder.cpp only.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "model/hang.h"
#include "model/machine.h"
#include "observe/hang_text/value_tree.h"

namespace railgauge::observe {

// Group by its name, for the ranks of peers.
using GroupsByName = std::map<std::string, model::GroupOfRanks, std::less<>>;

class FlightEntries {
 public:
  FlightEntries(const ValueTree& tree, GroupsByName& groups, model::SourceRef here)
      : tree_(tree), groups_(groups), here_(here) {}

  // Groups that pg_config did not name are added to `groups`, without ranks.
  void take(std::span<const ValueTree::Id> entries, model::HangRank& rank);

  // Of "pg_status", by the number that entries call their group.
  void take_status(ValueTree::Id status, model::HangRank& rank) const;

  std::size_t not_understood() const { return not_understood_; }
  std::size_t left_out() const { return left_out_; }

 private:
  std::optional<model::CollectiveCall> call(ValueTree::Id entry);
  std::string group_of(ValueTree::Id entry);
  void name(ValueTree::Id entry, model::CollectiveCall& call) const;
  std::string where(ValueTree::Id entry) const;
  std::vector<std::vector<std::uint64_t>> shapes(ValueTree::Id entry, std::string_view key);
  void state(ValueTree::Id entry, model::CollectiveCall& call) const;

  const ValueTree& tree_;
  GroupsByName& groups_;
  model::SourceRef here_;
  std::map<std::int64_t, std::string> group_numbers_;  // "pg_id" -> name
  std::size_t shape_numbers_ = 0;
  std::size_t not_understood_ = 0;
  std::size_t left_out_ = 0;
};

}  // namespace railgauge::observe
