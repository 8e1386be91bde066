// Collected logs, when RAILGAUGE_COLLECTION names a folder of them: each gives the events that its
// row in index.tsv speaks of.
#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <map>

#include "base/files.h"
#include "observe/kernel_log/test_log.h"

namespace railgauge::observe {
namespace {

// "kind/severity/code device bits" of each event.
using Expected = std::vector<std::string>;

const std::map<std::string, Expected>& expected() {
  static const std::map<std::string, Expected> table{
      {"aer_fatal_sdes_no_recovery", {"aer/fatal 0000:00:03.0 SDES,CmpltTO"}},
      {"aer_replay_to_xid79",
       {"aer/corrected 0000:00:02.0 Timeout", "aer/fatal 0000:00:02.0 SDES",
        "xid/fatal/79 0000:02:00.0"}},
      {"aer_rxerr_flood", {"aer/corrected 0000:00:1b.0 RxErr"}},
      {"ghes_pcie_corrected", {"apei/corrected 0000:c1:00.0"}},
      {"nccl_segfault_kmsg", {"segfault/warning", "segfault/warning"}},
      {"pcie_bandwidth_limited", {"pcie_limited/warning 0003:01:00.0"}},
      {"pcie_bandwidth_report_ok",
       {"pcie_bandwidth/information 0000:18:00.0", "pcie_bandwidth/information 0000:29:00.0",
        "nic/information 0000:29:00.0", "nic/information 0000:18:00.0"}},
      {"peermem_invalid_context", {"peer_memory/information", "peer_memory/information"}},
      {"peermem_symbol_mismatch",
       {"peer_memory/nonfatal", "peer_memory/nonfatal", "peer_memory/nonfatal",
        "peer_memory/nonfatal"}},
      {"sxid_nvswitch",
       {"sxid/nonfatal/20009 0000:c3:00.0", "sxid/nonfatal/28006 0000:c3:00.0",
        "sxid/fatal/24007 0000:c3:00.0", "sxid/nonfatal/12028 0000:05:00.0",
        "sxid/nonfatal/22013 0000:0a:00.0"}},
      {"xid119_gsp_timeout", Expected(5, "xid/fatal/119 0000:9b:00.0")},
      {"xid13_graphics", {"xid/warning/13 0002:00:00.0"}},
      {"xid31_62_45",
       {"xid/warning/31 0000:01:00.0", "xid/fatal/62 0000:01:00.0", "xid/warning/45 0000:01:00.0"}},
      {"xid_memory_63_64_94_95",
       {"xid/warning/63 0000:01:00.0", "xid/fatal/64 0000:03:00.0", "xid/nonfatal/94 0000:17:00.0",
        "xid/fatal/95 0000:19:00.0"}},
  };
  return table;
}

std::string words(const model::Event& event) {
  std::string out = std::string(text(event.kind)) + "/" + std::string(text(event.severity));
  if (event.code) out += "/" + std::to_string(*event.code);
  if (event.device) out += " " + event.device->text();
  for (std::size_t i = 0; i < event.bits.size(); ++i) out += (i == 0 ? " " : ",") + event.bits[i];
  return out;
}

TEST(CollectedKernelLogs, GiveTheEventsTheyAreAbout) {
  const char* folder = std::getenv("RAILGAUGE_COLLECTION");
  if (!folder) GTEST_SKIP() << "skipped: RAILGAUGE_COLLECTION names no folder";
  std::size_t files = 0;
  for (const auto& [name, events] : expected()) {
    const auto bytes =
        read_file(std::filesystem::path(folder) / "dmesg" / (name + ".log"), 1 << 24);
    if (!bytes) continue;
    ++files;
    EXPECT_TRUE(looks_like_kernel_log(*bytes)) << name;
    const auto machine = read_log(*bytes);
    Expected found;
    for (const auto& event : machine.events) found.push_back(words(event));
    EXPECT_EQ(found, events) << name;
  }
  EXPECT_GT(files, 0u);
}

}  // namespace
}  // namespace railgauge::observe
