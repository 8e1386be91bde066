// One NCCL run under construction: each distinct fact once.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

#include "model/machine.h"
#include "observe/nccl_log/nccl_line.h"

namespace railgauge::observe {

class RunBuilder {
 public:
  explicit RunBuilder(const std::string& source_name);

  model::SourceRef here(const NcclLine& line) const { return source_.at_line(line.number); }

  // The rank of a process and CUDA device on a host, made when it is new.
  model::NcclRank& rank(const NcclLine& line, int device);
  void nic(model::NcclNic nic);
  void gdr(model::NcclGdr gdr);
  void connection(model::NcclConnection connection);
  void ring(int channel, std::vector<int> ranks);
  void ring_step(const model::NcclRingStep& step);
  void tree_step(model::NcclTreeStep step);
  void warning(const NcclLine& line);
  void variable(const NcclLine& line, std::string_view name, std::string_view value);
  void plugin(std::string_view name);
  void nic_address(const NcclLine& line, std::string_view name, const model::PciAddress& address);
  // A line that starts like one of ours and does not go on so.
  void not_understood(const NcclLine& line);
  // A GPU has two CPU masks: two runs in one log, or a binding that changed.
  void two_masks(const NcclLine& line, const std::string& first, const std::string& second);
  void gpu_attribute(const model::PciAddress& address, model::Attribute attribute);
  void count_mixed() { ++mixed_; }

  model::Machine finish();

  model::Machine machine;
  model::NcclRun run;

 private:
  bool room(std::size_t entries);
  void add_devices();
  void add_nics(const std::string& host);

  model::SourceRef source_;
  std::uint64_t dropped_ = 0;
  std::uint64_t not_understood_ = 0;
  model::SourceRef not_understood_first_;
  std::string not_understood_text_;
  std::uint64_t mixed_ = 0;
  std::map<std::tuple<std::string, int, int>, std::size_t> ranks_;
  std::set<std::tuple<std::string, std::string, int>> nics_;
  std::map<std::tuple<std::string, std::string, std::string, bool, int>, std::size_t> gdr_;
  std::map<std::tuple<int, int, std::string, std::string>, std::size_t> connections_;
  std::map<model::PciAddress, std::vector<model::Attribute>> gpu_attributes_;
  std::uint64_t two_masks_ = 0;
  std::set<int> rings_;
  std::set<std::pair<int, int>> ring_steps_;
  std::set<std::pair<int, int>> tree_steps_;
  std::map<std::string, std::size_t> warnings_;
  std::set<std::pair<std::string, std::string>> variables_;
  std::map<std::pair<std::string, std::string>, model::PciAddress> nic_addresses_;
};

}  // namespace railgauge::observe
