// Arbitrary bytes as pasted output of ethtool, and as the texts of a recording: what is recognised
// is read, what is not is refused.
#include "observe/ethtool/ethtool_paste.h"
#include "observe/sources.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using namespace railgauge::observe;
  const std::string bytes(reinterpret_cast<const char*>(data), size);
  const Input input{"fuzz", bytes};
  if (looks_like_ethtool_statistics(bytes) != read_ethtool_statistics(input).has_value())
    __builtin_trap();
  if (looks_like_ethtool_driver(bytes) != read_ethtool_driver(input).has_value()) __builtin_trap();
  if (looks_like_ethtool_pause(bytes) != read_ethtool_pause(input).has_value()) __builtin_trap();
  Recording recording;
  recording.add_link("sys/class/net/eth0/device", "../../../0000:18:00.0");
  for (const char* name : {"driver", "pause", "statistics"})
    recording.add_file("ethtool/eth0/" + std::string(name) + ".txt", bytes);
  if (!read_ethtool(recording)) __builtin_trap();
  return 0;
}
