#include "observe/nvidia_smi/sections.h"

#include "observe/nvidia_smi/values.h"

namespace railgauge::observe::nvidia_smi {
namespace {

constexpr std::size_t key_max_bytes = 80;  // the longest key has 45
constexpr std::size_t depth_max = 12;      // sections nest five deep
constexpr std::size_t tab_width = 4;       // a guess: nvidia-smi -q itself writes blanks

std::size_t indent_of(std::string_view line) {
  std::size_t indent = 0;
  for (const char c : line) {
    if (c != ' ' && c != '\t') break;
    indent += c == '\t' ? tab_width : 1;
  }
  return indent;
}

// Where the colon between key and value is; a section's name has none.
std::size_t separator(std::string_view line) {
  const std::size_t found = line.find(" : ");
  if (found != std::string_view::npos) return found + 1;
  return line.size() >= 2 && line.substr(line.size() - 2) == " :" ? line.size() - 1
                                                                  : std::string_view::npos;
}

}  // namespace

bool SmiSections::begin_gpu(std::string_view line) {
  if (!line.starts_with("GPU ")) return false;
  const auto address = as_long_address(line.substr(4));
  if (!address) return false;
  gpu_ = *address;
  gpu_indent_ = indent_;
  place_ = Place::gpu;
  levels_.clear();
  path_.clear();
  return true;
}

// The path of a line is that of the nearest line above it with less indentation.
void SmiSections::push(std::string_view key) {
  while (!levels_.empty() && levels_.back().indent >= indent_) levels_.pop_back();
  path_.resize(levels_.empty() ? 0 : levels_.back().path_size);
  if (!path_.empty()) path_ += '/';
  path_ += lower(key.substr(0, key_max_bytes));
  if (levels_.size() < depth_max) levels_.push_back({indent_, path_.size()});
}

bool SmiSections::next() {
  while (lines_.next()) {
    const std::string_view line = trim(lines_.line());
    if (line.empty()) continue;
    indent_ = indent_of(lines_.line());
    opens_gpu_ = begin_gpu(line);
    if (opens_gpu_) return true;
    if (line.starts_with("=====") && contains(line, "NVSMI LOG")) {
      place_ = Place::head;
      levels_.clear();
      path_.clear();
      continue;
    }
    if (place_ == Place::gpu && indent_ <= gpu_indent_) {
      place_ = Place::outside;
      levels_.clear();
    }
    const std::size_t colon = separator(line);
    key_ = trim(line.substr(0, colon));
    if (place_ != Place::gpu) levels_.clear();
    push(key_);
    if (colon == std::string_view::npos) continue;
    value_ = trim(line.substr(colon + 1));
    return true;
  }
  return false;
}

}  // namespace railgauge::observe::nvidia_smi
