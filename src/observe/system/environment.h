// Environment variables and lines of nccl.conf: what may be kept of them, and reading it back.
//   admit("NCCL_DEBUG", "INFO")        // taken
//   admit("AWS_SECRET_KEY", "…")       // passed over: not on the list, never mentioned anywhere
//   admit("NCCL_AUTH_TOKEN", "…")      // refused, with the reason: its name is said, its value not
// In values, the home directory becomes "~" and the user's name in a path "(user)".
// In a recording: environment.txt of the process that looked, etc/nccl.conf, home/.nccl.conf.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "model/machine.h"
#include "observe/recording.h"
#include "observe/root.h"

namespace railgauge::observe {

enum class Admission { taken, passed_over, refused };

struct Admitted {
  Admission admission = Admission::passed_over;
  std::string why;  // of a refusal
};

// Splits "NAME=VALUE"; nothing for a line that is no such thing.
struct Setting {
  std::string_view name;
  std::string_view value;
};
std::optional<Setting> setting(std::string_view line);

Admitted admit(std::string_view name, std::string_view value);

void capture_environment(const Root& root, Recording& recording);
void read_environment(const Recording& recording, model::Machine& machine);

}  // namespace railgauge::observe
