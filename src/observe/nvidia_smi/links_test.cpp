#include "observe/nvidia_smi/links.h"

#include <gtest/gtest.h>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

using model::Machine;

Machine read(const std::string& text) {
  EXPECT_TRUE(looks_like_smi_list(text));
  auto machine = read_smi_list({"l.txt", text});
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? *machine : Machine{};
}

TEST(SmiList, GpusAndTheirMigDevices) {
  const Machine machine = read(
      "GPU 0: NVIDIA H100 80GB HBM3 (UUID: GPU-11111111-2222-3333-4444-555555555555)\n"
      "  MIG 3g.40gb     Device  0: (UUID: MIG-aaaa)\n"
      "  MIG 1g.10gb+me  Device  1: (UUID: MIG-GPU-1111/5/0)\n"
      "GPU 1: Tesla V100-SXM2 (early) (UUID: GPU-22222222-2222-3333-4444-555555555555)\n");
  ASSERT_EQ(machine.devices.size(), 2u);
  EXPECT_EQ(*machine.devices[0].index, 0);
  EXPECT_EQ(*machine.devices[0].name, "NVIDIA H100 80GB HBM3");
  EXPECT_EQ(*machine.devices[0].gpu->uuid, "GPU-11111111-2222-3333-4444-555555555555");
  EXPECT_EQ(
      machine.devices[0].gpu->mig_devices,
      (std::vector<std::string>{"MIG 3g.40gb (MIG-aaaa)", "MIG 1g.10gb+me (MIG-GPU-1111/5/0)"}));
  EXPECT_EQ(*machine.devices[1].name, "Tesla V100-SXM2 (early)");
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(SmiNvlink, OutputsOfSeveralCallsMeetOnOneLink) {
  const Machine machine = read(
      "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
      "\t Link 0: 26.562 GB/s\n"
      "\t Link 1: <inactive>\n"
      "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
      "\t Link 0: Replay Errors: 3\n"
      "\t Link 0: Recovery Errors: 0\n"
      "\t Link 0: CRC Errors: N/A\n"
      "\n"
      "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
      "\t Link 0: Remote Device 00000000:CD:00.0: Link 25\n"
      "\t Link 1: 00000000:05:00.0\n"
      "GPU 0: NVIDIA H200 (UUID: GPU-1)\n"
      "\t Link 0, P2P is supported: true\n"
      "\t Link 0, Access to system memory supported: true\n"
      "\t Link 0, SLI is supported: false\n"
      "\t Link 0, Link is supported: true\n");
  ASSERT_EQ(machine.devices.size(), 1u);
  const auto& ports = machine.devices[0].gpu->nvlinks;
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_EQ(*ports[0].active, true);
  EXPECT_DOUBLE_EQ(ports[0].rate->value, 26.562e9);
  EXPECT_EQ(machine.sources.text(ports[0].rate.source()), "l.txt:2");
  EXPECT_EQ(*ports[0].errors.at("dl_replay").value, 3u);
  EXPECT_EQ(*ports[0].errors.at("dl_recovery").value, 0u);
  EXPECT_EQ(ports[0].errors.at("dl_crc").value.reading().why(), "nvidia-smi says \"N/A\"");
  EXPECT_EQ(ports[0].remote->text(), "0000:cd:00.0");
  EXPECT_EQ(*ports[1].active, false);
  EXPECT_EQ(ports[1].remote->text(), "0000:05:00.0");
  ASSERT_EQ(machine.devices[0].attributes.size(), 1u);
  EXPECT_EQ(machine.devices[0].attributes[0].key, "nvlink0.capabilities");
  EXPECT_EQ(machine.devices[0].attributes[0].value, "p2p,sysmem,valid");
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(SmiNvlink, OtherEndHiddenInAVirtualMachine) {
  const Machine machine =
      read("GPU 0: NVIDIA H200 (UUID: GPU-1)\n\t Link 0: Remote Device FFFFFFFF:FF:FF.0: Link 0\n");
  const auto& port = machine.devices[0].gpu->nvlinks[0];
  EXPECT_TRUE(contains(port.remote.reading().why(), "hidden, as in a virtual machine"));
}

TEST(SmiNvlink, OldDriverNamesNoUuid) {
  const Machine machine =
      read("GPU 3: Tesla V100-SXM2-32GB\n\t Link 5: 25.781 GB/s\nGPU 4: see below\n");
  ASSERT_EQ(machine.devices.size(), 1u);
  EXPECT_EQ(*machine.devices[0].index, 3);
  EXPECT_FALSE(machine.devices[0].gpu->uuid.known());
  EXPECT_EQ(machine.devices[0].gpu->nvlinks[0].number, 5);
}

TEST(SmiNvlink, AllLinksInactiveAndLinesNotReadAreSaid) {
  const Machine machine = read(
      "\t Link 9: 26.562 GB/s\n"
      "GPU 2: NVIDIA B200 (UUID: GPU-1)\n"
      "NVML: Unable to retrieve NVLink information as all links are inActive\n"
      "GPU 3: NVIDIA B200 (UUID: GPU-2)\n"
      "\t Link 0: Tx0: 5 KiB\n"
      "\t Link 0:\n");
  ASSERT_EQ(machine.remarks.size(), 3u);
  EXPECT_EQ(machine.remarks[0].text, "GPU 2: nvidia-smi says that all its NVLinks are inactive");
  EXPECT_EQ(machine.remarks[1].text, "1 link stands below no line \"GPU <number>: …\": left out");
  EXPECT_EQ(machine.remarks[2].text, "1 line about links is not read");
  EXPECT_EQ(machine.remarks[2].source.line, 5u);
}

TEST(SmiList, OtherTextsAreNotTaken) {
  for (const char* text :
       {"", "GPU 0: something", "GPU 0: x\nLink up", "GPU0: a (UUID: GPU-1)", "Link 0: 26.562 GB/s",
        "GPU 0: a (UUID: MIG-1)", "GPU 0: (UUID: GPU-1) trailing"}) {
    EXPECT_FALSE(looks_like_smi_list(text)) << text;
    EXPECT_FALSE(read_smi_list({"x", text})) << text;
  }
}

}  // namespace
}  // namespace railgauge::observe
