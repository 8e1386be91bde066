// Answers about NVLinks, and what follows from all of them together.
#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"
#include "observe/nvml/reading_state.h"

namespace railgauge::observe::nvml {
namespace {

using model::DeviceKind;
using model::NvLinkPort;

// NVML's MB/s are 10^6 bytes: 26562 on a Hopper link.
std::optional<BytesPerSecond> rate_of(const Answer& answer) {
  const auto rate = answer.number();
  if (!rate || *rate == 0 || *rate > 10'000'000) return std::nullopt;
  return BytesPerSecond{static_cast<double>(*rate) * 1e6};
}

// A virtual machine is not told what is at the other end: all ones, or all zeros.
bool is_hidden(const std::string& bus_id) {
  const std::string text = lower(bus_id);
  const auto digits = [&](char digit) {
    return std::all_of(text.begin(), text.end(),
                       [&](char c) { return c == digit || c == ':' || c == '.' || c == '0'; });
  };
  return text.empty() || digits('0') || (text.starts_with("fff") && digits('f'));
}

void read_remote(ReadingState& s, NvLinkPort& port, const Answer& a) {
  const auto text = a.word();
  if (a.error.empty() && text && is_hidden(*text))
    return port.remote.refuse(
        fmt::format("{} gave {}: the other end is hidden, as in a virtual machine", a.source(),
                    railgauge::quoted(*text)),
        s.source(a));
  s.put(port.remote, a, text ? model::PciAddress::parse(*text) : std::nullopt);
}

void read_remote_type(ReadingState& s, NvLinkPort& port, const Answer& a) {
  const auto word = a.word();
  std::optional<DeviceKind> kind;
  if (word == "gpu") kind = DeviceKind::gpu;
  if (word == "switch") kind = DeviceKind::nvswitch;
  if (word == "npu") kind = DeviceKind::package;
  if (a.error.empty() && word == "unknown")
    return port.remote_kind.refuse(a.source() + ": the driver does not know the other end",
                                   s.source(a));
  s.put(port.remote_kind, a, kind);
}

void read_capability(ReadingState& s, NvLinkPort& port, const Answer& a) {
  const auto word = a.arg_word(2);
  model::Device* gpu = s.gpu(a);
  if (!a.flag() || !word || gpu == nullptr) return;
  // One attribute a link, its words in the order asked.
  const std::string key = fmt::format("nvlink{}.capabilities", port.number);
  const auto found = std::find_if(gpu->attributes.rbegin(), gpu->attributes.rend(),
                                  [&](const model::Attribute& x) { return x.key == key; });
  if (found == gpu->attributes.rend())
    return s.attribute(*gpu, key, *a.flag() ? *word : std::string(), a);
  // A link has six capabilities; more words are a damaged file.
  if (!*a.flag() || std::count(found->value.begin(), found->value.end(), ',') >= 8) return;
  found->value += (found->value.empty() ? "" : ",") + *word;
}

bool read_of_link(ReadingState& s, const Answer& a) {
  NvLinkPort* port = s.link(a);
  if (port == nullptr) return false;
  if (a.call == "nvmlDeviceGetNvLinkState") {
    s.put(port->active, a, a.flag());
  } else if (a.call == "nvmlDeviceGetNvLinkVersion") {
    s.put(port->version, a, bounded(a.number(), 99));
  } else if (a.call == "nvmlDeviceGetNvLinkRemotePciInfo_v2") {
    read_remote(s, *port, a);
  } else if (a.call == "nvmlDeviceGetNvLinkRemoteDeviceType") {
    read_remote_type(s, *port, a);
  } else if (a.call == "nvmlDeviceGetNvLinkCapability") {
    read_capability(s, *port, a);
  } else {
    const auto counter = a.arg_word(2);
    if (!counter || port->errors.size() >= 64) return false;
    s.put(port->errors[*counter].value, a, a.number());
  }
  return true;
}

// The rate common to all active links, for drivers that do not give the rate of each.
void read_common_rate(ReadingState& s, model::Device& gpu, const Answer& a) {
  for (NvLinkPort& port : gpu.gpu->nvlinks)
    if (port.active.value_or(false) && !port.rate) s.put(port.rate, a, rate_of(a));
}

bool read_field(ReadingState& s, const Answer& a) {
  model::Device* gpu = s.gpu(a);
  const auto field = a.arg_word(1);
  if (gpu == nullptr || !field) return false;
  if (*field == "NVML_FI_DEV_NVLINK_LINK_COUNT") {
    s.put(gpu->gpu->nvlink_count_max, a, bounded(a.number(), 1000));
  } else if (*field == "NVML_FI_DEV_NVLINK_SPEED_MBPS_COMMON") {
    read_common_rate(s, *gpu, a);
  } else if (*field == "NVML_FI_DEV_NVLINK_GET_SPEED" && a.args.size() == 3) {
    // The link is the third argument here; link() wants it second.
    Answer of_link = a;
    of_link.args = {a.args[0], a.args[2]};
    NvLinkPort* port = s.link(of_link);
    if (port == nullptr) return false;
    s.put(port->rate, a, rate_of(a));
  } else {
    return false;
  }
  return true;
}

}  // namespace

bool read_link_answer(ReadingState& state, const Answer& answer) {
  if (answer.call == "nvmlDeviceGetFieldValues") return read_field(state, answer);
  for (const char* call :
       {"nvmlDeviceGetNvLinkState", "nvmlDeviceGetNvLinkVersion",
        "nvmlDeviceGetNvLinkRemotePciInfo_v2", "nvmlDeviceGetNvLinkRemoteDeviceType",
        "nvmlDeviceGetNvLinkCapability", "nvmlDeviceGetNvLinkErrorCounter"}) {
    if (answer.call != call) continue;
    // A GPU without NVLink, or without this link, answers so: that is no link. Any other error is a
    // link whose state is unknown.
    const bool no_link = answer.error == "NVML_ERROR_NOT_SUPPORTED" ||
                         answer.error == "NVML_ERROR_INVALID_ARGUMENT" ||
                         answer.error == "NVML_ERROR_FUNCTION_NOT_FOUND";
    if (no_link && answer.call == "nvmlDeviceGetNvLinkState") return state.gpu(answer) != nullptr;
    return read_of_link(state, answer);
  }
  return false;
}

}  // namespace railgauge::observe::nvml
