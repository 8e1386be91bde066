// What is said about a recording: after it was made, and by --list.
#pragma once

#include <string>
#include <vector>

#include "observe/record/capture.h"
#include "present/present.h"

namespace railgauge::app {

struct RecordReport {
  const observe::Recording& recording;
  const std::vector<observe::SourceFigures>& sources;
  std::string path;
  std::size_t packed_bytes = 0;
  bool key_for_once = false;
};

std::string record_text(const RecordReport& report, const present::Style& style);
std::string record_json(const RecordReport& report);
std::string list_text(const RecordReport& report, const present::Style& style);
std::string list_json(const RecordReport& report);

}  // namespace railgauge::app
