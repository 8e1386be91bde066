#include "observe/nvidia_smi/list_lines.h"

#include <algorithm>

#include "base/strings.h"

namespace railgauge::observe::nvidia_smi {
namespace {

constexpr std::size_t line_max_bytes = 300;  // a name and a UUID take half of that
constexpr int gpus_max = 1024;
constexpr int links_max = 72;  // NVML of driver 610

// The number that the line begins with, taken off. Up to four digits.
std::optional<int> take_number(std::string_view& line) {
  std::size_t digits = 0;
  while (digits < line.size() && line[digits] >= '0' && line[digits] <= '9') ++digits;
  if (digits == 0 || digits > 4) return std::nullopt;
  const auto number = parse_int(line.substr(0, digits));
  line.remove_prefix(digits);
  return number ? std::optional(static_cast<int>(*number)) : std::nullopt;
}

// "(UUID: GPU-…)" at the end of the line, taken off.
std::string_view take_uuid(std::string_view& line, std::string_view prefix) {
  constexpr std::string_view mark = "(UUID: ";
  const std::size_t at = line.rfind(mark);
  if (at == std::string_view::npos || line.back() != ')') return {};
  const auto uuid = line.substr(at + mark.size(), line.size() - at - mark.size() - 1);
  if (!uuid.starts_with(prefix) || contains(uuid, " ")) return {};
  line = trim(line.substr(0, at));
  return uuid;
}

}  // namespace

std::optional<GpuLine> gpu_line(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("GPU ") || line.size() > line_max_bytes) return std::nullopt;
  line.remove_prefix(4);
  const auto index = take_number(line);
  if (!index || *index >= gpus_max || !line.starts_with(": ")) return std::nullopt;
  line = trim(line.substr(2));
  GpuLine out;
  out.index = *index;
  if (line.empty()) return std::nullopt;
  out.uuid = take_uuid(line, "GPU-");
  out.name = line;
  return out;
}

std::optional<MigLine> mig_line(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("MIG ") || line.size() > line_max_bytes) return std::nullopt;
  MigLine out;
  out.uuid = take_uuid(line, "MIG-");
  const std::size_t device = line.find(" Device ");
  if (out.uuid.empty() || device == std::string_view::npos) return std::nullopt;
  out.profile = trim(line.substr(0, device));
  return out;
}

std::optional<LinkLine> link_line(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("Link ") || line.size() > line_max_bytes) return std::nullopt;
  line.remove_prefix(5);
  const auto number = take_number(line);
  if (!number || *number >= links_max || line.empty()) return std::nullopt;
  if (line.front() != ':' && line.front() != ',') return std::nullopt;
  return LinkLine{*number, trim(line.substr(1))};
}

}  // namespace railgauge::observe::nvidia_smi
