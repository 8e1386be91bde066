// Where a fact comes from, and how much that is worth.
//   SourceRef here = machine.sources.add("topo.txt", Trust::tool).at_line(4);
//   machine.sources.text(here)      // "topo.txt:4"
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
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
// "nvmlDeviceGetNvLinkState(0, 3)". A server has ten thousand: they lie in one text, one behind the
// other, found by a table of their hashes.
class Sources {
 public:
  // Adding the same name twice gives the same index.
  SourceRef add(std::string_view name, Trust trust);
  std::string_view name(SourceRef ref) const;  // valid until the next add()
  std::string text(SourceRef ref) const;       // "name:line", "name", or "unknown source"
  std::size_t size() const { return ends_.size(); }

  friend bool operator==(const Sources& a, const Sources& b) {
    return a.names_ == b.names_ && a.ends_ == b.ends_;
  }

 private:
  std::string_view name_at(std::size_t index) const;
  void grow_table();

  std::string names_{"unknown source"};
  std::vector<std::size_t> ends_{names_.size()};  // of each name in names_
  // Where a name's hash leads to, or the next free place behind it; 0 is free, since "no source"
  // needs no finding. A power of two long, and never more than half full.
  struct Slot {
    std::uint32_t hash = 0;
    std::uint32_t index = 0;
  };
  std::vector<Slot> table_;
};

}  // namespace railgauge::model
