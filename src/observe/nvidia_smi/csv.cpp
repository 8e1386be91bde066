#include "observe/nvidia_smi/csv.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "observe/nvidia_smi/keys.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace nvidia_smi {
namespace {

constexpr std::size_t line_max_bytes = 16384;  // every column there is takes half of that

struct Columns {
  std::vector<const SmiKey*> keys;  // nullptr where the name is not in the table
  std::optional<std::size_t> index;
  std::optional<std::size_t> address;
  std::size_t unknown = 0;
};

// "memory.total [MiB]" without its unit.
std::string column_name(std::string_view cell) {
  cell = trim(cell);
  if (const auto bracket = cell.find(" ["); bracket != std::string_view::npos)
    cell = cell.substr(0, bracket);
  return lower(cell);
}

bool only_name_characters(std::string_view name) {
  return !name.empty() && name.front() >= 'a' && name.front() <= 'z' &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '.' || c == '_';
         });
}

// A line is the head of such a table when every cell could be a name of --help-query-gpu, two or
// more are, and one of those has a dot or an underscore: "index, name" alone could be anything.
std::optional<Columns> header_of(std::string_view line, const KeyIndex& keys) {
  if (line.size() > line_max_bytes || !contains(line, ",")) return std::nullopt;
  Columns out;
  std::size_t known = 0;
  bool unmistakable = false;
  for (const auto cell : split(trim(line), ',')) {
    const std::string name = column_name(cell);
    if (!only_name_characters(name)) return std::nullopt;
    const SmiKey* key = keys.find(name);
    if (name == "index") out.index = out.keys.size();
    if (name == "pci.bus_id" || name == "gpu_bus_id") out.address = out.keys.size();
    if (key == nullptr) ++out.unknown;
    if (key != nullptr) ++known;
    if (key != nullptr && name.find_first_of("._") != std::string::npos) unmistakable = true;
    out.keys.push_back(key);
  }
  if (known < 2 || !unmistakable) return std::nullopt;
  return out;
}

class CsvReading {
 public:
  explicit CsvReading(const Input& input) : machine_(input) {}

  void read(std::string_view text) {
    for (LineCursor lines(text); lines.next();) {
      const std::string_view line = trim(lines.line());
      if (auto header = header_of(line, keys_)) {
        columns_ = std::move(header);
        ++tables_;
        if (columns_->unknown > 0)
          machine_.note(lines.number(),
                        counted(columns_->unknown, "column is", "columns are") + " not read");
      } else if (columns_ && line.empty()) {
        columns_.reset();
      } else if (columns_) {
        read_row(line, lines.number());
      }
    }
  }

  bool found() const { return tables_ > 0; }
  model::Machine finish() { return machine_.finish(); }

 private:
  void read_row(std::string_view line, std::uint32_t number) {
    if (line.size() > line_max_bytes) return columns_.reset();
    const auto cells = split(line, ',');
    const std::size_t expected = columns_->keys.size();
    if (cells.size() != expected) {
      // A prompt or another command's output ends the table.
      if (cells.size() * 2 >= expected && cells.size() > 1)
        machine_.warn(number,
                      fmt::format("the row has {} of {} cells: left out", cells.size(), expected));
      else
        columns_.reset();
      return;
    }
    const auto gpu = gpu_of(cells, number);
    for (std::size_t i = 0; i < expected; ++i)
      if (gpu && columns_->keys[i] != nullptr)
        machine_.take(*gpu, *columns_->keys[i], trim(cells[i]), number);
  }

  // A row without an address or an index is a GPU of its own.
  std::optional<model::DeviceId> gpu_of(const std::vector<std::string_view>& cells,
                                        std::uint32_t number) {
    if (columns_->address)
      if (const auto address = as_long_address(cells[*columns_->address]))
        return machine_.at_address(*address, number);
    if (columns_->index)
      if (const auto index = as_int(cells[*columns_->index]); index && *index >= 0)
        return machine_.at_index(*index, number);
    return machine_.new_gpu(number);
  }

  KeyIndex keys_{&SmiKey::csv};
  SmiMachine machine_;
  std::optional<Columns> columns_;
  std::size_t tables_ = 0;
};

}  // namespace
}  // namespace nvidia_smi

bool looks_like_smi_csv(std::string_view bytes) {
  const nvidia_smi::KeyIndex keys(&nvidia_smi::SmiKey::csv);
  const std::string text = pasted_text(bytes);
  for (LineCursor lines(text); lines.next();)
    if (nvidia_smi::header_of(trim(lines.line()), keys)) return true;
  return false;
}

Result<model::Machine> read_smi_csv(const Input& input) {
  const std::string text = pasted_text(input.bytes);
  nvidia_smi::CsvReading reading(input);
  reading.read(text);
  if (!reading.found())
    return fail(ErrorKind::input,
                input.name +
                    ": no output of nvidia-smi --query-gpu: expected a first line of names such as "
                    "\"index, pci.bus_id, memory.total [MiB]\"");
  return reading.finish();
}

}  // namespace railgauge::observe
