// What a check says: what is wrong and where, how one knows, what it costs, what to do. Made by
// judge, shown by present. Plain values.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/units.h"
#include "model/device.h"

namespace railgauge::model {

enum class Severity : std::uint8_t { note, warning, error };
std::string_view text(Severity severity);  // also the JSON word
std::optional<Severity> parse_severity(std::string_view word);

struct Evidence {
  std::string what;      // "current_link_width", "line of the log"
  std::string observed;  // "8", the words as they stand there
  std::string expected;  // "16"; empty where there is no other value to compare with
  std::string source;    // "lspci.txt:41", "nvml: nvmlDeviceGetFabricState(0)"
};

// What the fault costs, by the model. Words alone where the model has no number.
struct Impact {
  std::string text;                   // "host copies and GPUDirect to mlx5_2 halve"
  std::optional<BytesPerSecond> now;  // one direction
  std::optional<BytesPerSecond> could;
  std::optional<double> lost_fraction;  // 0 … 1 of the bandwidth (or time) in question
};

enum class Risk : std::uint8_t {
  none,        // looks only, or changes one job's environment
  disturbs,    // running jobs notice: a module is reloaded, a link goes down for a moment
  interrupts,  // running jobs end: a reset, a reboot
};
std::string_view text(Risk risk);

struct RemedyStep {
  std::string text;     // "reseat the riser or the GPU"
  std::string command;  // exact, ready to be pasted; empty when hands are needed
  bool needs_root = false;
  bool needs_reboot = false;
  Risk risk = Risk::none;
  std::string risk_text;  // what may go wrong; empty when nothing
};

struct Finding {
  std::string id;    // "PCI012"
  std::string name;  // "pcie-link-narrow"
  Severity severity = Severity::warning;
  std::string subject;            // "gpu2 (0000:5d:00.0)", "rank 3 (node07)", "job.sh"; "host"
  std::vector<DeviceId> devices;  // what `subject` names, where it is hardware
  std::string text;               // one line: "runs x8 of x16: 31 GB/s of 63 GB/s"
  std::vector<Evidence> evidence;
  Impact impact;
  std::vector<RemedyStep> remedy;
  std::string benign_if;
  std::vector<std::string> references;
  std::string fingerprint;            // 16 hex digits; equal for the same fault of the same subject
  int weight = 0;                     // within a severity the heaviest come first: 0 … 100
  std::string node;                   // which machine, when several were looked at
  std::vector<Finding> consequences;  // what this one explains
};

// A rule that could not be decided for want of facts. Never a pass.
struct NotChecked {
  std::string id;
  std::string name;
  std::string subject;  // empty: altogether
  std::string needs;    // "PCIe configuration space"
  std::string command;  // that gives it: "sudo lspci -vvv"
};

struct Suppressed {
  Finding finding;
  std::string reason;
  std::string until;  // "2027-01-31"
};

struct CheckReport {
  std::vector<Finding> findings;  // failures only, most important first
  std::vector<NotChecked> not_checked;
  std::vector<std::string> passed;          // rule ids
  std::vector<std::string> not_applicable;  // rule ids
  std::vector<Suppressed> suppressed;
  std::vector<std::string> warnings;  // about the check itself: a suppression that has ended
};

}  // namespace railgauge::model
