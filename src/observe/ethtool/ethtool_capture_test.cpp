#include "observe/ethtool/ethtool_capture.h"

#include <gtest/gtest.h>
#include <linux/ethtool.h>

#include <cerrno>
#include <cstring>

namespace railgauge::observe {
namespace {

// A driver that answers from a list, as the kernel fills the structs.
struct FakeDriver {
  std::vector<std::pair<std::string, std::uint64_t>> statistics;
  std::uint32_t claimed_count = 0;  // by GSSET_INFO; 0: the true one
  bool pause_supported = true;

  int operator()(const std::string& netdev, void* data) const {
    if (netdev != "eth0") return ENODEV;
    std::uint32_t command = 0;
    std::memcpy(&command, data, sizeof command);
    const auto count = static_cast<std::uint32_t>(statistics.size());
    switch (command) {
      case ETHTOOL_GDRVINFO: {
        auto* info = static_cast<ethtool_drvinfo*>(data);
        std::strcpy(info->driver, "mlx5_core");
        std::strcpy(info->version, "6.8.0");
        std::strcpy(info->fw_version, "28.39.1002 (MT_0000000838)");
        std::strcpy(info->bus_info, "0000:18:00.0");
        return 0;
      }
      case ETHTOOL_GSSET_INFO: {
        const std::uint32_t said = claimed_count != 0 ? claimed_count : count;
        std::memcpy(static_cast<char*>(data) + sizeof(ethtool_sset_info), &said, sizeof said);
        return 0;
      }
      case ETHTOOL_GSTRINGS:
        static_cast<ethtool_gstrings*>(data)->len = count;
        for (std::uint32_t i = 0; i < count; ++i)
          std::strncpy(static_cast<char*>(data) + sizeof(ethtool_gstrings) + i * ETH_GSTRING_LEN,
                       statistics[i].first.c_str(), ETH_GSTRING_LEN - 1);
        return 0;
      case ETHTOOL_GSTATS:
        static_cast<ethtool_stats*>(data)->n_stats = count;
        for (std::uint32_t i = 0; i < count; ++i)
          std::memcpy(static_cast<char*>(data) + sizeof(ethtool_stats) + i * 8,
                      &statistics[i].second, 8);
        return 0;
      case ETHTOOL_GPAUSEPARAM: {
        if (!pause_supported) return EOPNOTSUPP;
        auto* pause = static_cast<ethtool_pauseparam*>(data);
        pause->rx_pause = 1;
        return 0;
      }
      default: return EINVAL;
    }
  }
};

Recording netdevs() {
  Recording recording;
  recording.add_link("sys/class/net/eth0/device", "../../../0000:18:00.0");
  recording.add_link("sys/class/net/eth5/device", "../../../0000:18:00.0");
  recording.add_file("sys/class/net/eth5/phys_port_name", "pf0vf3\n");
  recording.add_link("sys/class/net/usb0/device", "../../../2-1.4:1.0");
  return recording;
}

Recording captured(const FakeDriver& driver) {
  Recording recording;
  capture_ethtool(driver, netdevs(), EthtoolAsk::everything, recording);
  return recording;
}

TEST(EthtoolCapture, AnswersAreTheTextsThatEthtoolPrints) {
  const Recording recording = captured({{{"rx_packets", 5}, {"[0]: tx_bytes", ~0ull}}, 0, true});
  EXPECT_EQ(recording.find("ethtool/eth0/statistics.txt")->bytes,
            "NIC statistics:\n     rx_packets: 5\n     [0]: tx_bytes: 18446744073709551615\n");
  EXPECT_EQ(recording.find("ethtool/eth0/driver.txt")->bytes,
            "driver: mlx5_core\nversion: 6.8.0\nfirmware-version: 28.39.1002 (MT_0000000838)\n"
            "expansion-rom-version: \nbus-info: 0000:18:00.0\n");
  EXPECT_EQ(recording.find("ethtool/eth0/pause.txt")->bytes,
            "Pause parameters for eth0:\nAutonegotiate:\toff\nRX:\t\ton\nTX:\t\toff\n");
}

TEST(EthtoolCapture, OnlyPortsOfPciFunctionsAreAsked) {
  const Recording recording = captured({{{"rx_packets", 5}}, 0, true});
  EXPECT_EQ(recording.list("ethtool"), std::vector<std::string>{"eth0"});
}

TEST(EthtoolCapture, RefusalsAreKeptWithTheSystemsWords) {
  const Recording recording = captured({{{"rx_packets", 5}}, 0, false});
  const Entry* pause = recording.find("ethtool/eth0/pause.txt");
  ASSERT_NE(pause, nullptr);
  EXPECT_EQ(pause->kind, Entry::Kind::refused);
  EXPECT_EQ(pause->bytes, "Operation not supported");
}

TEST(EthtoolCapture, MoreStatisticsThanWeReadAreRefused) {
  const Recording recording = captured({{{"rx_packets", 5}}, 1'000'000, true});
  EXPECT_EQ(recording.find("ethtool/eth0/statistics.txt")->bytes,
            "the driver has 1000000 statistics; the most we read is 8192");
}

TEST(EthtoolCapture, NumberThatChangesInBetweenIsRefused) {
  const Recording recording = captured({{{"rx_packets", 5}}, 2, true});
  EXPECT_EQ(recording.find("ethtool/eth0/statistics.txt")->bytes,
            "the number of statistics changed while they were read");
}

TEST(EthtoolCapture, NamesThatWouldBreakLinesAreMadeHarmless) {
  const Recording recording = captured({{{"rx\nbytes", 5}}, 0, true});
  EXPECT_EQ(recording.find("ethtool/eth0/statistics.txt")->bytes,
            "NIC statistics:\n     rx?bytes: 5\n");
}

TEST(EthtoolCapture, LaterSampleHasStatisticsAlone) {
  Recording sample;
  capture_ethtool(FakeDriver{{{"rx_packets", 9}}, 0, true}, netdevs(), EthtoolAsk::statistics,
                  sample);
  EXPECT_EQ(sample.entries.size(), 1u);
  EXPECT_NE(sample.find("ethtool/eth0/statistics.txt"), nullptr);
}

}  // namespace
}  // namespace railgauge::observe
