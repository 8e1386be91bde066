#include "observe/ethtool/ethtool_capture.h"

#include <fmt/format.h>
#include <linux/ethtool.h>

#include <cstring>
#include <memory>
#include <new>

#include "base/strings.h"
#include "observe/rdma/net_places.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t room = 2 * most_statistics;
// Each is asked four times, at some 100 us each for a driver that asks its firmware.
constexpr std::size_t most_netdevs = 256;

// The kernel's structs end in an array without a size.
template <class Head>
class Answer {
 public:
  explicit Answer(std::size_t tail_bytes)
      : bytes_(static_cast<std::byte*>(::operator new(sizeof(Head) + tail_bytes))) {
    std::memset(bytes_.get(), 0, sizeof(Head) + tail_bytes);
  }
  Head* operator->() { return std::launder(reinterpret_cast<Head*>(bytes_.get())); }
  void* data() { return bytes_.get(); }
  template <class T>
  T at(std::size_t offset) const {
    T value;
    std::memcpy(&value, bytes_.get() + sizeof(Head) + offset, sizeof value);
    return value;
  }
  std::string_view text(std::size_t offset, std::size_t bytes) const {
    const char* begin = reinterpret_cast<const char*>(bytes_.get()) + sizeof(Head) + offset;
    return {begin, ::strnlen(begin, bytes)};
  }

 private:
  struct Free {
    void operator()(std::byte* p) const { ::operator delete(p); }
  };
  std::unique_ptr<std::byte, Free> bytes_;
};

tl::unexpected<Error> refused(int code) { return fail(ErrorKind::device, std::strerror(code)); }

// A driver may write what it likes; a text of lines must stay one.
std::string printable(std::string_view text) {
  std::string out = valid_utf8(text);
  for (char& c : out)
    if (static_cast<unsigned char>(c) < ' ' || c == '\x7f') c = '?';
  return out;
}

template <std::size_t size>
std::string field(const char (&text)[size]) {
  return printable({text, ::strnlen(text, size)});
}

Result<std::size_t> statistics_count(const EthtoolCall& call, const std::string& netdev) {
  Answer<ethtool_sset_info> info(sizeof(std::uint32_t));
  info->cmd = ETHTOOL_GSSET_INFO;
  info->sset_mask = 1u << ETH_SS_STATS;
  if (const int code = call(netdev, info.data()); code != 0) return refused(code);
  const std::size_t count = info->sset_mask == 0 ? 0 : info.at<std::uint32_t>(0);
  if (count > most_statistics)
    return fail(ErrorKind::limit,
                fmt::format("the driver has {} statistics; the most we read is {}", count,
                            most_statistics));
  return count;
}

Result<std::string> driver_text(const EthtoolCall& call, const std::string& netdev) {
  ethtool_drvinfo info{};
  info.cmd = ETHTOOL_GDRVINFO;
  if (const int code = call(netdev, &info); code != 0) return refused(code);
  return fmt::format(
      "driver: {}\nversion: {}\nfirmware-version: {}\nexpansion-rom-version: {}\nbus-info: {}\n",
      field(info.driver), field(info.version), field(info.fw_version), field(info.erom_version),
      field(info.bus_info));
}

Result<std::string> pause_text(const EthtoolCall& call, const std::string& netdev) {
  ethtool_pauseparam pause{};
  pause.cmd = ETHTOOL_GPAUSEPARAM;
  if (const int code = call(netdev, &pause); code != 0) return refused(code);
  const auto word = [](std::uint32_t on) { return on != 0 ? "on" : "off"; };
  return fmt::format("Pause parameters for {}:\nAutonegotiate:\t{}\nRX:\t\t{}\nTX:\t\t{}\n",
                     printable(netdev), word(pause.autoneg), word(pause.rx_pause),
                     word(pause.tx_pause));
}

void keep_answer(Result<std::string> text, const std::string& path, Recording& recording) {
  if (text)
    recording.add_file(path, std::move(*text));
  else
    recording.add_refused(path, text.error().text());
}

}  // namespace

Result<std::string> ethtool_statistics(const EthtoolCall& call, const std::string& netdev) {
  const auto count = statistics_count(call, netdev);
  if (!count) return tl::unexpected(count.error());
  Answer<ethtool_gstrings> names(room * ETH_GSTRING_LEN);
  names->cmd = ETHTOOL_GSTRINGS;
  names->string_set = ETH_SS_STATS;
  names->len = static_cast<std::uint32_t>(*count);
  if (const int code = call(netdev, names.data()); code != 0) return refused(code);
  Answer<ethtool_stats> values(room * sizeof(std::uint64_t));
  values->cmd = ETHTOOL_GSTATS;
  values->n_stats = static_cast<std::uint32_t>(*count);
  if (const int code = call(netdev, values.data()); code != 0) return refused(code);
  if (names->len != *count || values->n_stats != *count)
    return fail(ErrorKind::device, "the number of statistics changed while they were read");
  std::string text = "NIC statistics:\n";
  for (std::size_t i = 0; i < *count; ++i)
    text +=
        fmt::format("     {}: {}\n", printable(names.text(i * ETH_GSTRING_LEN, ETH_GSTRING_LEN)),
                    values.at<std::uint64_t>(i * sizeof(std::uint64_t)));
  return text;
}

void capture_ethtool(const EthtoolCall& call, const Recording& netdevs, EthtoolAsk ask,
                     Recording& recording) {
  std::size_t asked = 0;
  for (const std::string& netdev : netdevs_of_pci_functions(netdevs)) {
    if (++asked > most_netdevs)
      return recording.add_refused(
          "ethtool",
          fmt::format("more than {} network devices; the rest is not asked", most_netdevs));
    const std::string path = "ethtool/" + netdev + "/";
    keep_answer(ethtool_statistics(call, netdev), path + "statistics.txt", recording);
    if (ask == EthtoolAsk::statistics) continue;
    keep_answer(driver_text(call, netdev), path + "driver.txt", recording);
    keep_answer(pause_text(call, netdev), path + "pause.txt", recording);
  }
}

}  // namespace railgauge::observe
