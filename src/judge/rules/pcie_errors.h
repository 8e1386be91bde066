// Parts of the family pcie_errors, which pcie_errors.cpp puts together.
#pragma once

#include <string>
#include <vector>

#include "judge/rule.h"

namespace railgauge::judge {

std::vector<Rule> pcie_lost_rules();     // uncorrected errors, links that went down, hidden errors
std::vector<Rule> pcie_counter_rules();  // counters of the kernel and of NVIDIA's driver

// What to do about corrected errors.
inline model::RemedyStep look_at_counters(const std::string& address) {
  return {.text = "see whether they go on, and which end counts them",
          .command = "grep . /sys/bus/pci/devices/" + address + "/aer_dev_correctable"};
}
inline model::RemedyStep mend_link() {
  return {.text =
              "reseat the card and its riser or cable, update the retimer's firmware; while "
              "that waits, turn ASPM off or fix the slot at one generation less in the BIOS",
          .command = {},
          .needs_root = true,
          .needs_reboot = true,
          .risk = model::Risk::interrupts,
          .risk_text = "the machine is powered off for it"};
}

}  // namespace railgauge::judge
