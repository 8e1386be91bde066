#include "observe/nvidia_smi/links.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "observe/nvidia_smi/list_lines.h"
#include "observe/nvidia_smi/smi_machine.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace nvidia_smi {
namespace {

using model::NvLinkPort;

enum What : std::uint32_t { header, active, remote, counter_base, capability_base = 32 };
constexpr std::size_t mig_devices_max = 64;

struct Named {
  std::string_view words;
  const char* name;
};
// Names as the reader of NVML gives them, so that both say the same counter.
constexpr std::array<Named, 3> counters{
    {{"Replay Errors", "dl_replay"}, {"Recovery Errors", "dl_recovery"}, {"CRC Errors", "dl_crc"}}};
constexpr std::array<Named, 6> link_capabilities{
    {{"P2P is supported", "p2p"},
     {"Access to system memory supported", "sysmem"},
     {"P2P atomics supported", "p2p_atomics"},
     {"System memory atomics supported", "sysmem_atomics"},
     {"SLI is supported", "sli"},
     {"Link is supported", "valid"}}};

class ListReading {
 public:
  explicit ListReading(const Input& input) : machine_(input) {}

  void read(std::string_view text) {
    for (LineCursor lines(text); lines.next();) read_line(lines.line(), lines.number());
  }

  bool found() const { return found_; }

  model::Machine finish() {
    if (stray_ > 0)
      machine_.warn(first_stray_line_, fmt::format("{} below no line \"GPU <number>: …\": left out",
                                                   counted(stray_, "link stands", "links stand")));
    if (other_ > 0)
      machine_.note(first_other_line_, counted(other_, "line about links is not read",
                                               "lines about links are not read"));
    return machine_.finish();
  }

 private:
  void read_line(std::string_view line, std::uint32_t number) {
    if (const auto gpu = gpu_line(line)) return begin_gpu(*gpu, number);
    if (const auto mig = mig_line(line)) return read_mig(*mig);
    if (contains(line, "all links are inActive") && gpu_)
      return machine_.warn(number,
                           fmt::format("GPU {}: nvidia-smi says that all its NVLinks are inactive",
                                       *machine_.machine[*gpu_].index));
    if (const auto link = link_line(line)) return read_link(*link, number);
  }

  // Without a UUID the line is nvidia-smi's only when links follow, so it waits for them.
  void begin_gpu(const GpuLine& gpu, std::uint32_t line) {
    gpu_.reset();
    waiting_ = gpu;
    waiting_line_ = line;
    if (!gpu.uuid.empty()) make_gpu();
  }

  void make_gpu() {
    found_ = true;
    gpu_ = machine_.at_index(waiting_->index, waiting_line_);
    if (gpu_ && machine_.first_time(*gpu_, header)) {
      model::Device& device = machine_.machine[*gpu_];
      const auto here = machine_.at(waiting_line_);
      device.name.claim(valid_utf8(waiting_->name), here);
      if (!waiting_->uuid.empty()) device.gpu->uuid.claim(valid_utf8(waiting_->uuid), here);
    }
    waiting_.reset();
  }

  void read_mig(const MigLine& mig) {
    if (!gpu_) return;
    auto& list = machine_.machine[*gpu_].gpu->mig_devices;
    auto name = valid_utf8(fmt::format("{} ({})", mig.profile, mig.uuid));
    if (list.size() < mig_devices_max && std::find(list.begin(), list.end(), name) == list.end())
      list.push_back(std::move(name));
  }

  void read_link(const LinkLine& link, std::uint32_t line) {
    if (waiting_) make_gpu();
    if (!gpu_) {
      if (stray_++ == 0) first_stray_line_ = line;
      return;
    }
    if (link.rest.empty()) return;  // opens a list of lanes
    if (read_state(link, line) || read_remote(link, line) || read_counter(link, line) ||
        read_capability(link, line))
      return;
    if (other_++ == 0) first_other_line_ = line;
  }

  NvLinkPort& port(int number) {
    auto& ports = machine_.machine[*gpu_].gpu->nvlinks;
    const auto at = std::lower_bound(ports.begin(), ports.end(), number,
                                     [](const auto& p, int n) { return p.number < n; });
    if (at != ports.end() && at->number == number) return *at;
    NvLinkPort made;
    made.number = number;
    return *ports.insert(at, std::move(made));
  }

  bool first(std::uint32_t what, const LinkLine& link) {
    return machine_.first_time(*gpu_, what, static_cast<std::uint32_t>(link.number));
  }

