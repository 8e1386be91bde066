#include "observe/nvidia_smi/table.h"

#include <fmt/format.h>

#include <vector>

#include "observe/nvidia_smi/keys.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace nvidia_smi {
namespace {

constexpr std::size_t line_max_bytes = 400;
constexpr std::string_view failed = "NVIDIA-SMI has failed because";
constexpr std::string_view no_handle = "Unable to determine the device handle for GPU";

// The cells of "| a | b | c |"; none for any other line.
std::vector<std::string_view> cells_of(std::string_view line) {
  line = trim(line);
  if (line.size() < 3 || line.size() > line_max_bytes || line.front() != '|' || line.back() != '|')
    return {};
  auto cells = split(line.substr(1, line.size() - 2), '|');
  for (auto& cell : cells) cell = trim(cell);
  return cells;
}

// "|   0  NVIDIA H200   On  |   00000000:18:00.0 Off |   0 |"
struct NameRow {
  int index = 0;
  std::string name;
  std::string_view persistence;
  model::PciAddress address;
  std::string_view ecc;
};
std::optional<NameRow> name_row(const std::vector<std::string_view>& cells) {
  if (cells.size() != 3) return std::nullopt;
  const auto words = split_blank(cells[0]);
  const auto place = split_blank(cells[1]);
  if (words.size() < 3 || place.empty()) return std::nullopt;
  const auto index = as_int(words.front());
  const auto address = as_long_address(place.front());
  if (!index || *index < 0 || !address) return std::nullopt;
  NameRow row{*index, {}, words.back(), *address, cells[2]};
  for (std::size_t i = 1; i + 1 < words.size(); ++i)
    row.name += (row.name.empty() ? "" : " ") + std::string(words[i]);
  return row;
}

// The version behind "Driver Version:" in the head of the table.
std::string_view behind(std::string_view line, std::string_view words) {
  const std::size_t at = line.find(words);
  if (at == std::string_view::npos) return {};
  const auto rest = split_blank(line.substr(at + words.size(), 40));
  return rest.empty() ? std::string_view() : rest.front();
}

bool is_head(std::string_view line) {
  return line.size() <= line_max_bytes && contains(line, "NVIDIA-SMI ") &&
         (contains(line, "Driver Version:") || contains(line, "KMD Version:"));
}

class TableReading {
 public:
  explicit TableReading(const Input& input) : machine_(input) {}

  void read(std::string_view text) {
    for (LineCursor lines(text); lines.next();) {
      line_ = lines.number();
      read_line(lines.line());
    }
  }

  bool found() const { return found_; }
  model::Machine finish() { return machine_.finish(); }

 private:
  void read_line(std::string_view line) {
    if (is_head(line)) return read_head(line);
    if (line.size() > line_max_bytes) return;
    if (contains(line, failed)) return read_failure(line);
    if (contains(line, no_handle)) return read_lost(line);
    const auto cells = cells_of(line);
    if (const auto row = name_row(cells)) return begin_gpu(*row);
    if (cells.size() != 3) {
      gpu_.reset();  // a border, or the list of processes
      return;
    }
    if (gpu_ && row_ == 1) read_state(cells);
    if (gpu_ && row_ == 2) take("mig.mode.current", cells[2]);
    ++row_;
  }

  void read_head(std::string_view line) {
    found_ = true;
    for (const char* words : {"Driver Version:", "KMD Version:"})
      if (const auto version = behind(line, words); !version.empty())
        take_host(machine_, "driver version", version, line_);
    for (const char* words : {"CUDA Version:", "CUDA UMD Version:"})
      if (const auto version = behind(line, words); !version.empty())
        take_host(machine_, "cuda version", version, line_);
  }

  void read_failure(std::string_view line) {
    found_ = true;
    machine_.warn(line_, "nvidia-smi found no driver: " + railgauge::quoted(trim(line), 200), true);
  }

