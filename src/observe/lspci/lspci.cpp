#include "observe/lspci/lspci.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/lspci/device_line.h"
#include "observe/lspci/pci_machine.h"
#include "observe/lspci/properties.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t devices_max = 65536;
constexpr std::size_t remarks_max = 1000;

// A device line is believed when its class is one lspci prints.
bool is_device(std::string_view line) {
  const auto found = parse_device_line(line);
  return found && found->pci_class;
}

struct Orphans {  // property lines that no device stands above
  std::size_t count = 0;
  std::size_t acs_count = 0;
  std::size_t acs_redirecting = 0;
  std::uint32_t first_line = 0;
};

void count_orphan(std::string_view line, std::uint32_t number, Orphans& orphans) {
  if (orphans.count++ == 0) orphans.first_line = number;
  const std::string_view text = trim(line);
  if (text.substr(0, 7) != "ACSCtl:") return;
  ++orphans.acs_count;
  if (parse_acs(text.substr(7, 400)).redirects()) ++orphans.acs_redirecting;
}

std::string text_of(const Orphans& orphans) {
  if (orphans.acs_count == orphans.count)
    return fmt::format(
        "{} ACSCtl lines ({} of them redirect peer traffic) without the devices they "
        "belong to; paste lspci -vvv without grep",
        orphans.acs_count, orphans.acs_redirecting);
  return fmt::format(
      "{} lines such as LnkSta or ACSCtl without the device they belong to; paste "
      "lspci -vvv with the line that starts with its address",
      orphans.count);
}

}  // namespace

bool looks_like_lspci(std::string_view bytes) {
  const std::string plain = strip_terminal_codes(bytes);
  for (LineCursor lines(plain); lines.next();)
    if (is_property(lines.line()) || is_device(lines.line())) return true;
  return false;
}

Result<model::Machine> read_lspci(const Input& input) {
  const std::string plain = strip_terminal_codes(input.bytes);
  PciMachine out(input);
  Orphans orphans;
  std::optional<model::DeviceId> current;
  for (LineCursor lines(plain); lines.next();) {
    const std::string_view line = lines.line();
    if (out.machine.remarks.size() > remarks_max) break;
    if (const auto found = parse_device_line(line); found && (found->pci_class || current)) {
      if (out.size() >= devices_max) {
        out.warn(lines.number(),
                 fmt::format("more than {} devices; the rest is not read", devices_max));
        break;
      }
      current = out.device(*found, lines.number());
      continue;
    }
    if (current) {
      model::Device& device = out.machine[*current];
      const std::string problem = read_property(line, out.at(lines.number()), device);
      if (!problem.empty()) out.warn(lines.number(), device.address->text() + ": " + problem);
    } else if (is_property(line)) {
      count_orphan(line, lines.number(), orphans);
    }
  }
  if (out.size() == 0 && orphans.count > 0)
    return fail(ErrorKind::input,
                fmt::format("{}:{}: {}", input.name, orphans.first_line, text_of(orphans)));
  if (out.size() == 0)
    return fail(ErrorKind::input, input.name +
                                      ": nothing of lspci: expected lines such as \"19:00.0 3D "
                                      "controller [0302]: NVIDIA Corporation …\"");
  if (orphans.count > 0) out.warn(orphans.first_line, text_of(orphans));
  out.finish();
  return std::move(out.machine);
}

}  // namespace railgauge::observe
