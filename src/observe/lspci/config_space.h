// The configuration space of one PCI function, as sysfs `config` or `lspci -xxxx` give it, turned
// into facts: identity, class, header type, bus numbers, the capability lists (power management,
// PCI Express) and the extended ones (AER, ACS, SR-IOV).
//   decode_config_space(bytes, here, device.pci.emplace());
// Any number of bytes is fine: 64 hold the header, 256 the standard capabilities, 4096 all. Facts
// that lie beyond the given bytes are refused ("needs root") when the header says there are more.
// Lists that loop or point outside stop there. Never throws. AER status bits are not counters, so
// they do not land in PciFacts; aer_status_bits() names those that are set.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "model/device.h"

namespace railgauge::observe {

// `source` is attached to every fact; its trust is the caller's business (kernel for sysfs, tool
// for lspci).
void decode_config_space(std::span<const std::uint8_t> bytes, model::SourceRef source,
                         model::PciFacts& facts);

// The set bits of the AER status registers, by lspci's names.
struct AerStatusBits {
  std::vector<std::string> uncorrectable;  // "DLP", "SDES", "CmpltTO" …
  std::vector<std::string> correctable;    // "RxErr", "BadTLP" …
};
AerStatusBits aer_status_bits(std::span<const std::uint8_t> bytes);

}  // namespace railgauge::observe
