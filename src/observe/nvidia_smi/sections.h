// Walks over the text of nvidia-smi -q: "key : value" lines, each with the section it stands in and
// the GPU it is about. Depth is told by indentation alone, so a paste that is indented as a whole
// reads the same.
//   for (SmiSections lines(text); lines.next();) use(lines.path(), lines.value());
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/strings.h"
#include "model/pci.h"

namespace railgauge::observe::nvidia_smi {

class SmiSections {
 public:
  enum class Place { outside, head, gpu };

  explicit SmiSections(std::string_view text) : lines_(text) {}

  // The next "key : value" line, or the line that opens a GPU's block.
  bool next();

  Place place() const { return place_; }
  bool opens_gpu() const { return opens_gpu_; }
  const model::PciAddress& gpu() const { return gpu_; }
  const std::string& path() const { return path_; }  // "ecc errors/volatile/dram correctable"
  std::string_view key() const { return key_; }      // the last part, as written
  std::string_view value() const { return value_; }
  std::uint32_t line() const { return lines_.number(); }
  std::size_t indent() const { return indent_; }

 private:
  bool begin_gpu(std::string_view line);
  void push(std::string_view key);

  struct Level {
    std::size_t indent;
    std::size_t path_size;
  };
  LineCursor lines_;
  Place place_ = Place::outside;
  bool opens_gpu_ = false;
  model::PciAddress gpu_;
  std::size_t gpu_indent_ = 0;
  std::size_t indent_ = 0;
  std::vector<Level> levels_;
  std::string path_;
  std::string_view key_;
  std::string_view value_;
};

}  // namespace railgauge::observe::nvidia_smi
