#include "observe/catalogue/catalogue_yaml.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "observe/catalogue/yaml_row.h"

namespace railgauge::observe {
namespace {

BytesPerSecond gb_per_s(YamlRow& row, const char* key) {
  return gigabytes_per_second(row.number(key));
}

model::PcieRate pcie_rate(YamlRow row) {
  row.only({"generation", "gigatransfers", "payload", "coded", "per_lane_gb_per_s", "source"});
  model::PcieRate out;
  out.generation = row.integer("generation", {1, 9});
  out.megatransfers = static_cast<std::uint32_t>(row.number("gigatransfers") * 1000 + 0.5);
  out.per_lane = gb_per_s(row, "per_lane_gb_per_s");
  out.source = row.text("source");
  const double share = row.number("payload") / row.number("coded");
  const double expected = out.megatransfers * 1e6 * share / 8;
  if (out.per_lane.value < expected * 0.9999 || out.per_lane.value > expected * 1.0001)
    row.complain(fmt::format("per_lane_gb_per_s should be {:.6f}", expected / 1e9));
  return out;
}

model::NvLinkRate nvlink_rate(YamlRow row) {
  row.only({"version", "per_link_gb_per_s", "source"});
  return {row.integer("version", {1, 9}), gb_per_s(row, "per_link_gb_per_s"), row.text("source")};
}

model::SocketRate socket_rate(YamlRow row) {
  row.only({"vendor", "family", "models", "name", "links", "per_link_gb_per_s", "source"});
  model::SocketRate out;
  out.vendor = row.text("vendor");
  out.family = row.integer("family", {1, 255});
  const auto models = row.texts("models");
  std::int64_t first = 0;
  std::int64_t last = -1;  // an empty range until both ends are read
  if (models.size() == 2) {
    first = parse_int(models.front()).value_or(0);
    last = parse_int(models.back()).value_or(-1);
  }
  if (first < 0 || first > last || last > 65535) row.complain("\"models\" must be [first, last]");
  out.model_min = static_cast<int>(first);
  out.model_max = static_cast<int>(last);
  out.name = row.text("name");
  out.links = row.integer("links", {1, 8});
  out.per_link = gb_per_s(row, "per_link_gb_per_s");
  out.source = row.text("source");
  return out;
}

model::PciId pci_id(YamlRow& row, const std::string& word) {
  const auto id = parse_pci_id(word);
  if (!id) row.complain(fmt::format("{} is not a PCI id such as \"10de:2330\"", quoted(word)));
  return id.value_or(model::PciId{});
}

model::GpuBoard board(YamlRow row) {
  row.only({"name", "pci_ids", "name_contains", "compute_capability", "nvlink", "c2c_gb_per_s",
            "xgmi", "pcie", "source"});
  model::GpuBoard out;
  out.name = row.text("name");
  for (const std::string& word : row.texts("pci_ids")) out.pci_ids.push_back(pci_id(row, word));
  out.name_contains = row.text_or("name_contains", "");
  out.compute_capability = row.integer("compute_capability", {0, 999});
  if (row.has("nvlink")) {
    YamlRow nvlink = row.row("nvlink");
    nvlink.only({"version", "count", "per_link_gb_per_s"});
    out.nvlink_version = nvlink.integer("version", {1, 9});
    out.nvlink_count = nvlink.integer("count", {1, 72});
    if (nvlink.has("per_link_gb_per_s"))
      out.nvlink_per_link = gb_per_s(nvlink, "per_link_gb_per_s");
  }
  if (row.has("c2c_gb_per_s")) out.c2c = gb_per_s(row, "c2c_gb_per_s");
  if (row.has("xgmi")) {
    YamlRow xgmi = row.row("xgmi");
    xgmi.only({"count", "per_link_gb_per_s"});
    out.xgmi_count = xgmi.integer("count", {1, 16});
    out.xgmi_per_link = gb_per_s(xgmi, "per_link_gb_per_s");
  }
  YamlRow pcie = row.row("pcie");
  pcie.only({"generation", "width"});
  out.pcie_generation = pcie.integer("generation", {1, 7});
  out.pcie_width = pcie.integer("width", {1, 16});
  out.source = row.text("source");
  if (out.pci_ids.empty() && out.name_contains.empty()) row.complain("nothing to know it by");
  return out;
}

model::PciName pci_name(YamlRow row) {
  row.only({"id", "name", "source"});
  return {pci_id(row, row.text("id")), row.text("name"), row.text("source")};
}

}  // namespace

std::optional<model::PciId> parse_pci_id(std::string_view text) {
  const auto fields = split(text, ':');
  if (fields.size() != 2 || fields[0].size() != 4 || fields[1].size() != 4) return std::nullopt;
  const auto vendor = parse_hex(fields[0]);
  const auto device = parse_hex(fields[1]);
  if (!vendor || !device) return std::nullopt;
  return model::PciId{static_cast<std::uint16_t>(*vendor), static_cast<std::uint16_t>(*device)};
}

Result<void> add_to_catalogue(const std::string& text, const std::string& file,
                              model::Catalogue& catalogue) {
  auto node = parse_yaml(text, file);
  if (!node) return tl::unexpected(std::move(node.error()));
  std::optional<Error> problem;
  YamlRow top(*node, file, problem);
  top.only({"pcie", "nvlink", "sockets", "boards", "names"});
  for (YamlRow& row : top.rows("pcie")) catalogue.pcie.push_back(pcie_rate(row));
  for (YamlRow& row : top.rows("nvlink")) catalogue.nvlink.push_back(nvlink_rate(row));
  for (YamlRow& row : top.rows("sockets")) catalogue.sockets.push_back(socket_rate(row));
  for (YamlRow& row : top.rows("boards")) catalogue.boards.push_back(board(row));
  for (YamlRow& row : top.rows("names")) catalogue.pci_names.push_back(pci_name(row));
  if (problem) return tl::unexpected(std::move(*problem));
  return {};
}

}  // namespace railgauge::observe
