// From the library to the machine: load, capture, read back, against the descriptions beside this
// file.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/strings.h"
#include "dynlib/nvml.h"
#include "observe/nvml/capture.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

using model::DeviceKind;
using model::Machine;
using model::P2pStatus;

std::unique_ptr<dynlib::Nvml> load(const std::string& description,
                                   const char* library = FAKE_NVML) {
  const std::string path = RAILGAUGE_SOURCE_DIR "/tests/fake_nvml/" + description;
  EXPECT_TRUE(std::filesystem::exists(path)) << path;
  setenv("RAILGAUGE_FAKE_NVML", path.c_str(), 1);
  auto nvml = dynlib::load_nvml(library);
  EXPECT_TRUE(nvml) << nvml.error().text();
  return nvml ? std::move(*nvml) : nullptr;
}

Machine machine_of(const std::string& description, const char* library = FAKE_NVML) {
  const auto nvml = load(description, library);
  Root root;
  root.nvml = nvml.get();
  Recording recording;
  capture_nvml(root, recording);
  EXPECT_TRUE(nvml_present(recording));
  auto machine = read_nvml(recording);
  EXPECT_TRUE(machine) << machine.error().text();
  return machine ? *machine : Machine{};
}

const model::Device& gpu(const Machine& machine, int index) {
  return machine[machine.indexed(DeviceKind::gpu, index).value()];
}

const model::Pair& pair(const Machine& machine, int a, int b) {
  return *machine.find_pair(machine.indexed(DeviceKind::gpu, a).value(),
                            machine.indexed(DeviceKind::gpu, b).value());
}

std::size_t remarks_with(const Machine& machine, std::string_view words) {
  return static_cast<std::size_t>(
      std::count_if(machine.remarks.begin(), machine.remarks.end(),
                    [&](const auto& remark) { return contains(remark.text, words); }));
}

std::string attribute(const model::Device& device, std::string_view key) {
  for (const auto& a : device.attributes)
    if (a.key == key) return a.value;
  return "absent";
}

// Captured once: each test looks at one aspect of the same machine.
class FakeHgxBoard : public testing::Test {
 protected:
  static void SetUpTestSuite() { machine = machine_of("hgx-h200.txt"); }
  static void TearDownTestSuite() { machine = {}; }
  static inline Machine machine;
};

TEST_F(FakeHgxBoard, HasEightGpusAndFourSwitches) {
  EXPECT_EQ(machine.of_kind(DeviceKind::gpu).size(), 8u);
  EXPECT_EQ(machine.of_kind(DeviceKind::nvswitch).size(), 4u);
  EXPECT_EQ(*machine.host.driver, "580.95.05");
  EXPECT_EQ(*machine.host.cuda, "13.0");
  EXPECT_TRUE(machine.remarks.empty()) << machine.remarks.front().text;
}

TEST_F(FakeHgxBoard, FactsOfOneGpuCarryTheCallThatGaveThem) {
  const model::Device& first = gpu(machine, 0);
  EXPECT_EQ(first.address->text(), "0000:1b:00.0");
  EXPECT_EQ(*first.name, "NVIDIA H200");
  EXPECT_EQ(*first.gpu->uuid, "GPU-00000000-1111-2222-3333-444444444440");
  EXPECT_EQ(*first.pci->id, (model::PciId{0x10de, 0x2335}));
  EXPECT_EQ(*first.gpu->compute_capability, 90);
  EXPECT_EQ(*first.gpu->memory_bytes, 150754820096u);
  EXPECT_EQ(*first.gpu->cpu_affinity, "0-47,96-143");
  EXPECT_EQ(*first.numa_node, 0);
  EXPECT_EQ(*first.gpu->p_state, "P0");
  EXPECT_EQ(*first.gpu->sm_clock_mhz, 1980);
  EXPECT_EQ(*first.gpu->memory_clock_mhz, 3201);
  EXPECT_EQ(*first.gpu->mig_enabled, false);
  EXPECT_EQ(*first.gpu->fabric_state, "completed");
  EXPECT_EQ(*first.gpu->fabric_status, "success");
  EXPECT_FALSE(first.gpu->fabric_cluster.known());
  EXPECT_EQ(attribute(first, "nvidia_minor"), "0");
  EXPECT_EQ(machine.sources.text(first.name.source()), "nvmlDeviceGetName(0)");
  EXPECT_EQ(first.name.source().trust, model::Trust::driver);
}

