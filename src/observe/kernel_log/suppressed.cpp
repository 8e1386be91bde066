// Lines that the kernel did not print, and says so. They count to the last event of their kind:
//   aer_print_error: 12 callbacks suppressed
//   pcieport 0000:00:1c.0: AER: 34 errors suppressed
//   amd_iommu_report_page_fault: 250 callbacks suppressed
// A suppressed line of a report of several lines counts as a report: the count is an upper bound.
#include <array>
#include <utility>

#include "base/strings.h"
#include "observe/kernel_log/forms.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

using model::EventKind;

constexpr std::array<std::string_view, 3> words{" callbacks suppressed", " errors suppressed",
                                                " messages suppressed"};

constexpr std::array<std::pair<std::string_view, EventKind>, 9> kinds{{
    {"aer", EventKind::aer},
    {"pci", EventKind::aer},
    {"dmar", EventKind::iommu},
    {"amd_iommu", EventKind::iommu},
    {"amd-vi", EventKind::iommu},
    {"arm_smmu", EventKind::iommu},
    {"arm-smmu", EventKind::iommu},
    {"mlx5", EventKind::nic},
    {"edac", EventKind::memory_error},
}};

bool take(const LogLine& line, EventLog& log) {
  const auto end = line.text.find(" suppressed");
  const std::string_view before = line.text.substr(0, end);
  const auto word = before.rfind(' ');
  if (word == std::string_view::npos || word == 0) return false;
  const auto start = before.rfind(' ', word - 1);
  const auto count = leading_number(before.substr(start == std::string_view::npos ? 0 : start + 1));
  if (!count || *count == 0 || *count > 1u << 30) return false;
  const std::string who = lower(line.text.substr(0, 80));
  for (const auto& [name, kind] : kinds) {
    if (!contains(who, name)) continue;
    model::Event* event = log.last_of(kind);
    if (event == nullptr) return false;
    event->count += *count;
    return true;
  }
  return false;
}

}  // namespace

Form suppressed_form() { return {words, take}; }

}  // namespace railgauge::observe