  bool read_state(const LinkLine& link, std::uint32_t line) {
    constexpr std::string_view unit = " GB/s";
    const bool inactive = link.rest == "<inactive>" || link.rest == "inActive";
    std::optional<double> rate;
    if (link.rest.ends_with(unit))
      rate = parse_double(trim(link.rest.substr(0, link.rest.size() - unit.size())));
    if (!inactive && !(rate && *rate > 0 && *rate < 1e5)) return false;
    if (!first(active, link)) return true;
    NvLinkPort& p = port(link.number);
    p.active.claim(!inactive, machine_.at(line));
    if (rate) p.rate.claim(gigabytes_per_second(*rate), machine_.at(line));
    return true;
  }

  // "00000000:CD:00.0", or "Remote Device 00000000:CD:00.0: Link 25".
  bool read_remote(const LinkLine& link, std::uint32_t line) {
    std::string_view rest = link.rest;
    constexpr std::string_view words = "Remote Device ";
    if (rest.starts_with(words)) rest = rest.substr(words.size());
    const auto address = as_long_address(rest.substr(0, 16));
    if (!address || (rest.size() > 16 && rest[16] != ':')) return false;
    if (!first(remote, link)) return true;
    auto& fact = port(link.number).remote;
    if (is_hidden_address(rest.substr(0, 16)))
      fact.refuse("nvidia-smi says " + railgauge::quoted(rest.substr(0, 16)) +
                      ": the other end is hidden, as in a virtual machine",
                  machine_.at(line));
    else
      fact.claim(*address, machine_.at(line));
    return true;
  }

  bool read_counter(const LinkLine& link, std::uint32_t line) {
    const std::size_t colon = link.rest.find(':');
    for (std::uint32_t i = 0; i < counters.size(); ++i) {
      if (colon == std::string_view::npos || link.rest.substr(0, colon) != counters[i].words)
        continue;
      const SmiValue value{trim(link.rest.substr(colon + 1)), line};
      if (first(counter_base + i, link))
        machine_.put(port(link.number).errors[counters[i].name].value, value, as_count(value.text));
      return true;
    }
    return false;
  }

  // One attribute a link, its words in the order given, as the reader of NVML makes it.
  bool read_capability(const LinkLine& link, std::uint32_t line) {
    const std::size_t colon = link.rest.find(':');
    for (std::uint32_t i = 0; i < link_capabilities.size(); ++i) {
      if (colon == std::string_view::npos ||
          link.rest.substr(0, colon) != link_capabilities[i].words)
        continue;
      if (!first(capability_base + i, link)) return true;
      const bool has = trim(link.rest.substr(colon + 1)) == "true";
      auto& attributes = machine_.machine[*gpu_].attributes;
      const std::string key = fmt::format("nvlink{}.capabilities", link.number);
      const auto found = std::find_if(attributes.rbegin(), attributes.rend(),
                                      [&](const auto& a) { return a.key == key; });
      if (found == attributes.rend())
        attributes.push_back({key, has ? link_capabilities[i].name : "", machine_.at(line)});
      else if (has)
        found->value += (found->value.empty() ? "" : ",") + std::string(link_capabilities[i].name);
      return true;
    }
    return false;
  }

  SmiMachine machine_;
  std::optional<model::DeviceId> gpu_;
  std::optional<GpuLine> waiting_;
  std::uint32_t waiting_line_ = 0;
  bool found_ = false;
  std::size_t stray_ = 0;
  std::uint32_t first_stray_line_ = 0;
  std::size_t other_ = 0;
  std::uint32_t first_other_line_ = 0;
};

}  // namespace
}  // namespace nvidia_smi

bool looks_like_smi_list(std::string_view bytes) {
  bool waiting = false;
  const std::string text = pasted_text(bytes);
  for (LineCursor lines(text); lines.next();) {
    if (const auto gpu = nvidia_smi::gpu_line(lines.line())) {
      if (!gpu->uuid.empty()) return true;
      waiting = true;
    } else if (waiting && nvidia_smi::link_line(lines.line())) {
      return true;
    }
  }
  return false;
}

Result<model::Machine> read_smi_list(const Input& input) {
  const std::string text = pasted_text(input.bytes);
  nvidia_smi::ListReading reading(input);
  reading.read(text);
  if (!reading.found())
    return fail(ErrorKind::input, input.name +
                                      ": no output of nvidia-smi -L or nvidia-smi nvlink: expected "
                                      "a line such as \"GPU 0: NVIDIA H200 (UUID: GPU-…)\"");
  return reading.finish();
}

}  // namespace railgauge::observe