TEST_F(FakeHgxBoard, AffinityToTwoNodesIsNoNumaNode) {
  EXPECT_EQ(*gpu(machine, 7).gpu->numa_affinity, "0-1");
  EXPECT_FALSE(gpu(machine, 7).numa_node.known());
}

TEST_F(FakeHgxBoard, CallTheDriverRefusesIsUnknownWithItsReason) {
  const auto node = gpu(machine, 0).gpu->gpu_numa_id.reading();
  EXPECT_TRUE(node.is_failed());
  EXPECT_EQ(node.why(),
            "nvmlDeviceGetNumaNodeId(0): not supported by this GPU or driver "
            "(NVML_ERROR_NOT_SUPPORTED)");
}

TEST_F(FakeHgxBoard, SlotSlowerThanTheGpuShowsInBothNumbers) {
  const auto& link = gpu(machine, 2).pci->link;
  EXPECT_EQ(link.current_speed->generation(), 4);
  EXPECT_EQ(link.max_speed->generation(), 5);
  EXPECT_EQ(attribute(gpu(machine, 2), "pcie_max_with_slot"), "Gen4");
  EXPECT_EQ(*link.current_width, 16);
  EXPECT_TRUE(link.max_width.inferred());
}

TEST_F(FakeHgxBoard, InactiveLinkIsKeptAndCountedOut) {
  const auto& ports = gpu(machine, 3).gpu->nvlinks;
  ASSERT_EQ(ports.size(), 18u);
  EXPECT_EQ(*ports[7].active, false);
  EXPECT_EQ(machine.sources.text(ports[7].active.source()), "nvmlDeviceGetNvLinkState(3, 7)");
  EXPECT_EQ(*ports[7].errors.at("dl_recovery").value, 12u);
  EXPECT_FALSE(ports[7].errors.at("dl_ecc_data").value.known());
  EXPECT_EQ(*gpu(machine, 3).gpu->nvlink_count_max, 18);
  EXPECT_EQ(pair(machine, 0, 3).smi->text(), "NV17");
  EXPECT_EQ(pair(machine, 0, 1).smi->text(), "NV18");
}

TEST_F(FakeHgxBoard, LinkOfAnOlderGenerationKeepsItsOwnRate) {
  const auto& ports = gpu(machine, 5).gpu->nvlinks;
  EXPECT_EQ(*ports[2].version, 3);
  EXPECT_DOUBLE_EQ(ports[2].rate->value, 25.781e9);
  EXPECT_EQ(*ports[3].version, 4);
  EXPECT_DOUBLE_EQ(ports[3].rate->value, 26.562e9);
  EXPECT_EQ(ports[2].remote->text(), "0000:06:00.0");
  EXPECT_EQ(*ports[2].remote_kind, DeviceKind::nvswitch);
  EXPECT_EQ(attribute(gpu(machine, 5), "nvlink2.capabilities"),
            "p2p,sysmem,p2p_atomics,sysmem_atomics,sli,valid");
}

TEST_F(FakeHgxBoard, PcieClassOfANvlinkPairIsNotLost) {
  EXPECT_EQ(attribute(gpu(machine, 0), "pcie_class_to_gpu1"), "NODE");
  EXPECT_EQ(attribute(gpu(machine, 0), "pcie_class_to_gpu7"), "SYS");
}

TEST_F(FakeHgxBoard, ThrottleReasonsAreWords) {
  EXPECT_EQ(*gpu(machine, 6).gpu->throttle_reasons,
            (std::vector<std::string>{"sw_power_cap", "sw_thermal_slowdown"}));
  EXPECT_TRUE(gpu(machine, 0).gpu->throttle_reasons->empty());
}

