#include "observe/rdma/port_text.h"

#include <arpa/inet.h>
#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <span>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

// Above any port that can be bought; a larger number is not a rate.
constexpr double most_gigabits = 100'000;

struct Word {
  std::string_view said;
  std::string_view kernel;
};

std::string in_kernel_words(std::string_view text, std::span<const Word> words) {
  for (const Word& word : words)
    if (equal_nocase(text, word.said)) return std::string(word.kernel);
  return valid_utf8(text);
}

}  // namespace

Reading<std::string> port_state(std::string_view text) {
  const auto colon = text.find(':');
  const auto word = colon == std::string_view::npos ? text : trim(text.substr(colon + 1));
  if (word.empty() || word.size() > 32 || word.find_first_of("\n\r\t") != std::string_view::npos)
    return Reading<std::string>::not_reported("a state like \"4: ACTIVE\"");
  return valid_utf8(word);
}

std::string state_word(std::string_view text) {
  static constexpr std::array words{
      Word{"Initializing", "INIT"}, Word{"INIT", "INIT"},   Word{"Active", "ACTIVE"},
      Word{"Down", "DOWN"},         Word{"Armed", "ARMED"}, Word{"ACTIVE_DEFER", "ACTIVE_DEFER"}};
  if (text.starts_with("PORT_")) text.remove_prefix(5);
  return in_kernel_words(text, words);
}

std::string physical_state_word(std::string_view text) {
  // ibstat and the kernel's file say LinkUp, rdma and ibv_devinfo say LINK_UP.
  static constexpr std::array words{
      Word{"LINK_UP", "LinkUp"},
      Word{"SLEEP", "Sleep"},
      Word{"POLLING", "Polling"},
      Word{"DISABLED", "Disabled"},
      Word{"PORT_CONFIGURATION_TRAINING", "PortConfigurationTraining"},
      Word{"PORT_CONFIGURATION TRAINNING", "PortConfigurationTraining"},
      Word{"LINK_ERROR_RECOVER", "LinkErrorRecovery"},
      Word{"LINK_ERROR_RECOVERY", "LinkErrorRecovery"},
      Word{"PHY_TEST", "Phy Test"}};
  return in_kernel_words(text, words);
}

Reading<BytesPerSecond> port_rate(std::string_view text) {
  const auto words = split_blank(text.substr(0, 128));
  const auto gigabits =
      words.size() >= 2 && words[1] == "Gb/sec" ? parse_double(words[0]) : std::nullopt;
  if (!gigabits || *gigabits < 0 || *gigabits > most_gigabits)
    return Reading<BytesPerSecond>::not_reported("a rate like \"400 Gb/sec (4X NDR)\"");
  if (*gigabits == 0) return Reading<BytesPerSecond>::failed("the kernel says 0: the link is down");
  return gigabits_per_second(*gigabits);
}

Reading<std::string> port_rate_words(std::string_view text) {
  text = text.substr(0, 128);
  const auto open = text.find('(');
  const auto close = text.find(')');
  // Without them (an extended rate the kernel has no word for) nothing is odd.
  if (open == std::string_view::npos || close == std::string_view::npos || close < open + 2)
    return Reading<std::string>::failed("the kernel has no word for this rate");
  return valid_utf8(text.substr(open + 1, close - open - 1));
}

Reading<BytesPerSecond> net_speed(std::string_view text) {
  if (text == "-1" || text == "4294967295" || text == "0")
    return Reading<BytesPerSecond>::failed("the kernel says " + std::string(text) +
                                           ": the link is down, or its driver reports no speed");
  const auto megabits = parse_int(text);
  if (!megabits || *megabits < 0 || static_cast<double>(*megabits) > most_gigabits * 1000)
    return Reading<BytesPerSecond>::not_reported("a speed in Mb/s");
  return gigabits_per_second(static_cast<double>(*megabits) / 1000);
}

Reading<int> port_lid(std::string_view text) {
  std::optional<std::uint64_t> lid;
  if (text.starts_with("0x") || text.starts_with("0X")) {
    lid = parse_hex(text);
  } else if (const auto number = parse_int(text); number && *number >= 0) {
    lid = static_cast<std::uint64_t>(*number);
  }
  // 32 bits on Omni-Path, 16 elsewhere.
  if (!lid || *lid > 0x7fffffff) return Reading<int>::not_reported("a LID like 0x17f");
  if (*lid == 0) return Reading<int>::failed("0 is no LID: Ethernet, or not yet configured");
  if (*lid == 65535) return Reading<int>::failed("65535 is no LID: not yet configured");
  return static_cast<int>(*lid);
}

Reading<std::string> gid_text(std::string_view text) {
  constexpr std::size_t longest = 64;  // INET6_ADDRSTRLEN is 46
  std::array<unsigned char, 16> bytes{};
  const std::string copy(text.substr(0, longest));
  if (text.size() > longest || ::inet_pton(AF_INET6, copy.c_str(), bytes.data()) != 1 ||
      copy.find('\0') != std::string::npos)
    return Reading<std::string>::not_reported("a GID like fe80:0000:0000:0000:506b:4b03:00a1:b2c3");
  std::string out;
  bool empty = true;
  for (std::size_t i = 0; i < bytes.size(); i += 2) {
    out += fmt::format("{}{:02x}{:02x}", i == 0 ? "" : ":", bytes[i], bytes[i + 1]);
    empty = empty && bytes[i] == 0 && bytes[i + 1] == 0;
  }
  if (empty) return Reading<std::string>::failed("the row is empty");
  return out;
}

Reading<std::string> guid_text(std::string_view text) {
  std::string digits;
  for (const char c : text.substr(0, 32))
    if (c != ':') digits += c;
  const auto value = parse_hex(digits);
  if (!value || text.size() > 32)
    return Reading<std::string>::not_reported("a GUID like 506b:4b03:00a1:b2c3");
  if (*value == 0) return Reading<std::string>::failed("0 is no GUID");
  return fmt::format("{:04x}:{:04x}:{:04x}:{:04x}", *value >> 48, (*value >> 32) & 0xffff,
                     (*value >> 16) & 0xffff, *value & 0xffff);
}

Reading<std::string> gid_type(std::string_view text, std::string_view link_layer) {
  if (text == "RoCE v2" || equal_nocase(text, "v2")) return std::string("RoCE v2");
  if (text == "RoCE v1" || equal_nocase(text, "v1")) return std::string("RoCE v1");
  if (text == "IB/RoCE v1") return std::string(link_layer == "InfiniBand" ? "IB" : "RoCE v1");
  if (text == "IB") return std::string("IB");
  return Reading<std::string>::not_reported("a GID type like \"RoCE v2\"");
}

std::optional<int> roce_mtu(int netdev_mtu) {
  constexpr int headers = 40 + 8 + 12 + 4 + 28 + 4;
  for (const int mtu : {4096, 2048, 1024, 512, 256})
    if (netdev_mtu - headers >= mtu) return mtu;
  return std::nullopt;
}

Reading<int> rdma_mtu(std::string_view text) {
  const auto words = split_blank(text.substr(0, 64));
  const auto value = words.empty() ? std::nullopt : parse_int(words[0]);
  for (const int mtu : {256, 512, 1024, 2048, 4096, 8192, 10240})  // the last two on Omni-Path
    if (value == mtu) return mtu;
  return Reading<int>::not_reported("an MTU from 256 to 4096");
}

}  // namespace railgauge::observe
