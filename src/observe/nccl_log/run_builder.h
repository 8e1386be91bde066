// One NCCL run under construction: each distinct fact once.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_set>
#include <utility>
#include <vector>

#include "model/machine.h"
#include "observe/nccl_log/nccl_line.h"
#include "observe/nccl_log/way_counts.h"

namespace railgauge::observe {

// One way from a rank to another, as a line has it.
struct Way {
  int from = 0;
  int to = 0;
  std::string_view via;
  char direction = ' ';  // 's'end, 'r'eceive
};

class RunBuilder {
 public:
  explicit RunBuilder(const std::string& source_name);

  model::SourceRef here(const NcclLine& line) const { return source_.at_line(line.number); }

  // The rank of a process and CUDA device on a host, made when it is new.
  model::NcclRank& rank(const NcclLine& line, int device);
  void nic(model::NcclNic nic);
  void gdr(model::NcclGdr gdr);
  void connection(const NcclLine& line, const Way& way);
  void ring(int channel, std::vector<int> ranks);
  void ring_step(const model::NcclRingStep& step);
  void tree_step(model::NcclTreeStep step);
  void warning(const NcclLine& line);
  void variable(const NcclLine& line, std::string_view name, std::string_view value);
  void plugin(std::string_view name);
  void plugin_missing(std::string_view name);
  void path(model::NcclTopologyPath path);
  // What every rank says is claimed once, and so is each other value.
  template <class T>
  void say(const NcclLine& line, model::Fact<T>& fact, T value) {
    constexpr std::size_t values_max = 64;
    if (fact.claims().size() >= values_max) return;
    for (const auto& claim : fact.claims())
      if (claim.value == value) return;
    fact.claim(std::move(value), here(line));
  }
  void nic_address(const NcclLine& line, std::string_view name, const model::PciAddress& address);
  // A line that starts like one of ours and does not go on so: cut, perhaps. The reader asks, tries
  // again with the line after, and gives up.
  void cut(const NcclLine& line) { cut_ = line; }
  std::optional<NcclLine> take_cut() { return std::exchange(cut_, std::nullopt); }
  void not_understood(const NcclLine& line);
  void count_joined() { ++joined_; }
  void count_too_long(std::uint64_t lines) { too_long_ += lines; }
  // A GPU has two CPU masks: two runs in one log, or a binding that changed.
  void two_masks(const NcclLine& line, const std::string& first, const std::string& second);
  void gpu_attribute(const model::PciAddress& address, model::Attribute attribute);
  void count_mixed() { ++mixed_; }

  model::Machine finish();

  model::Machine machine;
  model::NcclRun run;

 private:
  bool room(std::size_t entries);
  std::optional<std::size_t> place_of(std::string_view via);
  void remark_bounds();
  void add_devices();
  void add_nics(const std::string& host);

  model::SourceRef source_;
  std::uint64_t dropped_ = 0;
  std::uint64_t not_understood_ = 0;
  model::SourceRef not_understood_first_;
  std::string not_understood_text_;
  std::optional<NcclLine> cut_;
  std::uint64_t mixed_ = 0;
  std::uint64_t joined_ = 0;
  std::uint64_t too_long_ = 0;
  std::map<std::tuple<std::string, int, int>, std::size_t> ranks_;
  std::set<std::tuple<std::string, std::string, int>> nics_;
  std::map<std::tuple<std::string, std::string, std::string, bool, int>, std::size_t> gdr_;
  // By both ranks, the place of the way's words in vias_, and the direction.
  WayCounts connections_;
  std::vector<std::uint64_t> connection_keys_;  // of run.connections
  std::vector<std::string> vias_;
  std::size_t last_via_ = 0;
  std::map<model::PciAddress, std::vector<model::Attribute>> gpu_attributes_;
  std::uint64_t two_masks_ = 0;
  std::set<int> rings_;
  std::unordered_set<std::uint64_t> ring_steps_;
  std::unordered_set<std::uint64_t> tree_steps_;
  std::set<std::pair<model::PciAddress, model::PciAddress>> paths_;
  std::map<std::string, std::size_t> warnings_;
  std::set<std::pair<std::string, std::string>> variables_;
  std::map<std::pair<std::string, std::string>, model::PciAddress> nic_addresses_;
};

}  // namespace railgauge::observe