TEST_F(FakeHgxBoard, StateOfOneGpuIsComplete) {
  const model::GpuFacts& first = *gpu(machine, 0).gpu;
  EXPECT_EQ(*first.vbios, "96.00.A5.00.1A");
  EXPECT_EQ(*first.serial, "1650000000001");
  EXPECT_EQ(*first.board_part_number, "692-2G520-0000-000");
  EXPECT_EQ(*first.gsp_firmware, "580.95.05");
  EXPECT_EQ(*first.persistence_mode, true);
  EXPECT_EQ(*first.compute_mode, "default");
  EXPECT_EQ(*first.addressing_mode, "none");
  EXPECT_EQ(*first.memory_used_bytes, 0u);
  EXPECT_EQ(*gpu(machine, 3).gpu->memory_used_bytes, 1048576u);
  EXPECT_EQ(*first.bar1_bytes, 274877906944u);
  EXPECT_EQ(*first.temperature_celsius, 32);
  EXPECT_EQ(*first.memory_temperature_celsius, 33);
  EXPECT_DOUBLE_EQ(*first.power_watts, 78.53);
  EXPECT_DOUBLE_EQ(*first.power_limit_watts, 700);
  EXPECT_EQ(*first.utilization_percent, 0);
  EXPECT_EQ(*first.ecc_enabled, true);
  EXPECT_EQ(*first.recovery_action, "none");
  EXPECT_EQ(*gpu(machine, 2).gpu->pcie_errors.at("replays").value, 17u);
}

TEST_F(FakeHgxBoard, FailedRowsAreCountedAndSayWhatToDo) {
  const model::GpuFacts& fourth = *gpu(machine, 4).gpu;
  EXPECT_EQ(*fourth.remapped_rows_correctable, 0);
  EXPECT_EQ(*fourth.remapped_rows_uncorrectable, 4);
  EXPECT_EQ(*fourth.remapping_pending, true);
  EXPECT_EQ(*fourth.remapping_failed, false);
  EXPECT_EQ(*fourth.recovery_action, "reset");
  ASSERT_EQ(fourth.ecc_errors.size(), 12u);
  EXPECT_EQ(*fourth.ecc_errors.at("aggregate_dram_uncorrectable").value, 5u);
  EXPECT_EQ(*fourth.ecc_errors.at("aggregate_total_uncorrectable").value, 5u);
  EXPECT_EQ(*fourth.ecc_errors.at("volatile_sram_correctable").value, 0u);
  EXPECT_EQ(machine.sources.text(fourth.ecc_errors.at("volatile_sram_correctable").value.source()),
            "nvmlDeviceGetMemoryErrorCounter(4, volatile_sram_correctable)");
}

TEST_F(FakeHgxBoard, WhatIsEmptyOrZeroForWantOfAnAnswerIsUnknown) {
  EXPECT_TRUE(gpu(machine, 5).gpu->board_part_number.reading().is_failed());
  EXPECT_TRUE(gpu(machine, 6).gpu->memory_temperature_celsius.reading().is_failed());
  EXPECT_EQ(attribute(gpu(machine, 7), "ecc_pending"), "disabled");
  EXPECT_EQ(attribute(gpu(machine, 6), "ecc_pending"), "absent");
}

TEST(FakeNvml, GpuBeforeAmpereRetiresPagesAndCountsItsMemory) {
  const Machine machine = machine_of("pcie-gns.txt");
  const model::GpuFacts& first = *gpu(machine, 0).gpu;
  EXPECT_EQ(*first.ecc_errors.at("aggregate_dram_uncorrectable").value, 2u);
  EXPECT_TRUE(first.ecc_errors.at("volatile_sram_correctable").value.reading().is_failed());
  EXPECT_FALSE(first.ecc_errors.contains("aggregate_sram_correctable")) << "refused once is enough";
  EXPECT_TRUE(first.remapping_pending.reading().is_failed());
  EXPECT_EQ(attribute(gpu(machine, 0), "retired_pages_pending"), "Yes");
}

