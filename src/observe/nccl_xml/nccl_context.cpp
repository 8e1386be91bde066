#include "observe/nccl_xml/nccl_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "base/strings.h"

namespace railgauge::observe {

NcclContext::NcclContext(const BoundedXml& parsed, const std::string& name) : xml(parsed) {
  machine.name = name;
  file = machine.sources.add(name, model::Trust::file);
}

void NcclContext::warn(pugi::xml_node node, std::string text) {
  machine.remark(model::RemarkLevel::warning, std::move(text), at(node));
}

void NcclContext::fault(pugi::xml_node node, const char* kind, std::string text) {
  faults_.push_back({kind, text, at(node)});
  warn(node, std::move(text));
}

void NcclContext::note_fault(pugi::xml_node node, const char* kind, const std::string& text) {
  faults_.push_back({kind, text, at(node)});
  note_lines(node, text);
}

void NcclContext::tell_file(const char* kind, bool skeleton) {
  std::stable_sort(faults_.begin(), faults_.end(),
                   [](const auto& a, const auto& b) { return a.source.line < b.source.line; });
  machine.topology_files.push_back({kind, skeleton, std::move(faults_), file});
  faults_.clear();
}

void NcclContext::note_lines(pugi::xml_node node, const std::string& text) {
  const std::uint32_t line = xml.line(node);
  for (auto& [known, lines] : notes_)
    if (known == text) return lines.push_back(line);
  notes_.push_back({text, {line}});
}

void NcclContext::flush_notes() {
  constexpr std::size_t most_listed = 8;
  for (const auto& [text, lines] : notes_) {
    std::string where;
    for (std::size_t i = 0; i < lines.size() && i < most_listed; ++i)
      where += fmt::format("{}{}", i == 0 ? "" : ", ", lines[i]);
    if (lines.size() > most_listed) where += ", …";
    machine.remark(model::RemarkLevel::note,
                   lines.size() == 1
                       ? text
                       : fmt::format("{} ({} times: lines {})", text, lines.size(), where),
                   file.at_line(lines.front()));
  }
  notes_.clear();
}

void NcclContext::keep(model::DeviceId id, const std::string& key, std::string value,
                       pugi::xml_node node) {
  machine[id].attributes.push_back({"nccl." + key, valid_utf8(value), at(node)});
}

void NcclContext::keep(model::DeviceId id, pugi::xml_node node, const char* name) {
  if (const auto text = attribute(node, name)) keep(id, name, std::string(*text), node);
}

std::optional<std::string_view> attribute(pugi::xml_node node, const char* name) {
  const pugi::xml_attribute found = node.attribute(name);
  if (!found) return std::nullopt;
  return std::string_view(found.value());
}

std::optional<int> number(NcclContext& context, pugi::xml_node node, const char* name) {
  const auto text = attribute(node, name);
  if (!text) return std::nullopt;
  const auto value = parse_int(*text);
  if (value && *value >= std::numeric_limits<int>::min() &&
      *value <= std::numeric_limits<int>::max())
    return static_cast<int>(*value);
  context.fault(node, "bad-value",
                fmt::format("<{}> {}={} is not a whole number", node.name(), name, quoted(*text)));
  return std::nullopt;
}

}  // namespace railgauge::observe
