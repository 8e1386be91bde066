// nvidia-smi's matrix, its legend, and the rate of each path.
#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "base/strings.h"
#include "model/path_finder.h"
#include "present/pair_tables.h"
#include "present/text/footnotes.h"
#include "present/text/page.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;
using model::Machine;

struct Axis {
  std::vector<DeviceId> ids;
  std::vector<std::string> names;  // "GPU0", "NIC3"
  std::size_t gpu_count = 0;
};

Axis axis(const Machine& machine) {
  Axis out;
  const auto add = [&](DeviceKind kind, std::string_view prefix) {
    int next = 0;
    for (DeviceId id : endpoints(machine, kind)) {
      const int number = machine[id].index.value_or(next);
      next = number + 1;
      out.ids.push_back(id);
      out.names.push_back(fmt::format("{}{}", prefix, number));
    }
  };
  add(DeviceKind::gpu, "GPU");
  out.gpu_count = out.ids.size();
  add(DeviceKind::nic, "NIC");
  return out;
}

// Rows of cells, aligned; a cell's ink is kept.
using Table = std::vector<std::vector<Span>>;

void write_table(Page& page, const Table& table, bool rule_header) {
  std::vector<std::size_t> widths;
  for (const auto& row : table)
    for (std::size_t i = 0; i < row.size(); ++i) {
      if (widths.size() <= i) widths.push_back(0);
      widths[i] = std::max(widths[i], display_width(page.plain(row[i].text)));
    }
  for (std::size_t r = 0; r < table.size(); ++r) {
    Line line;
    for (std::size_t i = 0; i < table[r].size(); ++i) {
      const Span& cell = table[r][i];
      const bool header = rule_header && r == 0;
      line.push_back({padded(page.plain(cell.text), widths[i]), header ? Ink::bold : cell.ink});
      line.push_back({"  "});
    }
    page.add(std::move(line));
  }
}

std::string or_not_available(const model::Fact<std::string>& fact) {
  return fact ? clean(*fact) : "N/A";
}

void add_affinity(std::vector<Span>& row, const Device& device) {
  if (!device.gpu) {
    row.insert(row.end(), 3, Span{});
    return;
  }
  row.push_back({or_not_available(device.gpu->cpu_affinity)});
  std::string numa = or_not_available(device.gpu->numa_affinity);
  if (!device.gpu->numa_affinity && device.numa_node) numa = fmt::format("{}", *device.numa_node);
  row.push_back({std::move(numa)});
  row.push_back({device.gpu->gpu_numa_id ? fmt::format("{}", *device.gpu->gpu_numa_id) : "N/A"});
}

void replace_all(std::string& text, const std::string& what, std::string_view by) {
  for (auto at = text.find(what); at != std::string::npos; at = text.find(what, at + by.size()))
    text.replace(at, what.size(), by);
}

// "gpu0 to gpu1: NV4 has no generation" without the devices: one cause, one footnote.
std::string cause(const Machine& machine, DeviceId a, DeviceId b, const std::string& reason) {
  std::string out = " " + clean(reason) + " ";
  const std::string one = id_of(machine, a);
  const std::string two = id_of(machine, b);
  for (const auto& [from, to] : {std::pair{one, two}, std::pair{two, one}}) {
    replace_all(out, " " + from + " to " + to + ": ", " ");
    replace_all(out, " " + from + " with " + to, " the two");
  }
  for (const std::string& id : {one, two}) replace_all(out, " " + id + " ", " one of the two ");
  return std::string(trim(out));
}

Table class_table(const Machine& machine, const model::PathFinder& finder, const Axis& all,
                  Footnotes& notes) {
  Table table(1);
  table[0].push_back({""});
  for (const std::string& name : all.names) table[0].push_back({name});
  for (const char* word : {"CPU Affinity", "NUMA Affinity", "GPU NUMA ID"})
    table[0].push_back({word});
  for (std::size_t r = 0; r < all.ids.size(); ++r) {
    std::vector<Span> row{{all.names[r]}};
    for (std::size_t c = 0; c < all.ids.size(); ++c) {
      if (r == c) {
        row.push_back({" X "});
        continue;
      }
      const auto found = finder.smi_class(all.ids[r], all.ids[c]);
      row.push_back(found
                        ? Span{found->text()}
                        : Span{"?" + notes.mark("class unknown: " + cause(machine, all.ids[r],
                                                                          all.ids[c], found.why())),
                               Ink::dim});
    }
    add_affinity(row, machine[all.ids[r]]);
    table.push_back(std::move(row));
  }
  return table;
}

Span rate_cell(const Machine& machine, const model::PathFinder& finder, DeviceId a, DeviceId b,
               Footnotes& notes) {
  const auto path = finder.best_path(a, b);
  if (!path)
    return {"?" + notes.mark("no path: " + cause(machine, a, b, path.error().text())), Ink::dim};
  if (!path->as_found)
    return {"?" + notes.mark("rate unknown: " + cause(machine, a, b, path->as_found.why())),
            Ink::dim};
  const bool below =
      path->nominal && path->as_found->value < path->nominal->value * 0.995;  // as in words.cpp
  return {fmt::format("{:.3g}", path->as_found->value / 1e9), below ? Ink::red : Ink::plain};
}