TEST(FakeNvml, PairsWithoutPeerAccessKeepNvidiasReason) {
  const Machine machine = machine_of("pcie-gns.txt");
  const model::Pair& both = pair(machine, 0, 1);
  EXPECT_EQ(*both.p2p_read, P2pStatus::gpu_not_supported);
  EXPECT_EQ(*both.p2p_nvlink, P2pStatus::not_supported);
  EXPECT_EQ(both.smi->text(), "PIX");
  EXPECT_TRUE(both.p2p_pcie.disputed()) << "the two orders gave different answers";
  EXPECT_TRUE(gpu(machine, 0).gpu->nvlinks.empty());
  EXPECT_EQ(gpu(machine, 0).pci->link.current_speed->generation(), 1);
  EXPECT_EQ(*gpu(machine, 0).gpu->p_state, "P8");
}

TEST(FakeNvml, MigInstancesAreNamed) {
  const Machine machine = machine_of("mig.txt");
  EXPECT_EQ(*gpu(machine, 0).gpu->mig_enabled, true);
  EXPECT_EQ(gpu(machine, 0).gpu->mig_devices,
            (std::vector<std::string>{"NVIDIA H100 80GB HBM3 MIG 3g.40gb (MIG-aaaa)",
                                      "NVIDIA H100 80GB HBM3 MIG 1g.10gb (MIG-bbbb)"}));
}

TEST(FakeNvml, FabricThatHasNotStartedHasNoStatus) {
  const Machine machine = machine_of("mig.txt");
  EXPECT_EQ(*gpu(machine, 0).gpu->fabric_state, "not_started");
  EXPECT_FALSE(gpu(machine, 0).gpu->fabric_status.known());
}

TEST(FakeNvml, LostGpuIsOneErrorAndStillAGpu) {
  const Machine machine = machine_of("lost.txt");
  EXPECT_EQ(machine.of_kind(DeviceKind::gpu).size(), 3u);
  EXPECT_EQ(remarks_with(machine, "GPU 1: "), 1u);
  EXPECT_EQ(
      remarks_with(machine, "GPU 2: nvmlDeviceGetHandleByIndex_v2(2): the GPU has fallen off"), 1u);
  EXPECT_EQ(machine.remarks.front().level, model::RemarkLevel::error);
  EXPECT_EQ(gpu(machine, 1).address->text(), "0000:43:00.0");
  EXPECT_TRUE(gpu(machine, 1).gpu->vbios.refusals().empty()) << "a lost GPU is not asked again";
  EXPECT_TRUE(gpu(machine, 1).pci->link.current_width.reading().is_failed());
  EXPECT_EQ(*gpu(machine, 0).pci->link.current_width, 16);
}

TEST(FakeNvml, RemoteEndHiddenInAGuestIsUnknownWithTheReason) {
  const Machine machine = machine_of("guest.txt");
  const auto& ports = gpu(machine, 0).gpu->nvlinks;
  ASSERT_EQ(ports.size(), 2u);
  EXPECT_TRUE(contains(ports[0].remote.reading().why(), "hidden"));
  EXPECT_TRUE(contains(ports[1].remote.reading().why(), "hidden"));
  EXPECT_EQ(*ports[0].remote_kind, DeviceKind::nvswitch);
  EXPECT_FALSE(ports[1].remote_kind.known());
  EXPECT_TRUE(machine.of_kind(DeviceKind::nvswitch).empty());
  EXPECT_DOUBLE_EQ(ports[0].rate->value, 26.562e9) << "from the rate common to all links";
}

TEST(FakeNvml, BondOverHiddenEndsIsInferred) {
  const Machine machine = machine_of("guest.txt");
  EXPECT_EQ(pair(machine, 0, 1).smi->text(), "NV2");
  EXPECT_TRUE(pair(machine, 0, 1).smi.inferred());
}

TEST(FakeNvml, OlderFormOfTheFabricCallIsTheFallback) {
  const Machine machine = machine_of("guest.txt");
  EXPECT_EQ(*gpu(machine, 0).gpu->fabric_status, "NVML_ERROR_UNKNOWN");
  EXPECT_EQ(*gpu(machine, 0).gpu->fabric_cluster, "abababababababababababababababab clique 7");
  EXPECT_EQ(machine.sources.text(gpu(machine, 0).gpu->fabric_state.source()),
            "nvmlDeviceGetGpuFabricInfo(0)");
}

