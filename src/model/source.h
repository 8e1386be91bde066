// Where a fact comes from, and how much that is worth.
//   SourceRef here = machine.sources.add("topo.txt", Trust::tool).at_line(4);
//   machine.sources.text(here)      // "topo.txt:4"
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

namespace railgauge::model {

// Evidence ranks; when two sources disagree the higher one is shown first, and both are kept.
enum class Trust : std::uint8_t {
  guess,      // a rule of thumb of ours
  inferred,   // follows from other facts, by a rule that can be wrong (join by index, tree from a
              // matrix)
  catalogue,  // what the known machine or product is sold as
  file,       // a description somebody wrote: NCCL_TOPO_FILE
  tool,       // the output of nvidia-smi, lspci, rocm-smi, lstopo
  driver,     // a call into the driver's library: NVML
  kernel,     // sysfs, procfs, configuration space
};

struct SourceRef {
  std::uint32_t index = 0;  // into Sources; 0 is "no source"
  std::uint32_t line = 0;   // 1-based, 0 when the source has no lines
  Trust trust = Trust::guess;

  SourceRef at_line(std::uint32_t number) const { return {index, number, trust}; }
  friend bool operator==(const SourceRef&, const SourceRef&) = default;
};

// The names of all sources of one machine: a file path, or a call such as
// "nvmlDeviceGetNvLinkState(0, 3)".
class Sources {
 public:
  // Adding the same name twice gives the same index.
  SourceRef add(const std::string& name, Trust trust);
  const std::string& name(SourceRef ref) const;
  std::string text(SourceRef ref) const;  // "name:line", "name", or "unknown source"
  std::size_t size() const { return names_.size(); }

  friend bool operator==(const Sources& a, const Sources& b) { return a.names_ == b.names_; }

 private:
  std::vector<std::string> names_{"unknown source"};
  std::unordered_map<std::string, std::uint32_t> index_;
};

}  // namespace railgauge::model
