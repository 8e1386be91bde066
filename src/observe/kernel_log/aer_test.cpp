#include <gtest/gtest.h>

#include "observe/kernel_log/aer_bits.h"
#include "observe/kernel_log/scanner.h"
#include "observe/kernel_log/test_log.h"

namespace railgauge::observe {
namespace {

using model::Event;
using model::EventKind;
using model::EventSeverity;
using Bits = std::vector<std::string>;

TEST(Aer, FourLinesAreOneEvent) {
  const auto machine = read_log(
      "[ 10.000001] pcieport 0000:14:01.0: AER: Corrected error received: 0000:15:00.0\n"
      "[ 10.000002] mlx5_core 0000:15:00.0: PCIe Bus Error: severity=Corrected, type=Physical "
      "Layer, (Receiver ID)\n"
      "[ 10.000003] mlx5_core 0000:15:00.0:   device [15b3:1021] error "
      "status/mask=00000041/00002000\n"
      "[ 10.000004] mlx5_core 0000:15:00.0:    [ 0] RxErr                 \n"
      "[ 10.000005] mlx5_core 0000:15:00.0:    [ 6] BadTLP                 (First)\n");
  ASSERT_EQ(machine.events.size(), 1u);
  const Event& event = machine.events[0];
  EXPECT_EQ(event.kind, EventKind::aer);
  EXPECT_EQ(event.severity, EventSeverity::corrected);
  EXPECT_EQ(event.device, at("0000:15:00.0"));
  EXPECT_EQ(event.reporter, at("0000:14:01.0"));
  EXPECT_EQ(event.layer, "Physical Layer");
  EXPECT_EQ(event.bits, (Bits{"BadTLP", "RxErr"}));
  EXPECT_EQ(event.source.line, 1u);
  EXPECT_DOUBLE_EQ(*event.uptime_seconds, 10.000001);
  ASSERT_EQ(machine.devices.size(), 2u);
  EXPECT_EQ(machine[*machine.at(at("0000:15:00.0"))].kind, model::DeviceKind::nic);
}

TEST(Aer, IdsAndLongNamesOfOldKernels) {
  const auto machine = read_log(
      "pcieport 0001:00:02.0: AER: Multiple Corrected error received: id=0010\n"
      "pcieport 0001:00:02.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer, "
      "id=0010(Transmitter ID)\n"
      "pcieport 0001:00:02.0:   device [8086:6f04] error status/mask=00001000/00002000\n"
      "pcieport 0001:00:02.0:    [12] Replay Timer Timeout  \n");
  ASSERT_EQ(machine.events.size(), 1u);
  EXPECT_EQ(machine.events[0].device, at("0001:00:02.0"));
  EXPECT_EQ(machine.events[0].layer, "Data Link Layer");
  EXPECT_EQ(machine.events[0].bits, Bits{"Timeout"});
}

TEST(Aer, WordsOfNewKernels) {
  const auto machine = read_log(
      "pcieport 0000:00:01.0: AER: Uncorrectable (Non-Fatal) error message received from "
      "0000:01:00.0\n"
      "nvme 0000:01:00.0: PCIe Bus Error: severity=Uncorrectable (Non-Fatal), type=Transaction "
      "Layer, (Requester ID)\n"
      "nvme 0000:01:00.0:   device [144d:a80a] error status/mask=00100000/00400000\n"
      "nvme 0000:01:00.0:    [20] UnsupReq               (First)\n"
      "nvme 0000:01:00.0: AER:   TLP Header: 40000001 0000000f 00000000 00000000\n"
      "pcieport 0000:00:01.0: AER: broadcast error_detected message\n"
      "pcieport 0000:00:01.0: AER: device recovery successful\n");
  ASSERT_EQ(machine.events.size(), 1u);
  EXPECT_EQ(machine.events[0].severity, EventSeverity::nonfatal);
  EXPECT_EQ(machine.events[0].bits, Bits{"UnsupReq"});
  EXPECT_NE(machine.events[0].text.find("device recovery successful"), std::string::npos);
  EXPECT_EQ(machine.events[0].text.find("broadcast"), std::string::npos);
}

TEST(Aer, TwoReportsInterleave) {
  const auto machine = read_log(
      "pcieport 0000:00:01.0: AER: Corrected error received: 0000:01:00.0\n"
      "pcieport 0000:40:01.0: AER: Corrected error received: 0000:41:00.0\n"
      "ice 0000:41:00.0: PCIe Bus Error: severity=Corrected, type=Data Link Layer, (Receiver ID)\n"
      "ice 0000:01:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver ID)\n"
      "ice 0000:41:00.0:   device [8086:1592] error status/mask=00000080/00000000\n"
      "ice 0000:01:00.0:   device [8086:1592] error status/mask=00000001/00000000\n"
      "ice 0000:01:00.0:    [ 0] RxErr                  (First)\n"
      "ice 0000:41:00.0:    [ 7] BadDLLP                (First)\n");
  ASSERT_EQ(machine.events.size(), 2u);
  EXPECT_EQ(machine.events[0].device, at("0000:01:00.0"));
  EXPECT_EQ(machine.events[0].reporter, at("0000:00:01.0"));
  EXPECT_EQ(machine.events[0].bits, Bits{"RxErr"});
  EXPECT_EQ(machine.events[1].device, at("0000:41:00.0"));
  EXPECT_EQ(machine.events[1].layer, "Data Link Layer");
  EXPECT_EQ(machine.events[1].bits, Bits{"BadDLLP"});
}

TEST(Aer, HeaderThatNamesThePortIsAboutTheDeviceThatFollows) {
  const auto machine = read_log(
      "pcieport 0000:00:01.0: AER: Multiple Corrected error received: 0000:00:00.0\n"
      "nvidia 0000:01:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver "
      "ID)\n"
      "nvidia 0000:01:00.0:   device [10de:2330] error status/mask=00000001/00000000\n"
      "nvidia 0000:02:00.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver "
      "ID)\n");
  ASSERT_EQ(machine.events.size(), 2u);
  EXPECT_EQ(machine.events[0].device, at("0000:01:00.0"));
  EXPECT_EQ(machine.events[1].device, at("0000:02:00.0"));
  EXPECT_EQ(machine.events[1].reporter, at("0000:00:01.0"));
}

TEST(Aer, FloodOfReportsIsOneEventEach) {
  std::string text;
  for (int i = 0; i < 50; ++i)
    text +=
        "pcieport 0000:00:1b.0: AER: Corrected error received: 0000:00:1b.0\n"
        "pcieport 0000:00:1b.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, "
        "(Receiver ID)\n"
        "pcieport 0000:00:1b.0:   device [8086:a29a] error status/mask=00000001/00002000\n"
        "pcieport 0000:00:1b.0:    [ 0] RxErr                  (First)\n";
  EXPECT_EQ(read_log(text).events.size(), 50u);
}

TEST(Aer, CutReportSaysWhatIsLeft) {
  const auto tail = read_log("pcieport 0000:00:03.0:    [ 5] SDES                   (First)\n");
  ASSERT_EQ(tail.events.size(), 1u);
  EXPECT_EQ(tail.events[0].severity, EventSeverity::nonfatal);
  EXPECT_EQ(tail.events[0].bits, Bits{"SDES"});
  const auto middle = read_log(
      "pcieport 0000:00:03.0: PCIe Bus Error: severity=Uncorrected (Fatal), type=Transaction "
      "Layer, (Requester ID)\n"
      "pcieport 0000:00:03.0:   device [8086:6f08] error status/mask=00004020/00000000\n");
  ASSERT_EQ(middle.events.size(), 1u);
  EXPECT_EQ(middle.events[0].severity, EventSeverity::fatal);
  EXPECT_EQ(middle.events[0].bits, (Bits{"SDES", "CmpltTO"}));
}

TEST(Aer, StatusWithoutAHeadIsOfTheRegisterThatHasItsBits) {
  const auto machine =
      read_log("pcieport 0000:00:03.0:   device [8086:6f08] error status/mask=00100000/00000000\n");
  ASSERT_EQ(machine.events.size(), 1u);
  EXPECT_EQ(machine.events[0].severity, EventSeverity::nonfatal);
  EXPECT_EQ(machine.events[0].bits, Bits{"UnsupReq"});
}

TEST(Aer, ReportOverTheBoundIsCountedOnce) {
  EventLog log("dmesg.txt", 1);
  const std::string text =
      "pcieport 0000:00:1b.0: AER: Corrected error received: 0000:00:1b.0\n"
      "pcieport 0000:00:1b.0: PCIe Bus Error: severity=Corrected, type=Physical Layer, (Receiver "
      "ID)\n"
      "pcieport 0000:00:1b.0:   device [8086:a29a] error status/mask=00000001/00002000\n"
      "pcieport 0000:00:1b.0:    [ 0] RxErr                  (First)\n";
  LogScanner().scan(text + text + text, log, [](std::string_view, std::uint32_t) { return true; });
  const auto machine = log.finish();
  EXPECT_EQ(machine.events.size(), 1u);
  ASSERT_EQ(machine.remarks.size(), 1u);
  EXPECT_EQ(machine.remarks[0].text, "2 more events after the first 1 are not kept");
}

TEST(Aer, SuppressedAndRepeatedLinesCount) {
  const auto machine = read_log(
      "Feb 23 16:24:18 n1 kernel: pcieport 0000:00:1b.0: AER: Corrected error received: "
      "0000:00:1b.0\n"
      "Feb 23 16:24:19 n1 kernel: aer_print_error: 12 callbacks suppressed\n"
      "Feb 23 16:24:20 n1 kernel: pcieport 0000:00:1b.0: AER: 34 errors suppressed\n"
      "Feb 23 16:24:30 n1 kernel: message repeated 3 times: [ pcieport 0000:00:1b.0: AER: "
      "Corrected error received: 0000:00:1b.0]\n");
  ASSERT_EQ(machine.events.size(), 2u);
  EXPECT_EQ(machine.events[0].count, 47u);
  EXPECT_EQ(machine.events[1].count, 3u);
  EXPECT_EQ(model::event_groups(machine.events)[0].count, 50u);
}

TEST(Aer, EveryBitOfTheRegistersHasOneName) {
  EXPECT_EQ(aer_bits(true, 0xf1c1), (Bits{"RxErr", "BadTLP", "BadDLLP", "Rollover", "Timeout",
                                          "NonFatalErr", "CorrIntErr", "HeaderOF"}));
  EXPECT_EQ(aer_bits(false, 0x40004020), (Bits{"SDES", "CmpltTO", "PCRC_CHECK"}));
  EXPECT_EQ(aer_bits(true, 0x2), Bits{"bit 1"});
}

TEST(Apei, BlockIsOneEventAndTheAerLinesAfterItBelongToIt) {
  const auto machine = read_log(
      "{7}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 512\n"
      "{7}[Hardware Error]: event severity: corrected\n"
      "{7}[Hardware Error]:  Error 0, type: corrected\n"
      "{7}[Hardware Error]:   section_type: PCIe error\n"
      "{7}[Hardware Error]:   port_type: 0, PCIe end point\n"
      "{7}[Hardware Error]:   device_id: 0000:c1:00.0\n"
      "{7}[Hardware Error]:   aer_cor_status: 0x00000001, aer_cor_mask: 0x00002000\n"
      "{7}[Hardware Error]:   aer_uncor_status: 0x00100000, aer_uncor_mask: 0x00000000\n"
      "bnxt_en 0000:c1:00.0: aer_status: 0x00000001, aer_mask: 0x00002000\n"
      "bnxt_en 0000:c1:00.0:    [ 0] RxErr                  (First)\n"
      "bnxt_en 0000:c1:00.0: aer_layer=Physical Layer, aer_agent=Receiver ID\n");
  ASSERT_EQ(machine.events.size(), 1u);
  EXPECT_EQ(machine.events[0].kind, EventKind::apei);
  EXPECT_EQ(machine.events[0].severity, EventSeverity::corrected);
  EXPECT_EQ(machine.events[0].device, at("0000:c1:00.0"));
  EXPECT_EQ(machine.events[0].layer, "Physical Layer");
  EXPECT_EQ(machine.events[0].bits, Bits{"RxErr"});
}

TEST(Apei, BlocksInterleaveAndMemoryIsAMemoryError) {
  const auto machine = read_log(
      "{1}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 1\n"
      "{2}[Hardware Error]: Hardware error from APEI Generic Hardware Error Source: 2\n"
      "{1}[Hardware Error]: event severity: fatal\n"
      "{2}[Hardware Error]: event severity: recoverable\n"
      "{2}[Hardware Error]:   section_type: memory error\n"
      "{2}[Hardware Error]:   error_type: 3, multi-bit ECC\n"
      "{1}[Hardware Error]:   section_type: PCIe error\n"
      "{1}[Hardware Error]:   device_id: 0000:17:00.0\n");
  ASSERT_EQ(machine.events.size(), 2u);
  EXPECT_EQ(machine.events[0].kind, EventKind::apei);
  EXPECT_EQ(machine.events[0].severity, EventSeverity::fatal);
  EXPECT_EQ(machine.events[1].kind, EventKind::memory_error);
  EXPECT_EQ(machine.events[1].severity, EventSeverity::nonfatal);
  EXPECT_NE(machine.events[1].text.find("multi-bit ECC"), std::string::npos);
}

}  // namespace
}  // namespace railgauge::observe
