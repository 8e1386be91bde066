#include "observe/record/samples.h"

#include <gtest/gtest.h>

#include "observe/sysfs/fake_tree.h"

namespace railgauge::observe {
namespace {

using std::chrono::milliseconds;

const std::string port = "sys/devices/pci0000:00/0000:00:01.0";

void errors(const FakeTree& tree, int count) {
  tree.file(port + "/aer_dev_correctable",
            "RxErr " + std::to_string(count) + "\nTOTAL_ERR_COR " + std::to_string(count) + "\n");
}

// A root port with AER, captured, then sampled after ten seconds with more errors.
Recording sampled() {
  const FakeTree tree;
  tree.function("sys/devices/pci0000:00", "0000:00:01.0", {});
  errors(tree, 3);
  Recording recording;
  capture_sysfs(tree.root(), recording);
  errors(tree, 8);
  take_sample(tree.root(), 1, milliseconds(10000), recording);
  return recording;
}

TEST(Samples, HoldOnlyWhatCounts) {
  const Recording recording = sampled();
  EXPECT_EQ(recording.list("samples/1"), (std::vector<std::string>{"sample.json", "sys"}));
  EXPECT_EQ(recording.list("samples/1/" + port), std::vector<std::string>{"aer_dev_correctable"});
  EXPECT_EQ(recording.find("samples/1/sample.json")->bytes, "{\"after_ms\": 10000}\n");
}

TEST(Samples, MakeRatesOfCounters) {
  const Recording recording = sampled();
  std::vector<std::string> remarks;
  const auto samples = samples_of(recording, remarks);
  ASSERT_EQ(samples.size(), 1u);
  EXPECT_TRUE(remarks.empty());
  auto machine = read_sysfs(recording).value();
  add_later(machine, read_sysfs(overlaid(recording, samples[0])).value(), samples[0].after_seconds);
  const auto found = machine.at(*model::PciAddress::parse("0000:00:01.0"));
  ASSERT_TRUE(found);
  const auto& counter = machine[*found].pci->aer_correctable.at("RxErr");
  EXPECT_EQ(*counter.value, 3u);
  EXPECT_DOUBLE_EQ(*counter.per_second(), 0.5);
}

TEST(Samples, OverlayHasNoSamplesOfItsOwn) {
  const Recording recording = sampled();
  std::vector<std::string> remarks;
  const Recording over = overlaid(recording, samples_of(recording, remarks).at(0));
  EXPECT_FALSE(over.has_directory("samples"));
  EXPECT_EQ(over.find(port + "/aer_dev_correctable")->bytes, "RxErr 8\nTOTAL_ERR_COR 8\n");
  EXPECT_EQ(over.find(port + "/vendor")->bytes, recording.find(port + "/vendor")->bytes);
}

TEST(Samples, WithoutATimeTheyAreRemarked) {
  Recording recording;
  recording.add_file("samples/1/x", "");
  recording.add_file("samples/2/sample.json", "{\"after_ms\": -5}");
  recording.add_file("samples/3/sample.json", "[1]");
  recording.add_file("samples/4/sample.json", "{\"after_ms\": \"soon\"}");
  recording.add_file("samples/last/x", "");
  std::vector<std::string> remarks;
  EXPECT_TRUE(samples_of(recording, remarks).empty());
  ASSERT_EQ(remarks.size(), 5u);
  EXPECT_EQ(remarks[0], "samples/1/sample.json is missing: when the sample was taken is not known");
  EXPECT_EQ(remarks[1], "samples/2/sample.json: key \"after_ms\" should be a positive number");
  EXPECT_EQ(remarks[4], "samples/\"last\" is not the number of a sample");
}

TEST(Samples, AreInTheOrderOfTheirNumbers) {
  Recording recording;
  recording.add_file("samples/2/sample.json", "{\"after_ms\": 1000}");
  recording.add_file("samples/10/sample.json", "{\"after_ms\": 9000}");
  std::vector<std::string> remarks;
  const auto samples = samples_of(recording, remarks);
  ASSERT_EQ(samples.size(), 2u);
  EXPECT_EQ(samples[0].prefix, "samples/2/");
  EXPECT_TRUE(remarks.empty());
}

TEST(Samples, ThatGoBackInTimeOrStandStillGiveNoRates) {
  for (const char* second : {"{\"after_ms\": 4000}", "{\"after_ms\": 9000}"}) {
    Recording recording;
    recording.add_file("samples/1/sample.json", "{\"after_ms\": 9000}");
    recording.add_file("samples/2/sample.json", second);
    recording.add_file("samples/3/sample.json", "{\"after_ms\": 20000}");
    std::vector<std::string> remarks;
    EXPECT_TRUE(samples_of(recording, remarks).empty());
    ASSERT_EQ(remarks.size(), 1u);
    EXPECT_TRUE(remarks[0].starts_with("samples/2/sample.json: ")) << remarks[0];
    EXPECT_NE(remarks[0].find("and samples/1/sample.json before it 9 s"), std::string::npos)
        << remarks[0];
  }
}

TEST(AddLater, InterruptOnACpuThatTookNoneBeforeCountsFromZero) {
  model::Machine first;
  const auto here = first.sources.add("proc/interrupts", model::Trust::kernel);
  model::Interrupt interrupt{.number = 77, .label = "mlx5_comp0"};
  interrupt.cpus[2].value.claim(100, here);
  first.interrupts.push_back(interrupt);
  model::Machine later = first;
  later.interrupts[0].cpus[9].value.claim(50, here);
  add_later(first, later, 10);
  EXPECT_DOUBLE_EQ(*first.interrupts[0].cpus.at(9).per_second(), 5.0);
  EXPECT_DOUBLE_EQ(*first.interrupts[0].cpus.at(2).per_second(), 0.0);
}

TEST(AddLater, InterruptThatBelongsToAnotherNowIsNotCompared) {
  model::Machine first;
  first.interrupts.push_back({.number = 77, .label = "mlx5_comp0"});
  model::Machine later = first;
  later.interrupts[0].label = "nvme0q1";
  later.interrupts[0].cpus[9].value.claim(50, {});
  add_later(first, later, 10);
  EXPECT_TRUE(first.interrupts[0].cpus.empty());
}

}  // namespace
}  // namespace railgauge::observe
