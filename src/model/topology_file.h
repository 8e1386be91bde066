// An NCCL topology or graph file that was given, or named by NCCL_TOPO_FILE, and what is wrong with
// it as a file. The machine it describes is in the devices and links.
#pragma once

#include <string>
#include <vector>

#include "model/source.h"

namespace railgauge::model {

struct TopologyFault {
  std::string kind;  // "unknown-tag", "unknown-attribute", "bad-value", "bad-busid",
                     // "duplicate-busid", "missing-target", "asymmetric", "too-many-links",
                     // "affinity-overlap", "missing-link-speed"
  std::string text;  // a sentence: "link_speed=\"fast\" is no speed"
  SourceRef source;
  friend bool operator==(const TopologyFault&, const TopologyFault&) = default;
};

struct TopologyFile {
  std::string kind;       // "nccl topology", "nccl graph", "hwloc", "other xml"
  bool skeleton = false;  // only cpu and pci: NCCL adds GPUs and adapters when it reads it
  std::vector<TopologyFault> faults;
  SourceRef source;
  friend bool operator==(const TopologyFile&, const TopologyFile&) = default;
};

}  // namespace railgauge::model
