#include "observe/lspci/lspci_hex.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "observe/lspci/config_space.h"
#include "observe/lspci/device_line.h"
#include "observe/lspci/pci_machine.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t devices_max = 65536;
constexpr std::size_t remarks_max = 1000;
constexpr std::size_t config_bytes_max = 4096;

struct HexLine {
  std::size_t offset = 0;
  std::array<std::uint8_t, 16> bytes{};
};

// "40: 0d 60 00 …" or "ff0: …": an offset that is a multiple of 16, then 16 bytes.
std::optional<HexLine> hex_line(std::string_view line) {
  line = trim(line);
  const std::size_t colon = line.find(':');
  if (colon < 2 || colon > 3 || line.size() > 80) return std::nullopt;
  const auto offset = parse_hex(line.substr(0, colon));
  const auto words = split_blank(line.substr(colon + 1));
  if (!offset || *offset % 16 != 0 || words.size() != 16) return std::nullopt;
  HexLine out{static_cast<std::size_t>(*offset), {}};
  for (std::size_t i = 0; i < words.size(); ++i) {
    const auto byte = parse_hex(words[i]);
    if (words[i].size() != 2 || !byte) return std::nullopt;
    out.bytes[i] = static_cast<std::uint8_t>(*byte);
  }
  return out;
}

// "40: 0d 60": a line of hex that was cut.
bool looks_cut(std::string_view line) {
  line = trim(line);
  const std::size_t colon = line.find(':');
  if (colon < 2 || colon > 3 || line.size() > 60) return false;
  const auto offset = parse_hex(line.substr(0, colon));
  const auto words = split_blank(line.substr(colon + 1));
  if (!offset || *offset % 16 != 0 || words.empty()) return false;
  for (const auto word : words)
    if (word.size() > 2 || !parse_hex(word)) return false;
  return true;
}

class HexReader {
 public:
  explicit HexReader(const Input& input) : out_(input) {}

  void line(std::string_view text, std::uint32_t number) {
    if (const auto found = parse_device_line(text); found && (found->pci_class || current_)) {
      flush();
      current_ = out_.device(*found, number);
      return;
    }
    // lspci prints the bare address when it is told to print hex of unknown devices.
    if (const auto address = lspci_address(trim(text))) {
      flush();
      current_ = out_.device(*address, number);
      return;
    }
    if (const auto hex = hex_line(text)) return bytes(*hex, number);
    if (looks_cut(text))
      out_.warn(number, "a line of hex was cut: expected 16 bytes after the offset");
  }

  std::size_t devices() const { return out_.size(); }
  bool full() const {
    return out_.size() >= devices_max || out_.machine.remarks.size() > remarks_max;
  }

  Result<model::Machine> finish(const std::string& name) {
    flush();
    if (lost_lines_ > 0)
      out_.warn(first_lost_, fmt::format("{} lines of hex without the device they belong to; paste "
                                         "the line with its address too",
                                         lost_lines_));
    if (decoded_ == 0)
      return fail(ErrorKind::input,
                  lost_lines_ > 0
                      ? fmt::format("{}:{}: {} lines of hex without the device they belong to",
                                    name, first_lost_, lost_lines_)
                      : name +
                            ": nothing of lspci -x: expected an address line and lines such as "
                            "\"00: de 10 30 23 …\"");
    if (out_.size() > decoded_)
      out_.note(0,
                fmt::format("{} of {} devices have no hex", out_.size() - decoded_, out_.size()));
    out_.finish();
    return std::move(out_.machine);
  }

 private:
  void bytes(const HexLine& hex, std::uint32_t number) {
    if (!current_) {
      if (lost_lines_++ == 0) first_lost_ = number;
      return;
    }
    if (config_.empty()) first_line_ = number;
    if (hex.offset != config_.size() || config_.size() >= config_bytes_max) {
      out_.warn(number,
                fmt::format("{}: hex goes on at {:#x}, expected {:#x}; the rest is not used",
                            out_.machine[*current_].address->text(), hex.offset, config_.size()));
      flush();
      current_.reset();
      return;
    }
    config_.insert(config_.end(), hex.bytes.begin(), hex.bytes.end());
  }

  void flush() {
    if (current_ && !config_.empty()) {
      model::Device& device = out_.machine[*current_];
      const auto here = out_.at(first_line_);
      decode_config_space(config_, here, *device.pci);
      const AerStatusBits aer = aer_status_bits(config_);
      keep(device, "UESta", aer.uncorrectable, here);
      keep(device, "CESta", aer.correctable, here);
      ++decoded_;
    }
    config_.clear();
  }

  static void keep(model::Device& device, const char* key, const std::vector<std::string>& bits,
                   model::SourceRef source) {
    std::string text;
    for (const auto& bit : bits) text += (text.empty() ? "" : " ") + bit;
    if (!text.empty()) device.attributes.push_back({key, text, source});
  }

  PciMachine out_;
  std::optional<model::DeviceId> current_;
  std::vector<std::uint8_t> config_;
  std::uint32_t first_line_ = 0;
  std::uint32_t first_lost_ = 0;
  std::size_t lost_lines_ = 0;
  std::size_t decoded_ = 0;
};

}  // namespace

bool looks_like_lspci_hex(std::string_view bytes) {
  for (LineCursor lines(bytes); lines.next();)
    if (hex_line(lines.line())) return true;
  return false;
}

Result<model::Machine> read_lspci_hex(const Input& input) {
  const std::string plain = strip_terminal_codes(input.bytes);
  HexReader reader(input);
  for (LineCursor lines(plain); lines.next() && !reader.full();)
    reader.line(lines.line(), lines.number());
  return reader.finish(input.name);
}

}  // namespace railgauge::observe
