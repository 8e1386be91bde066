// The room's entry points: inputs or a live system in, settled machines out.
#pragma once

#include <chrono>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "base/result.h"
#include "model/advice.h"
#include "model/catalogue.h"
#include "model/machine.h"
#include "observe/reader.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

// What reading a machine needs beside the machine: numbers that age, and where names of PCI ids
// come from.
struct Knowledge {
  model::Catalogue catalogue;
  std::filesystem::path pci_ids;  // empty: only the catalogue's own names
  // Applied to each recording before it is read, and to loose texts as if they lay in one; empty:
  // they are read as they are. Replaces identities, for one.
  std::function<Recording(const Recording& recording)> prepare;
};

struct SourceTime {
  std::string source;  // "sysfs", "nvml", "topo.txt"
  std::chrono::microseconds time{};
};

struct Observed {
  std::vector<model::Machine> machines;  // settled
  std::vector<std::string> passed_over;  // what lay beside and was not read, and why
  std::vector<SourceTime> times;
  std::vector<std::string> text_kinds;  // what wrote the loose texts: "nvidia-smi topo -m"
};

// Files, directories, archives and "-" (standard input), in any mixture. Loose texts together are
// one machine; each recording is its own. An input nobody recognises is an error that lists what we
// can read.
Result<Observed> machines(const std::vector<std::string>& inputs, const Knowledge& knowledge);

// The same, one machine at a time, in the order they are found: only one is held. `input` names the
// machine alone, for reading it again; empty where nothing does. A recording that holds no machine
// is passed over when there are others.
struct MachineVisitor {
  std::function<void(model::Machine machine, const std::string& input)> take;
  std::function<void(std::size_t done, std::size_t total)> progress;  // may be empty
};
struct Visited {
  std::vector<std::string> passed_over;
  std::vector<SourceTime> times;  // of all machines together
  std::vector<std::string> text_kinds;
};
Result<Visited> visit_machines(const std::vector<std::string>& inputs, const Knowledge& knowledge,
                               const MachineVisitor& visitor);

// This machine, now: captured into a recording, then read back.
Result<Observed> live_machine(const Root& root, const Knowledge& knowledge);

// One recording: every reader whose files it has, joined and settled.
Result<Observed> machine(const Recording& recording, const Knowledge& knowledge);

// The rates, boards and names in data/, as embedded in this binary.
Result<model::Catalogue> catalogue();

// The tables that checks need: variables, Xids, pairs of versions known bad.
Result<model::Advice> advice();

// A known machine from data/machines: "dgx-h100". An unknown name is an error that lists the names.
Result<model::Machine> synthetic(const std::string& name, const model::Catalogue& catalogue);
std::vector<std::string> synthetic_names();

}  // namespace railgauge::observe
