// Renderers: a settled machine in, text out. They decide nothing: troubles come as Remarks and
// unknown Readings.
#pragma once

#include <string>

#include "base/result.h"
#include "model/machine.h"
#include "model/paths.h"

namespace railgauge::present {

struct Style {
  bool color = false;    // ANSI escapes
  bool unicode = true;   // box drawing and "×"; plain ASCII otherwise
  int columns = 100;     // the text tree fits in it
  bool verbose = false;  // sources of facts, functions nobody usually wants (drives, other bridges)
};

std::string text_tree(const model::Machine& machine, const Style& style);

// nvidia-smi's vocabulary and column order (GPUs, then NICs), its legend, and the rate of each
// path.
std::string text_matrix(const model::Machine& machine, const Style& style);

// Every hop from one device to the other with its rate, the bottleneck marked, what it means for
// NCCL.
Result<std::string> text_path(const model::Machine& machine, model::DeviceId from,
                              model::DeviceId to, const Style& style);

std::string svg(const model::Machine& machine);
std::string html(
    const model::Machine& machine);  // one file, no external request; holds the SVG and the JSON
std::string dot(const model::Machine& machine);
std::string nccl_xml(const model::Machine& machine);  // loads as NCCL_TOPO_FILE

// The value of result.machine in `see --json`; keys as in schema/see.schema.json.
std::string machine_json(const model::Machine& machine);

}  // namespace railgauge::present
