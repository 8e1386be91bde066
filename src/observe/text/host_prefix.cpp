#include "observe/text/host_prefix.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/text/tokens.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t hosts_max = 16;  // for the message; one is enough to know

// "node07:" of a line that goes on with GPUn; empty for others.
std::string_view prefix_before_gpu(std::string_view line) {
  line = trim(line);
  const std::size_t end = line.find_first_of(" \t");
  if (end == std::string_view::npos || end < 2 || end > 128 || line[end - 1] != ':') return {};
  const auto words = split_blank(line.substr(end, 200));
  if (words.size() < 2) return {};
  const auto next = parse_label(words[0]);
  if (!next || next->kind != LabelKind::gpu) return {};
  // "Note: GPU0 detected" is prose: a header or a row must follow.
  if (!parse_label(words[1]) && !is_path_cell(words[1]) && words[1] != "CPU") return {};
  // A host may be called like an adapter ("node7"), but never NICn or GPUn.
  const auto own = parse_label(line.substr(0, end - 1));
  if (own && own->kind != LabelKind::nic_name) return {};
  return line.substr(0, end);
}

}  // namespace

HostText without_host_prefix(std::string_view plain) {
  HostText out;
  std::vector<std::string> prefixes;
  for (LineCursor lines(plain); lines.next() && prefixes.size() < hosts_max;) {
    const auto prefix = prefix_before_gpu(lines.line());
    if (!prefix.empty() && std::find(prefixes.begin(), prefixes.end(), prefix) == prefixes.end())
      prefixes.emplace_back(prefix);
  }
  if (prefixes.empty()) {
    out.text = std::string(plain);
    return out;
  }
  for (const auto& prefix : prefixes) out.hosts.push_back(prefix.substr(0, prefix.size() - 1));
  for (LineCursor lines(plain); lines.next();) {
    const std::string_view line = lines.line();
    const std::string_view text = trim(line);
    const std::string_view first = text.substr(0, text.find_first_of(" \t"));
    const auto found = std::find(prefixes.begin(), prefixes.end(), first);
    if (found == prefixes.begin())
      out.text += text.substr(first.size());
    else if (found == prefixes.end())
      out.text += line;
    out.text += '\n';
  }
  return out;
}

}  // namespace railgauge::observe