TEST(FakeNvml, OldDriverLeavesNewCallsUnknownAndTheRestKnown) {
  const Machine machine = machine_of("hgx-h200.txt", FAKE_NVML_OLD);
  const model::Device& first = gpu(machine, 0);
  EXPECT_EQ(*machine.host.cuda, "13.0");
  EXPECT_EQ(first.gpu->nvlinks.size(), 18u);
  EXPECT_EQ(first.pci->link.max_speed.reading().why(),
            "nvmlDeviceGetGpuMaxPcieLinkGeneration(0): the installed driver does not have this "
            "call (NVML_ERROR_FUNCTION_NOT_FOUND)");
  EXPECT_FALSE(first.gpu->fabric_state.known());
  EXPECT_FALSE(first.gpu->nvlinks[0].remote_kind.known());
  EXPECT_EQ(first.gpu->nvlinks[0].remote->text(), "0000:05:00.0");
  EXPECT_EQ(pair(machine, 0, 3).smi->text(), "NV17");
  EXPECT_TRUE(machine.remarks.empty());
}

TEST(FakeNvml, LibraryThatDoesNotMatchTheKernelModuleSaysWhatToDo) {
  setenv("RAILGAUGE_FAKE_NVML", RAILGAUGE_SOURCE_DIR "/tests/fake_nvml/mismatch.txt", 1);
  const auto nvml = dynlib::load_nvml(FAKE_NVML);
  ASSERT_FALSE(nvml);
  EXPECT_TRUE(contains(nvml.error().text(), "NVML_ERROR_LIB_RM_VERSION_MISMATCH"));
  EXPECT_TRUE(contains(nvml.error().text(), "reboot"));

  Root root;
  root.prefix = testing::TempDir();
  root.nvml_why_not = nvml.error().text();
  Recording recording;
  capture_nvml(root, recording);
  const auto machine = read_nvml(recording);
  ASSERT_TRUE(machine);
  ASSERT_EQ(machine->remarks.size(), 1u);
  EXPECT_TRUE(contains(machine->remarks[0].text, "NVML_ERROR_LIB_RM_VERSION_MISMATCH"));
}

TEST(CaptureNvml, MachineWithoutADriverRecordsNothing) {
  Root root;
  root.prefix = testing::TempDir() + "railgauge_no_driver";
  root.nvml_why_not = dynlib::load_nvml("/nowhere/libnvidia-ml.so.1").error().text();
  Recording recording;
  capture_nvml(root, recording);
  EXPECT_FALSE(nvml_present(recording));
}

TEST(CaptureNvml, DriverWithoutItsLibraryIsSaid) {
  Root root;
  root.prefix = testing::TempDir() + "railgauge_driver_only";
  std::filesystem::create_directories(root.prefix / "proc/driver/nvidia");
  root.nvml_why_not = dynlib::load_nvml("/nowhere/libnvidia-ml.so.1").error().text();
  Recording recording;
  capture_nvml(root, recording);
  const auto machine = read_nvml(recording);
  ASSERT_TRUE(machine);
  EXPECT_EQ(remarks_with(*machine, "library not found"), 1u);
}

TEST(CaptureNvml, SlowDriverLosesTheOptionalQuestionsAndSaysSo) {
  const auto nvml = load("hgx-h200.txt");
  // Each look at this clock is a second later than the one before.
  std::chrono::steady_clock::time_point time;
  const nvml::Clock slow = [&time] { return time += std::chrono::seconds(1); };
  Recording recording;
  recording.add_file("nvml.json", nvml::write_document(nvml::ask_everything(*nvml, slow)));
  const auto machine = read_nvml(recording);
  ASSERT_TRUE(machine);
  ASSERT_EQ(machine->remarks.size(), 1u);
  EXPECT_TRUE(contains(machine->remarks[0].text, "after 5000 ms"));
  EXPECT_TRUE(contains(machine->remarks[0].text, "nvmlDeviceGetGpuFabricInfo"));
  EXPECT_EQ(gpu(*machine, 7).gpu->nvlinks.size(), 18u) << "connections are always asked";
  EXPECT_FALSE(gpu(*machine, 7).gpu->p_state.known());
}

}  // namespace
}  // namespace railgauge::observe
