// Tables that age and that only checks need: environment variables, Xids, pairs of versions known
// bad. Loaded from data/*.yaml by observe::advice() (embedded in the binary) and passed in.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace railgauge::model {

enum class VariableStatus : std::uint8_t {
  current,
  deprecated,  // still read, has another name
  removed,     // was read once
  dead,        // read and ignored, or documented and never read
  never,       // circulates and has never existed
  plugin,      // read by a plugin or tool and not by the library itself
};
std::string_view text(VariableStatus status);

// One environment variable that NCCL, RCCL or UCX reads or read.
struct VariableRow {
  std::string name;     // whole: "NCCL_IB_HCA"
  std::string library;  // "nccl", "ucx"
  VariableStatus status = VariableStatus::current;
  std::string since;    // version that read it first: "2.12.10"; empty when unknown
  std::string removed;  // first version that does not read it
  std::string instead;  // what to use
  std::string default_value;
  std::string accepts;  // for people
  // How a value is judged: "bool", "int", "int:0:255", "bytes", "enum:LOC|NVL|PIX", "list:a|b", "";
  // empty: not judged.
  std::string form;
  std::string note;
  std::string source;
};

// What NVIDIA's catalogue says of one Xid or SXid.
struct XidRow {
  int code = 0;
  std::string name;    // "GPU has fallen off the bus"
  std::string action;  // "RESET_GPU", "RESTART_APP", "CONTACT_SUPPORT", "WORKFLOW_XID_48", "IGNORE"
  std::string cause;   // "hardware", "application", "driver", "link", "system memory"
  bool application = false;  // usually a fault of the program and not of the machine
  std::string note;
  std::string source;
};

// Two versions that do not work together, or one that has a known fault.
struct BadPair {
  std::string id;          // "nccl-2.19.1-driver-535-…", unique
  std::string first;       // "nccl", "driver", "cuda", "ofed", "kernel", "ucx", "firmware:MT4129"
  std::string first_from;  // inclusive; empty: any
  std::string first_to;    // exclusive; empty: any
  std::string second;      // empty: the first alone is enough
  std::string second_from;
  std::string second_to;
  std::string severity;  // "error", "warning", "note"
  std::string says;      // what happens
  std::string remedy;
  std::string source;
};

struct Advice {
  std::vector<VariableRow> variables;
  std::vector<XidRow> xids;
  std::vector<XidRow> sxids;
  std::vector<BadPair> bad_pairs;

  const VariableRow* variable(std::string_view name) const;  // rows are sorted by name
  const XidRow* xid(int code) const;
  const XidRow* sxid(int code) const;
};

}  // namespace railgauge::model
