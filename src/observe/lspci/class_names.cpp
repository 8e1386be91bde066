#include "observe/lspci/class_names.h"

#include <array>
#include <utility>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using Row = std::pair<std::string_view, std::uint16_t>;

// The class vocabulary of the PCI ID list that pciutils prints; sub-classes that occur in servers.
constexpr std::array classes{
    Row{"Non-VGA unclassified device", 0x0000},
    Row{"VGA compatible unclassified device", 0x0001},
    Row{"SCSI storage controller", 0x0100},
    Row{"IDE interface", 0x0101},
    Row{"RAID bus controller", 0x0104},
    Row{"ATA controller", 0x0105},
    Row{"SATA controller", 0x0106},
    Row{"Serial Attached SCSI controller", 0x0107},
    Row{"Non-Volatile memory controller", 0x0108},
    Row{"Mass storage controller", 0x0180},
    Row{"Ethernet controller", 0x0200},
    Row{"Infiniband controller", 0x0207},
    Row{"Fabric controller", 0x0208},
    Row{"Network controller", 0x0280},
    Row{"VGA compatible controller", 0x0300},
    Row{"XGA compatible controller", 0x0301},
    Row{"3D controller", 0x0302},
    Row{"Display controller", 0x0380},
    Row{"Multimedia video controller", 0x0400},
    Row{"Multimedia audio controller", 0x0401},
    Row{"Audio device", 0x0403},
    Row{"Multimedia controller", 0x0480},
    Row{"RAM memory", 0x0500},
    Row{"FLASH memory", 0x0501},
    Row{"CXL", 0x0502},
    Row{"Memory controller", 0x0580},
    Row{"Host bridge", 0x0600},
    Row{"ISA bridge", 0x0601},
    Row{"EISA bridge", 0x0602},
    Row{"PCI bridge", 0x0604},
    Row{"CardBus bridge", 0x0607},
    Row{"Semi-transparent PCI-to-PCI bridge", 0x0609},
    Row{"InfiniBand to PCI host bridge", 0x060a},
    Row{"Bridge", 0x0680},
    Row{"Serial controller", 0x0700},
    Row{"Parallel controller", 0x0701},
    Row{"Communication controller", 0x0780},
    Row{"PIC", 0x0800},
    Row{"DMA controller", 0x0801},
    Row{"Timer", 0x0802},
    Row{"RTC", 0x0803},
    Row{"PCI Hot-plug controller", 0x0804},
    Row{"SD Host controller", 0x0805},
    Row{"IOMMU", 0x0806},
    Row{"System peripheral", 0x0880},
    Row{"Keyboard controller", 0x0900},
    Row{"Co-processor", 0x0b40},
    Row{"FireWire (IEEE 1394)", 0x0c00},
    Row{"USB controller", 0x0c03},
    Row{"Fibre Channel", 0x0c04},
    Row{"SMBus", 0x0c05},
    Row{"InfiniBand", 0x0c06},
    Row{"IPMI Interface", 0x0c07},
    Row{"Serial bus controller", 0x0c80},
    Row{"Encryption controller", 0x1080},
    Row{"Network and computing encryption device", 0x1000},
    Row{"Performance counters", 0x1101},
    Row{"Signal processing controller", 0x1180},
    Row{"Processing accelerators", 0x1200},
    Row{"SDXI", 0x1201},
    Row{"Non-Essential Instrumentation", 0x1300},
    Row{"Coprocessor", 0x4000},
    Row{"Unassigned class", 0xff00},
};

constexpr std::array vendors{
    Row{"NVIDIA Corporation", 0x10de},    Row{"Advanced Micro Devices, Inc. [AMD/ATI]", 0x1002},
    Row{"Mellanox Technologies", 0x15b3}, Row{"Habana Labs Ltd.", 0x1da3},
    Row{"Intel Corporation", 0x8086},
};

}  // namespace

std::optional<std::uint16_t> class_of_name(std::string_view name) {
  name = trim(name);
  for (const auto& [words, code] : classes)
    if (equal_nocase(words, name)) return code;
  if (starts_with_nocase(name, "Class ") && name.size() == 10)
    if (const auto code = parse_hex(name.substr(6))) return static_cast<std::uint16_t>(*code);
  return std::nullopt;
}

std::optional<std::uint16_t> vendor_of_name(std::string_view device_name) {
  for (const auto& [words, code] : vendors)
    if (starts_with_nocase(trim(device_name), words)) return code;
  return std::nullopt;
}

}  // namespace railgauge::observe
