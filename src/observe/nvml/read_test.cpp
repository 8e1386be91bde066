// Reading recordings by hand: what is odd in them. Whole captures are read in tests/fake_nvml.
#include <gtest/gtest.h>

#include "base/strings.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

Result<model::Machine> read(const std::string& calls) {
  Recording recording;
  recording.add_file("nvml.json", "{\"calls\":[" + calls + "]}");
  return read_nvml(recording);
}

TEST(ReadNvml, RecordingWithoutTheFileIsNotFound) {
  EXPECT_EQ(read_nvml(Recording{}).error().kind, ErrorKind::not_found);
}

TEST(ReadNvml, UnknownCallIsSaidOnce) {
  const auto machine = read(R"({"call":"nvmlDeviceGetFuture","args":[0],"value":1},
                               {"call":"nvmlDeviceGetFuture","args":[1],"value":1})");
  ASSERT_TRUE(machine);
  EXPECT_TRUE(machine->devices.empty());
  ASSERT_EQ(machine->remarks.size(), 1u);
  EXPECT_EQ(machine->remarks[0].text,
            "a call with these arguments is not read: \"nvmlDeviceGetFuture(0)\"");
}

TEST(ReadNvml, ValueOutOfRangeIsUnknownAndRemarked) {
  const auto machine = read(R"({"call":"nvmlDeviceGetCurrPcieLinkWidth","args":[0],"value":4000})");
  ASSERT_TRUE(machine);
  ASSERT_EQ(machine->devices.size(), 1u);
  EXPECT_TRUE(machine->devices[0].pci->link.current_width.reading().is_failed());
  ASSERT_EQ(machine->remarks.size(), 1u);
  EXPECT_EQ(machine->remarks[0].text,
            "nvmlDeviceGetCurrPcieLinkWidth(0) gave a value that is not understood");
}

TEST(ReadNvml, IndexesAboveTheBoundsMakeNoDevices) {
  const auto machine = read(R"({"call":"nvmlDeviceGetName","args":[64],"value":"x"},
                               {"call":"nvmlDeviceGetNvLinkState","args":[0,72],"value":true},
                               {"call":"nvmlDeviceGetName","args":["0"],"value":"x"})");
  ASSERT_TRUE(machine);
  EXPECT_EQ(machine->remarks.size(), 2u);
  ASSERT_EQ(machine->devices.size(), 1u);
  EXPECT_TRUE(machine->devices[0].gpu->nvlinks.empty());
}

TEST(ReadNvml, DirectLinksAreCountedFromBothEnds) {
  const auto machine = read(R"(
    {"call":"nvmlDeviceGetPciInfo_v3","args":[0],"value":{"bus_id":"0:1:0","device_id":1,"subsystem_id":0}},
    {"call":"nvmlDeviceGetPciInfo_v3","args":[1],"value":{"bus_id":"0:2:0","device_id":1,"subsystem_id":0}},
    {"call":"nvmlDeviceGetNvLinkState","args":[0,0],"value":true},
    {"call":"nvmlDeviceGetNvLinkRemotePciInfo_v2","args":[0,0],"value":"0:2:0"},
    {"call":"nvmlDeviceGetNvLinkState","args":[0,1],"value":true},
    {"call":"nvmlDeviceGetNvLinkRemotePciInfo_v2","args":[0,1],"value":"0:2:0"},
    {"call":"nvmlDeviceGetNvLinkState","args":[1,0],"value":true},
    {"call":"nvmlDeviceGetNvLinkRemotePciInfo_v2","args":[1,0],"value":"0:1:0"},
    {"call":"nvmlDeviceGetTopologyCommonAncestor","args":[0,1],"value":"hostbridge"})");
  ASSERT_TRUE(machine);
  ASSERT_EQ(machine->pairs.size(), 1u);
  EXPECT_EQ(machine->pairs[0].smi->text(), "NV1");
  EXPECT_TRUE(machine->of_kind(model::DeviceKind::nvswitch).empty());
}

TEST(ReadNvml, PermissionIsANoteForEachGpuAndAnythingUnheardOfAWarning) {
  const auto machine = read(R"(
    {"call":"nvmlDeviceGetName","args":[0],"error":"NVML_ERROR_NO_PERMISSION"},
    {"call":"nvmlDeviceGetUUID","args":[0],"error":"NVML_ERROR_NO_PERMISSION"},
    {"call":"nvmlDeviceGetName","args":[1],"error":"NVML_ERROR_77"})");
  ASSERT_TRUE(machine);
  ASSERT_EQ(machine->remarks.size(), 2u);
  EXPECT_EQ(machine->remarks[0].level, model::RemarkLevel::note);
  EXPECT_EQ(machine->remarks[1].text, "GPU 1: nvmlDeviceGetName(1): NVML_ERROR_77");
  EXPECT_EQ(machine->remarks[1].level, model::RemarkLevel::warning);
}

}  // namespace
}  // namespace railgauge::observe
