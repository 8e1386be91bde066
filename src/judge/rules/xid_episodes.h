// Xids of one GPU that belong together: the first is the cause, what comes at once after it are
// consequences. Errors of memory are the exception: there the gravest is the cause.
//   for (const XidEpisode& one : xid_episodes(machine)) … one.code(), one.followers
// Pure.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

struct XidEpisode {
  std::optional<model::PciAddress> address;  // nothing: the line named no place
  const model::Event* cause = nullptr;
  std::vector<const model::Event*> followers;
  std::uint64_t count = 1;  // of the cause, over all episodes of that GPU and code
  int code() const { return cause->code.value_or(0); }
};

// In the order of their causes; a GPU's episodes of one code are one.
std::vector<XidEpisode> xid_episodes(const model::Machine& machine);

// A finding about the episode: subject, devices, line, consequences, and what NVIDIA's catalogue
// says to do.
model::Finding& report_xid(const Patient& patient, const XidEpisode& episode, Verdicts& out);

// "Xid 79 (GPU has fallen off the bus)"
std::string name_of_xid(const Patient& patient, int code);

// What NVIDIA calls an action ("RESET_GPU"), as steps for this GPU.
std::vector<model::RemedyStep> steps_of(std::string_view action, const std::string& address);

}  // namespace railgauge::judge
