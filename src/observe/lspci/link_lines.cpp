#include "observe/lspci/link_lines.h"

#include <optional>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

// "Speed 8GT/s (downgraded)" in a list of fields between commas.
struct LinkField {
  std::string_view value;   // "8GT/s"
  std::string_view suffix;  // "downgraded"
};

std::optional<LinkField> field(std::string_view text, std::string_view name) {
  for (auto part : split(text, ',')) {
    part = trim(part);
    if (part.substr(0, name.size()) != name || part.size() <= name.size()) continue;
    part = trim(part.substr(name.size()));
    LinkField out{part, {}};
    if (const auto open = part.find('('); open != std::string_view::npos) {
      out.value = trim(part.substr(0, open));
      const auto close = part.find(')', open);
      out.suffix =
          part.substr(open + 1, close == std::string_view::npos ? close : close - open - 1);
    }
    return out;
  }
  return std::nullopt;
}

std::optional<int> width_of(std::string_view value) {
  if (value.size() < 2 || value.front() != 'x') return std::nullopt;
  const auto lanes = parse_int(value.substr(1));
  if (!lanes || *lanes < 0 || *lanes > 32) return std::nullopt;
  return static_cast<int>(*lanes);
}

std::string wrong(std::string_view what, std::string_view text) {
  return std::string(what) + ": expected \"Speed 8GT/s, Width x16\", got " + quoted(text, 80);
}

void keep_suffix(const char* key, std::string_view suffix, model::SourceRef source,
                 model::Device& device) {
  if (!suffix.empty() && suffix != "ok")
    device.attributes.push_back({key, std::string(suffix.substr(0, 40)), source});
}

}  // namespace

std::string read_link_capability(std::string_view text, model::SourceRef source,
                                 model::PciFacts& pci) {
  const auto speed = field(text, "Speed");
  const auto width = field(text, "Width");
  if (!speed || !width) return wrong("LnkCap", text);
  const auto rate = model::PcieSpeed::parse(speed->value);
  const auto lanes = width_of(width->value);
  if (rate)
    pci.link.max_speed.claim(*rate, source);
  else
    pci.link.max_speed.refuse("lspci says speed " + quoted(speed->value, 20), source);
  if (!lanes) return wrong("LnkCap", text);
  if (*lanes > 0)
    pci.link.max_width.claim(*lanes, source);
  else
    pci.link.max_width.refuse("lspci says width x0", source);
  return {};
}

std::string read_link_status(std::string_view text, model::SourceRef source,
                             model::Device& device) {
  auto& link = device.pci->link;
  const auto speed = field(text, "Speed");
  const auto width = field(text, "Width");
  if (!speed || !width) return wrong("LnkSta", text);
  const auto rate = model::PcieSpeed::parse(speed->value);
  const auto lanes = width_of(width->value);
  if (!lanes) return wrong("LnkSta", text);
  keep_suffix("LnkSta speed", speed->suffix, source, device);
  keep_suffix("LnkSta width", width->suffix, source, device);
  if (*lanes == 0) {
    link.current_speed.refuse("the link is down: width x0", source);
    link.current_width.refuse("the link is down: width x0", source);
    return {};
  }
  link.current_width.claim(*lanes, source);
  // Old pciutils print "unknown" for rates newer than themselves.
  if (rate)
    link.current_speed.claim(*rate, source);
  else
    link.current_speed.refuse("lspci says speed " + quoted(speed->value, 20), source);
  return {};
}

std::string read_link_control(std::string_view text, model::SourceRef source,
                              model::PciFacts& pci) {
  const std::string_view aspm = trim(text.substr(0, text.find(';')));
  if (aspm.substr(0, 4) != "ASPM") return "LnkCtl: expected \"ASPM …;\", got " + quoted(text, 80);
  const bool l0s = contains(aspm, "L0s");
  const bool l1 = contains(aspm, "L1");
  if (contains(aspm, "Disabled"))
    pci.aspm.claim(model::Aspm::disabled, source);
  else if (!contains(aspm, "Enabled"))
    return "LnkCtl: expected Enabled or Disabled, got " + quoted(aspm, 80);
  else
    pci.aspm.claim(l0s && l1 ? model::Aspm::l0s_l1
                   : l0s     ? model::Aspm::l0s
                             : model::Aspm::l1,
                   source);
  return {};
}

}  // namespace railgauge::observe
