// Faults that an IOMMU reports: a device touched memory that it was not given.
//   DMAR: [DMA Read] Request device [5e:00.0] fault addr fffff000 [fault reason 06] …
//   DMAR: [DMA Write NO_PASID] Request device [0000:5e:00.0] fault addr 0x…
//   AMD-Vi: Event logged [IO_PAGE_FAULT device=0000:21:00.0 domain=0x0010 address=0x…]
//   arm-smmu-v3 arm-smmu-v3.0.auto: event 0x10 received:
#include <array>

#include "base/strings.h"
#include "observe/kernel_log/aer_report.h"
#include "observe/kernel_log/forms.h"

namespace railgauge::observe {
namespace {

constexpr std::array<std::string_view, 6> words{"Request device [",        "AMD-Vi: Event logged",
                                                "IO_PAGE_FAULT",           "arm-smmu",
                                                "ILLEGAL_DEV_TABLE_ENTRY", "IOMMU: fault"};

bool is_fault(std::string_view text) {
  if (contains(text, "Request device [")) return contains(text, "DMAR");
  if (contains(text, "AMD-Vi")) return contains(text, "Event logged") || contains(text, "FAULT");
  return contains(text, "IO_PAGE_FAULT") ||
         (contains(text, "arm-smmu") &&
          (contains(text, "received:") || contains(text, "context fault") ||
           contains(text, "global fault") || contains(text, "Unhandled")));
}

std::optional<model::PciAddress> place(std::string_view text) {
  for (const std::string_view key : {"Request device [", "device="}) {
    const auto rest = after(text, key);
    if (!rest) continue;
    if (const auto address = model::PciAddress::parse(until(*rest, " ]"))) return address;
  }
  return find_address(text);
}

bool take(const LogLine& line, EventLog& log) {
  if (!is_fault(line.text)) return false;
  model::Event& event =
      log.add(line, model::EventKind::iommu, model::EventSeverity::nonfatal, line.text);
  event.device = place(line.text);
  const auto who = device_words(line.text);
  if (event.device)
    log.name_device(*event.device,
                    who && who->address == *event.device ? kind_of_driver(who->driver)
                                                         : model::DeviceKind::other,
                    line);
  return true;
}

}  // namespace

Form iommu_form() { return {words, take}; }

}  // namespace railgauge::observe
