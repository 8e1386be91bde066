#include "observe/names.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <fstream>

namespace railgauge::observe {
namespace {

using namespace model;

Machine two_functions() {
  Machine machine;
  const SourceRef here = machine.sources.add("sysfs", Trust::kernel);
  for (const PciId id : {PciId{0x15b3, 0x1021}, PciId{0x1234, 0x5678}}) {
    Device& device = machine[machine.add(DeviceKind::other, here)];
    device.pci.emplace();
    device.pci->id.claim(id, here);
  }
  return machine;
}

TEST(Names, OursComeFirstAndTheFileFillsTheRest) {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "railgauge-names-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  std::ofstream(folder / "pci.ids")
      << "1234  Some Vendor\n\t5678  Some Card\n15b3  Mellanox\n\t1021  Other\n";
  Catalogue catalogue;
  catalogue.pci_names.push_back({{0x15b3, 0x1021}, "ConnectX-7", "test"});
  Machine machine = two_functions();
  name_devices(machine, catalogue, folder / "pci.ids");
  EXPECT_EQ(*machine.devices[0].name, "ConnectX-7");
  EXPECT_EQ(*machine.devices[1].name, "Some Vendor Some Card");
  std::filesystem::remove_all(folder);
}

TEST(Names, AStatedNameIsKeptAndAMissingFileIsNoError) {
  Machine machine = two_functions();
  machine.devices[0].name.claim("stated", machine.devices[0].seen_in);
  name_devices(machine, Catalogue{}, "/no/such/pci.ids");
  EXPECT_EQ(*machine.devices[0].name, "stated");
  EXPECT_FALSE(machine.devices[1].name);
}

// What one machine asked for is not asked again, and is not told to a machine without that id.
TEST(Names, OneFileNamesManyMachinesAsItNamesEach) {
  std::string pattern =
      (std::filesystem::temp_directory_path() / "railgauge-names-XXXXXX").string();
  const std::filesystem::path folder = ::mkdtemp(pattern.data());
  std::ofstream(folder / "pci.ids") << "1234  Some Vendor\n\t5678  Some Card\n";
  Machine other = two_functions();
  other.devices.pop_back();  // the one id that the file does not know
  AskedNames asked(folder / "pci.ids");
  for (const Machine& machine : {two_functions(), other, two_functions()}) {
    Machine together = machine;
    Machine alone = machine;
    name_devices(together, Catalogue{}, asked);
    name_devices(alone, Catalogue{}, folder / "pci.ids");
    EXPECT_EQ(together, alone);
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace railgauge::observe
