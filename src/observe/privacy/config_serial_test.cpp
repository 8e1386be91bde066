#include "observe/privacy/config_serial.h"

#include <gtest/gtest.h>

#include "observe/privacy/identities.h"

namespace railgauge::observe {
namespace {

// Extended space: a Device Serial Number at 0x100, then Access Control Services at 0x10c.
std::string config() {
  std::string bytes(0x120, '\0');
  const std::string serial("\x03\x00\xc1\x10\xaa\xbb\xcc\xdd\xee\xff\x11\x22", 12);
  bytes.replace(0x100, serial.size(), serial);
  bytes.replace(0x10c, 4, std::string("\x0d\x00\x01\x00", 4));
  return bytes;
}

TEST(ConfigSerial, SerialIsZeroedAndTheRestKept) {
  std::string expected = config();
  expected.replace(0x104, 8, std::string(8, '\0'));
  EXPECT_EQ(privacy::without_device_serial(config()), expected);
}

TEST(ConfigSerial, SpaceWithoutOneOrCutInsideStays) {
  EXPECT_EQ(privacy::without_device_serial(std::string(64, '\x55')), std::string(64, '\x55'));
  std::string expected = config().substr(0, 0x104) + std::string(2, '\0');
  EXPECT_EQ(privacy::without_device_serial(config().substr(0, 0x106)), expected);
}

TEST(ConfigSerial, RecordingLosesIt) {
  Recording recording;
  recording.add_file("sys/devices/pci0000:00/0000:00:01.0/config", config());
  const Recording replaced = replace_identities(recording, identity_key("a secret"), {});
  EXPECT_EQ(replaced.find("sys/devices/pci0000:00/0000:00:01.0/config")->bytes,
            privacy::without_device_serial(config()));
}

}  // namespace
}  // namespace railgauge::observe
