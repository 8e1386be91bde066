// Short texts: `numactl --show`, /etc/os-release, /proc/driver/nvidia/version, CPU governors.
#include <algorithm>
#include <optional>
#include <vector>

#include "base/strings.h"
#include "observe/system/host_text.h"
#include "observe/system/mixture.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t most_cpus = 8192;

// "0 1 2 8 " is "0-2,8". Nothing for what is no list of numbers.
std::optional<std::string> list_form(std::string_view text) {
  std::vector<std::int64_t> numbers;
  for (const auto word : split_blank(text)) {
    const auto number = parse_int(word);
    if (!number || *number < 0 || *number > 1 << 20 || numbers.size() == most_cpus)
      return std::nullopt;
    numbers.push_back(*number);
  }
  std::sort(numbers.begin(), numbers.end());
  std::string out;
  for (std::size_t i = 0; i < numbers.size();) {
    std::size_t end = i;
    while (end + 1 < numbers.size() && numbers[end + 1] <= numbers[end] + 1) ++end;
    out += (out.empty() ? "" : ",") + std::to_string(numbers[i]);
    if (numbers[end] != numbers[i]) out += "-" + std::to_string(numbers[end]);
    i = end + 1;
  }
  if (out.empty()) return std::nullopt;
  return out;
}

// "NAME=value", "NAME=\"value\"" of os-release.
std::string_view unquoted(std::string_view value) {
  value = trim(value);
  if (value.size() >= 2 && (value.front() == '"' || value.front() == '\'') &&
      value.back() == value.front())
    value = value.substr(1, value.size() - 2);
  return value;
}

bool is_governor(std::string_view word) {
  return !word.empty() && word.size() <= 32 && std::all_of(word.begin(), word.end(), [](char c) {
    return (c >= 'a' && c <= 'z') || c == '_';
  });
}

// "…/cpufreq/scaling_governor:performance", "  The governor "performance" may decide which …"
std::string_view governor_in(std::string_view line) {
  constexpr std::string_view file = "/scaling_governor:";
  constexpr std::string_view words = "The governor \"";
  if (const auto at = line.find(file); at != std::string_view::npos)
    return trim(line.substr(at + file.size()));
  if (const auto at = line.find(words); at != std::string_view::npos) {
    const auto rest = line.substr(at + words.size());
    return rest.substr(0, rest.find('"'));
  }
  return {};
}

}  // namespace

bool governors_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  Tally tally;
  std::uint32_t first_line = 0;
  for (LineCursor lines(text); lines.next() && tally.size() < 32;) {
    const auto governor = governor_in(lines.line());
    if (!is_governor(governor)) continue;
    if (tally.empty()) first_line = lines.number();
    ++tally[std::string(governor)];
  }
  if (tally.empty()) return false;
  machine.host.cpu_governor.claim(mixture(tally), source.at_line(first_line));
  return true;
}

bool numactl_show_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  bool found = false;
  for (LineCursor lines(text); lines.next();) {
    const auto line = trim(lines.line());
    const auto here = source.at_line(lines.number());
    const auto take = [&](std::string_view key, model::Fact<std::string>& fact) {
      if (!line.starts_with(key)) return;
      const auto list = list_form(line.substr(key.size()));
      if (list && fact.claims().size() < 16) fact.claim(*list, here);
      found = found || list;
    };
    take("physcpubind:", machine.host.cpus_allowed);
    take("membind:", machine.host.numa_nodes_allowed);
  }
  return found;
}

bool os_release_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  std::string_view name;
  std::uint32_t line_of_name = 0;
  bool has_id = false;
  for (LineCursor lines(text); lines.next();) {
    const auto line = lines.line();
    has_id = has_id || line.starts_with("ID=");
    if (!line.starts_with("PRETTY_NAME=") || !name.empty()) continue;
    name = unquoted(line.substr(12, 256));
    line_of_name = lines.number();
  }
  if (name.empty() || !has_id) return false;
  machine.host.os.claim(valid_utf8(name), source.at_line(line_of_name));
  return true;
}

// "NVRM version: NVIDIA UNIX x86_64 Kernel Module  535.104.05  Sat Aug 19 …": the first word that
// is digits and dots. "NVIDIA UNIX Open Kernel Module for x86_64" is the open one.
bool nvidia_version_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  for (LineCursor lines(text); lines.next();) {
    const auto at = lines.line().find("NVRM version:");
    if (at == std::string_view::npos) continue;
    const auto line = lines.line().substr(at, 4096);
    const auto here = source.at_line(lines.number());
    for (const auto word : split_blank(line)) {
      if (word.find_first_not_of("0123456789.") != std::string_view::npos || !contains(word, ".") ||
          word.front() == '.' || word.back() == '.')
        continue;
      machine.host.driver.claim(std::string(word), here);
      machine.host.open_driver.claim(contains(line, "Open Kernel Module"), here);
      return true;
    }
    machine.remark(model::RemarkLevel::warning,
                   "expected a driver version like 535.104.05, found " + railgauge::quoted(line),
                   here);
    return true;
  }
  return false;
}

}  // namespace railgauge::observe
