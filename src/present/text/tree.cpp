// The text tree: header, tree, NVLink, nearest NICs, sockets, what was left out, remarks.
#include <fmt/format.h>

#include "present/text/tree_parts.h"

namespace railgauge::present {
namespace {

void write_hidden(TreeContext& tree, const Outline& outline) {
  std::vector<std::string> parts;
  if (outline.hidden_drives > 0) parts.push_back(plural(outline.hidden_drives, "drive", "drives"));
  if (outline.hidden_functions > 0)
    parts.push_back(plural(outline.hidden_functions, "other function", "other functions"));
  if (outline.hidden_bridges > 0)
    parts.push_back(plural(outline.hidden_bridges, "empty bridge", "empty bridges"));
  if (outline.hidden_switches > 0)
    parts.push_back(plural(outline.hidden_switches, "NVSwitch function", "NVSwitch functions"));
  if (outline.too_deep > 0)
    parts.push_back(plural(outline.too_deep, "branch", "branches") + " below the 64th level");
  if (parts.empty()) return;
  tree.page.prose({{"not shown: ", Ink::dim}}, {{"  "}}, fmt::format("{}", fmt::join(parts, ", ")),
                  Ink::dim);
}

}  // namespace

std::string text_tree(const model::Machine& machine, const Style& style) {
  Page page(style);
  Footnotes notes;
  const Fabric net = fabric(machine);
  const Outline shape = outline(machine, style.verbose);
  TreeContext tree{machine, net, page, notes};
  write_header(tree);
  page.blank();
  if (machine.devices.empty()) {
    page.add({{"no devices known", Ink::dim}});
    write_nccl(tree);
    write_events(tree);
    write_system(tree);
    write_remarks(tree);
    return page.text();
  }
  write_rows(tree, shape);
  page.blank();
  write_nvlink(tree);
  write_p2p(tree);
  write_rails(tree);
  write_sockets(tree);
  write_nccl(tree);
  write_hidden(tree, shape);
  if (tree.any_inferred)
    page.add({{"~ inferred from other facts, not stated by any source", Ink::dim}});
  notes.write(page);
  write_details(tree);
  write_counters(tree);
  write_events(tree);
  write_system(tree);
  write_remarks(tree);
  return page.text();
}

}  // namespace railgauge::present
