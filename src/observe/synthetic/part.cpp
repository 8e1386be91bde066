#include "observe/synthetic/part.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/catalogue/catalogue_yaml.h"

namespace railgauge::observe {
namespace {

std::optional<model::PciId> id_of(YamlRow& row, const char* key) {
  const std::string word = row.text_or(key, "");
  if (word.empty()) return std::nullopt;
  const auto id = parse_pci_id(word);
  if (!id) row.complain(fmt::format("{} is not a PCI id", quoted(word)));
  return id;
}

// The class code that functions of the kind report.
const char* usual_class(model::DeviceKind kind) {
  switch (kind) {
    case model::DeviceKind::root_port:
    case model::DeviceKind::pcie_switch:
    case model::DeviceKind::switch_port:
    case model::DeviceKind::pcie_bridge: return "060400";
    case model::DeviceKind::gpu: return "030200";
    case model::DeviceKind::nvswitch: return "068000";
    case model::DeviceKind::nic: return "020000";
    case model::DeviceKind::nvme: return "010802";
    default: return "ff0000";
  }
}

Part read_part(YamlRow row) {
  row.only({"kind", "id", "subsystem", "class", "name", "link", "driver", "memory_gib", "rate_gbit",
            "link_layer", "rdma", "netdev"});
  Part out;
  const auto kind = model::parse_device_kind(row.text("kind"));
  if (!kind) row.complain("\"kind\" is not a kind of device");
  out.kind = kind.value_or(model::DeviceKind::other);
  out.id = id_of(row, "id");
  out.subsystem = id_of(row, "subsystem");
  const auto code = parse_hex(row.text_or("class", usual_class(out.kind)));
  if (!code || *code > 0xffffff) row.complain("\"class\" must be six hexadecimal digits");
  out.pci_class.code = static_cast<std::uint32_t>(code.value_or(0));
  out.name = row.text_or("name", "");
  if (row.has("link")) {
    out.link = parse_pcie_link(row.text("link"));
    if (!out.link) row.complain("\"link\" must look like \"gen5 x16\"");
  }
  out.driver = row.text_or("driver", "");
  out.memory_bytes = static_cast<std::uint64_t>(row.integer_or("memory_gib", 0, {1, 4096})) << 30;
  if (row.has("rate_gbit")) out.rate = gigabits_per_second(row.number("rate_gbit"));
  out.link_layer = row.text_or("link_layer", "");
  out.rdma = row.text_or("rdma", "");
  out.netdev = row.text_or("netdev", "");
  return out;
}

}  // namespace

std::optional<PcieLink> parse_pcie_link(std::string_view text) {
  const auto words = split_blank(text);
  if (words.size() != 2 || words[0].size() != 4 || !starts_with_nocase(words[0], "gen") ||
      !starts_with_nocase(words[1], "x"))
    return std::nullopt;
  const auto generation = parse_int(words[0].substr(3));
  const auto width = parse_int(words[1].substr(1));
  if (!generation || !width || *width < 1 || *width > 32) return std::nullopt;
  const auto speed = model::PcieSpeed::of_generation(static_cast<int>(*generation));
  if (!speed) return std::nullopt;
  return PcieLink{*speed, static_cast<int>(*width)};
}

Parts read_parts(YamlRow& top) {
  Parts out;
  YamlRow parts = top.row("parts");
  if (!parts.node().IsDefined() || !parts.node().IsMap()) return out;
  for (const auto& entry : parts.node()) {
    const std::string key = entry.first.as<std::string>("");
    out.emplace(key, read_part(parts.row(key.c_str())));
  }
  return out;
}

}  // namespace railgauge::observe
