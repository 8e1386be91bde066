#include "observe/ib_text/ibqueryerrors.h"

#include <charconv>
#include <optional>

#include "observe/ib_text/nic_paste.h"
#include "observe/rdma/port_text.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

using model::DeviceId;

// "GUID 0x0000000000000001 port 1: [A == 1] [B == 2]"
struct PortLine {
  std::string_view guid;
  std::optional<int> port;  // none: ALL
  std::string_view counters;
};

std::optional<PortLine> port_line(std::string_view line) {
  const auto colon = line.find(':');
  if (colon == std::string_view::npos || colon > 128) return std::nullopt;
  const auto words = split_blank(line.substr(0, colon));
  if (words.size() != 4 || words[0] != "GUID" || words[2] != "port" || !guid_text(words[1]))
    return std::nullopt;
  PortLine out{words[1], small_number(words[3], NicPaste::most_ports),
               trim(line.substr(colon + 1))};
  if (!out.port && words[3] != "ALL") return std::nullopt;
  return out;
}

// "[LinkDownedCounter == 25]", or with a unit: "[PortRcvData == 12 (48.000B)]".
struct Named {
  std::string_view name;
  std::uint64_t value = 0;
};
std::optional<Named> counter(std::string_view bracket) {
  const auto equals = bracket.find("==");
  if (equals == std::string_view::npos) return std::nullopt;
  Named out{trim(bracket.substr(0, equals)), 0};
  const auto digits = trim(bracket.substr(equals + 2));
  const auto [end, error] =
      std::from_chars(digits.data(), digits.data() + digits.size(), out.value);
  const bool done = end == digits.data() + digits.size() || *end == ' ';
  if (error != std::errc{} || !done || !is_device_name(out.name)) return std::nullopt;
  return out;
}

void take_counters(std::string_view text, NicPaste& paste, CounterSheet& sheet) {
  while (!text.empty()) {
    const auto close = text.find(']');
    const bool open = text.front() == '[';
    const auto found =
        open && close != std::string_view::npos ? counter(text.substr(1, close - 1)) : std::nullopt;
    if (found)
      sheet.take(found->name, found->value, paste.here());
    else
      paste.warn("expected a counter like \"[PortRcvErrors == 26]\", found " + quoted(text));
    if (close == std::string_view::npos) return;
    text = trim(text.substr(close + 1));
  }
}

// "Errors for "node07 mlx5_0"", "Errors for 0x… "SW leaf1"": the words between the quotes.
std::string_view header_name(std::string_view line) {
  line = trim(line);
  if (!line.starts_with("Errors for ")) return {};
  const auto open = line.find('"');
  const auto close = line.rfind('"');
  if (open == std::string_view::npos || close <= open) return {};
  return trim(line.substr(open + 1, close - open - 1));
}

// Subnet managers and firmware describe switches so: "MF0;leaf1:MQM8700/U1", "SwitchX - …".
bool names_a_switch(std::string_view name) {
  return name.starts_with("MF0;") || contains(lower(name.substr(0, 256)), "switch") ||
         contains(name, "Quantum");
}

class ErrorsReader {
 public:
  explicit ErrorsReader(const Input& input) : paste_(input) {}

  NicPaste read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      paste_.at(lines.number());
      if (const auto name = header_name(lines.line()); !name.empty())
        header_ = name;
      else if (const auto line = port_line(lines.line()))
        take(*line);
    }
    return std::move(paste_);
  }

 private:
  void take(const PortLine& line) {
    const DeviceId id = paste_.guid(line.guid);
    if (!header_.empty()) describe(id);
    if (!line.port) return;
    CounterSheet sheet(names_);
    take_counters(line.counters, paste_, sheet);
    const std::string whose = std::string(line.guid) + " port " + std::to_string(*line.port);
    sheet.write(paste_.port(id, *line.port), paste_.machine(), whose);
  }

  // An adapter is described by host and RDMA device; only the whole is a name in a fabric.
  void describe(DeviceId id) {
    model::Device& device = paste_[id];
    if (names_a_switch(header_)) device.kind = model::DeviceKind::other;
    if (!device.name) device.name.claim(valid_utf8(header_), paste_.here());
  }

  NicPaste paste_;
  const CounterNames names_ = CounterNames::of_rdma();
  std::string_view header_;
};

}  // namespace

bool looks_like_ibqueryerrors(std::string_view bytes) {
  const std::string plain = pasted_text(bytes);
  for (LineCursor lines(plain); lines.next();)
    if (port_line(lines.line())) return true;
  return false;
}

Result<model::Machine> read_ibqueryerrors(const Input& input) {
  const std::string plain = pasted_text(input.bytes);
  return ErrorsReader(input).read(plain).take(
      "no errors: expected the output of ibqueryerrors, \"GUID 0x… port 1: [PortRcvErrors == "
      "26]\"");
}

}  // namespace railgauge::observe