Table rate_table(const Machine& machine, const model::PathFinder& finder, const Axis& all,
                 Footnotes& notes) {
  Table table(1);
  table[0].push_back({"GB/s"});
  for (const std::string& name : all.names) table[0].push_back({name});
  for (std::size_t r = 0; r < all.gpu_count; ++r) {
    std::vector<Span> row{{all.names[r]}};
    for (std::size_t c = 0; c < all.ids.size(); ++c)
      row.push_back(r == c ? Span{" X "}
                           : rate_cell(machine, finder, all.ids[r], all.ids[c], notes));
    table.push_back(std::move(row));
  }
  return table;
}

void write_rates(Page& page, const Machine& machine, const model::PathFinder& finder,
                 const Axis& all, Footnotes& notes) {
  Footnotes tried = notes;
  const Table table = rate_table(machine, finder, all, tried);
  const bool any = std::any_of(table.begin() + 1, table.end(), [](const auto& row) {
    return std::any_of(row.begin() + 1, row.end(), [](const Span& cell) {
      return cell.text != " X " && !cell.text.starts_with('?');
    });
  });
  if (all.ids.size() < 2) return;
  page.blank();
  if (any) {
    notes = std::move(tried);
    page.add({{"Rate of each path as found, one direction:"}});
    page.blank();
    write_table(page, table, true);
    return;
  }
  Footnotes reasons;
  rate_table(machine, finder, all, reasons);
  page.prose({}, {{"  "}}, "No rate is known: " + reasons.joined(), Ink::plain);
}

// What `nvidia-smi topo -p2p` and rocm-smi said, one block each.
void write_pairs(Page& page, const Machine& machine, const Axis& all) {
  for (const PairTable& pairs : pair_tables(machine)) {
    Table table(1);
    table[0].push_back({""});
    for (std::size_t c = 0; c < all.gpu_count; ++c) table[0].push_back({all.names[c]});
    for (std::size_t r = 0; r < all.gpu_count; ++r) {
      std::vector<Span> row{{all.names[r]}};
      for (std::size_t c = 0; c < all.gpu_count; ++c)
        row.push_back({r == c ? " X " : pairs.cell(all.ids[r], all.ids[c])});
      table.push_back(std::move(row));
    }
    page.blank();
    page.add({{pairs.name + (pairs.legend.empty() ? "" : ": " + pairs.legend)}});
    page.blank();
    write_table(page, table, true);
  }
}

void write_legend(Page& page) {
  for (const char* line :
       {"Legend:", "", "  X    = Self",
        "  SYS  = Connection traversing PCIe as well as the SMP interconnect between NUMA nodes "
        "(e.g., QPI/UPI)",
        "  NODE = Connection traversing PCIe as well as the interconnect between PCIe Host Bridges "
        "within a NUMA node",
        "  PHB  = Connection traversing PCIe as well as a PCIe Host Bridge (typically the CPU)",
        "  PXB  = Connection traversing multiple PCIe bridges (without traversing the PCIe Host "
        "Bridge)",
        "  PIX  = Connection traversing at most a single PCIe bridge",
        "  NV#  = Connection traversing a bonded set of # NVLinks"})
    page.add({{line, Ink::dim}});
}

void write_nic_legend(Page& page, const Machine& machine, const Axis& all) {
  if (all.gpu_count == all.ids.size()) return;
  page.blank();
  page.add({{"NIC Legend:"}});
  page.blank();
  for (std::size_t i = all.gpu_count; i < all.ids.size(); ++i) {
    const auto& nic = machine[all.ids[i]].nic;
    const std::string name =
        nic && nic->rdma_device ? clean(*nic->rdma_device) : id_of(machine, all.ids[i]);
    page.add({{"  " + all.names[i] + ": " + name}});
  }
}

}  // namespace

std::string text_matrix(const Machine& machine, const Style& style) {
  Style wide = style;
  wide.columns = 1 << 20;  // a matrix that is cut is worse than one that wraps
  Page page(wide);
  const Axis all = axis(machine);
  if (all.ids.empty()) {
    page.add({{"no GPU and no NIC known"}});
    return page.text();
  }
  const model::PathFinder finder(machine);
  Footnotes notes;
  write_table(page, class_table(machine, finder, all, notes), true);
  page.blank();
  write_legend(page);
  write_nic_legend(page, machine, all);
  if (all.gpu_count > 0) {
    write_rates(page, machine, finder, all, notes);
    write_pairs(page, machine, all);
  }
  page.blank();
  notes.write(page);
  return page.text();
}

}  // namespace railgauge::present
