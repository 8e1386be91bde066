#include "observe/text/numa_sysfs.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <optional>

#include "base/strings.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

constexpr std::int64_t nodes_max = 1024;  // the kernel's own bound, MAX_NUMNODES
constexpr std::int64_t cpus_max = 1 << 20;

enum class Fact { cpulist, cpu_numbers, distance, size_mb, skip };

struct NodeLine {
  int node = 0;
  Fact fact = Fact::skip;
  std::string_view value;
};

std::optional<int> node_number(std::string_view word) {
  const auto number = parse_int(word);
  if (!number || *number < 0 || *number >= nodes_max) return std::nullopt;
  return static_cast<int>(*number);
}

// ".../node/node0/cpulist:0-47"
std::optional<NodeLine> sysfs_line(std::string_view line) {
  const std::size_t at = line.find("/node/node");
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view rest = line.substr(at + 10);
  const std::size_t slash = rest.find('/');
  const std::size_t colon = rest.find(':');
  if (slash == std::string_view::npos || colon == std::string_view::npos || colon < slash)
    return std::nullopt;
  const auto node = node_number(rest.substr(0, slash));
  if (!node) return std::nullopt;
  const std::string_view file = rest.substr(slash + 1, colon - slash - 1);
  const std::string_view value = trim(rest.substr(colon + 1));
  if (file == "cpulist") return NodeLine{*node, Fact::cpulist, value};
  if (file == "distance") return NodeLine{*node, Fact::distance, value};
  return NodeLine{*node, Fact::skip, value};
}

// "node 0 cpus: 0 1 2", "node 0 size: 64000 MB", "NUMA node0 CPU(s):  0-47"
std::optional<NodeLine> command_line(std::string_view line) {
  line = trim(line);
  const std::size_t colon = line.find(':');
  if (colon == std::string_view::npos || colon > 40) return std::nullopt;
  const auto words = split_blank(line.substr(0, colon));
  const std::string_view value = trim(line.substr(colon + 1));
  if (words.size() != 3) return std::nullopt;
  if (words[0] == "node") {
    const auto node = node_number(words[1]);
    if (node && words[2] == "cpus") return NodeLine{*node, Fact::cpu_numbers, value};
    if (node && words[2] == "size") return NodeLine{*node, Fact::size_mb, value};
    if (node && words[2] == "free") return NodeLine{*node, Fact::skip, value};
  }
  if (words[0] == "NUMA" && words[1].substr(0, 4) == "node" && words[2] == "CPU(s)")
    if (const auto node = node_number(words[1].substr(4)))
      return NodeLine{*node, Fact::cpulist, value};
  return std::nullopt;
}

std::optional<std::vector<int>> numbers(std::string_view text, std::int64_t limit) {
  std::vector<int> out;
  for (const auto word : split_blank(text)) {
    const auto number = parse_int(word);
    if (!number || *number < 0 || *number > limit) return std::nullopt;
    out.push_back(static_cast<int>(*number));
  }
  if (out.empty()) return std::nullopt;
  return out;
}

// {0, 1, 2, 8} is "0-2,8".
std::string list_form(std::vector<int> cpus) {
  std::sort(cpus.begin(), cpus.end());
  std::string out;
  for (std::size_t i = 0; i < cpus.size();) {
    std::size_t end = i;
    while (end + 1 < cpus.size() && cpus[end + 1] <= cpus[end] + 1) ++end;
    if (!out.empty()) out += ',';
    out += std::to_string(cpus[i]);
    if (cpus[end] != cpus[i]) out += '-' + std::to_string(cpus[end]);
    i = end + 1;
  }
  return out;
}

class NumaReader {
 public:
  explicit NumaReader(const Input& input) {
    machine_.name = input.name;
    source_ = machine_.sources.add(input.name, model::Trust::tool);
  }

  model::Machine read(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      here_ = source_.at_line(lines.number());
      if (machine_.remarks.size() > 1000) break;
      if (distance_table_ && table_row(trim(lines.line()))) continue;
      auto found = sysfs_line(lines.line());
      if (!found) found = command_line(lines.line());
      if (found) read(*found);
      if (starts_with_nocase(trim(lines.line()), "node distances")) distance_table_ = true;
    }
    return std::move(machine_);
  }

 private:
  void read(const NodeLine& line) {
    model::CpuFacts& cpu = node(line.node);
    switch (line.fact) {
      case Fact::cpulist:
        if (is_affinity(line.value))
          cpu.cpus.claim(std::string(line.value), here_);
        else if (!line.value.empty())  // a node of memory alone has no CPUs
          warn(line, "no list of CPUs such as 0-47,96-143");
        return;
      case Fact::cpu_numbers:
        if (const auto cpus = numbers(line.value, cpus_max))
          cpu.cpus.claim(list_form(*cpus), here_);
        else if (!line.value.empty())
          warn(line, "no list of CPU numbers");
        return;
      case Fact::distance:
        if (auto row = numbers(line.value, 255))  // one byte in the ACPI SLIT
          cpu.distances.claim(std::move(*row), here_);
        else
          warn(line, "no row of distances such as 10 21");
        return;
      case Fact::size_mb: {
        const auto words = split_blank(line.value);
        const auto size =
            words.size() == 2 && words[1] == "MB" ? parse_int(words[0]) : std::nullopt;
        if (size && *size >= 0 && *size < std::int64_t{1} << 40)
          cpu.memory_bytes.claim(static_cast<std::uint64_t>(*size) << 20,
                                 here_);  // numactl's MB is MiB
        else
          warn(line, "no size in MB");
        return;
      }
      case Fact::skip: return;
    }
  }

  // "  0:  10  21" below "node distances:", whose own header is "node   0   1".
  bool table_row(std::string_view line) {
    if (starts_with_nocase(line, "node ")) return numbers(line.substr(5), nodes_max).has_value();
    const std::size_t colon = line.find(':');
    const auto number =
        colon == std::string_view::npos ? std::nullopt : node_number(line.substr(0, colon));
    if (!number) return false;
    read(NodeLine{*number, Fact::distance, trim(line.substr(colon + 1))});
    return true;
  }

  void warn(const NodeLine& line, std::string_view expected) {
    machine_.remark(model::RemarkLevel::warning,
                    fmt::format("node {}: {} is {}", line.node, quoted(line.value), expected),
                    here_);
  }

  model::CpuFacts& node(int number) {
    const auto [found, added] = nodes_.try_emplace(number);
    if (added) {
      found->second = machine_.add(model::DeviceKind::numa_node, here_);
      machine_[found->second].index.claim(number, here_);
    }
    return *machine_[found->second].cpu;
  }

  model::Machine machine_;
  model::SourceRef source_;
  model::SourceRef here_;
  std::map<int, model::DeviceId> nodes_;
  bool distance_table_ = false;
};

}  // namespace

bool looks_like_numa_sysfs(std::string_view bytes) {
  if (!contains(bytes, "node")) return false;
  return !NumaReader({}).read(plain_text(bytes)).devices.empty();
}

Result<model::Machine> read_numa_sysfs(const Input& input) {
  model::Machine machine = NumaReader(input).read(plain_text(input.bytes));
  if (machine.devices.empty())
    return fail(ErrorKind::input,
                input.name +
                    ": no NUMA node: expected lines such as "
                    "/sys/devices/system/node/node0/cpulist:0-47 or the text of numactl -H");
  return machine;
}

}  // namespace railgauge::observe