  // "… for GPU 0000:43:00.0: GPU is lost.  Reboot the system to recover this GPU": newer drivers
  // write "GPU1: 0000:43:00.0: Unknown Error".
  void read_lost(std::string_view line) {
    found_ = true;
    std::string text = "nvidia-smi cannot use a GPU: " + railgauge::quoted(trim(line), 200);
    for (const auto word : split_blank(line.substr(line.find(no_handle) + no_handle.size()))) {
      const auto plain = word.ends_with(':') ? word.substr(0, word.size() - 1) : word;
      if (!contains(plain, ".")) continue;
      const auto address = model::PciAddress::parse(plain);
      if (!address) continue;
      machine_.at_address(*address, line_);
      text = fmt::format("nvidia-smi cannot use the GPU at {}: {}", address->text(),
                         railgauge::quoted(trim(line), 200));
      break;
    }
    machine_.warn(line_, std::move(text), true);
  }

  void begin_gpu(const NameRow& row) {
    found_ = true;
    row_ = 1;
    gpu_ = machine_.at_address(row.address, line_);
    if (!gpu_) return;
    take("index", std::to_string(row.index));
    take("persistence_mode", row.persistence);
    read_name(row.name);
    read_ecc(row.ecc);
  }

  // Old tables are narrow: "NVIDIA A100-SXM..." is only the beginning of the name.
  void read_name(const std::string& name) {
    if (!name.ends_with("..."))
      take("name", name);
    else
      machine_.machine[*gpu_].name.refuse("the table cuts it: " + railgauge::quoted(name),
                                          machine_.at(line_));
  }

  // A number of errors is shown only while ECC is on.
  void read_ecc(std::string_view cell) {
    if (cell == "Off") return take("ecc.mode.current", "Disabled");
    if (as_count(cell)) take("ecc.mode.current", "Enabled");
    take("ecc.errors.uncorrected.volatile.total", cell);
  }

  // "| N/A   32C    P0    78W /  700W |   0MiB / 143771MiB |   0%      Default |"
  void read_state(const std::vector<std::string_view>& cells) {
    const auto words = split_blank(cells[0]);
    const auto memory = split(cells[1], '/');
    if (words.size() != 6 || words[4] != "/" || memory.size() != 2)
      return machine_.warn(line_, "expected fan, temperature, state, power and memory here");
    take("temperature.gpu", words[1]);
    take("pstate", words[2]);
    take("power.draw", words[3]);
    take("enforced.power.limit", words[5]);
    take("memory.used", memory[0]);
    take("memory.total", memory[1]);
    const std::size_t blank = cells[2].find(' ');
    if (blank == std::string_view::npos)
      return machine_.warn(line_, "expected utilization and compute mode here");
    take("utilization.gpu", cells[2].substr(0, blank));
    take("compute_mode", trim(cells[2].substr(blank)));
  }

  void take(const char* key, std::string_view value) {
    if (const SmiKey* found = keys_.find(key)) machine_.take(*gpu_, *found, trim(value), line_);
  }

  KeyIndex keys_{&SmiKey::csv};  // the table's cells are the values of these columns
  SmiMachine machine_;
  std::optional<model::DeviceId> gpu_;
  int row_ = 0;  // of the GPU's rows: name, state, MIG
  bool found_ = false;
  std::uint32_t line_ = 0;
};

// Bars are cells here, so pasted_text(), which blanks them, is too much.
std::string table_text(std::string_view bytes) { return strip_terminal_codes(bytes); }

}  // namespace
}  // namespace nvidia_smi

bool looks_like_smi_table(std::string_view bytes) {
  using namespace nvidia_smi;
  const std::string text = table_text(bytes);
  for (LineCursor lines(text); lines.next();) {
    const auto line = lines.line();
    if (is_head(line) || name_row(cells_of(line))) return true;
    if (line.size() <= line_max_bytes && (contains(line, failed) || contains(line, no_handle)))
      return true;
  }
  return false;
}

Result<model::Machine> read_smi_table(const Input& input) {
  const std::string text = nvidia_smi::table_text(input.bytes);
  nvidia_smi::TableReading reading(input);
  reading.read(text);
  if (!reading.found())
    return fail(ErrorKind::input,
                input.name +
                    ": no table of nvidia-smi: expected a line such as \"| NVIDIA-SMI "
                    "580.95.05   Driver Version: 580.95.05 … |\"");
  return reading.finish();
}

}  // namespace railgauge::observe
