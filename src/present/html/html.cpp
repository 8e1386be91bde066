// One page: summary, picture, matrix, path picker, devices, remarks. Asks nothing of the network.
#include <fmt/format.h>

#include <map>

#include "present/html/parts.h"
#include "present/pair_tables.h"
#include "present/path_facts.h"
#include "present/present.h"
#include "present/svg/canvas.h"
#include "present/words.h"

namespace railgauge::present {
namespace {

using model::Device;
using model::DeviceId;
using model::DeviceKind;
using model::Machine;

std::string title_of(const Machine& machine) {
  std::string out = clean(machine.host.hostname.value_or(machine.name));
  if (out.empty()) out = "machine";
  if (machine.host.product) out += " (" + clean(*machine.host.product) + ")";
  return out;
}

std::string summary(const Machine& machine) {
  std::string out = "<ul class=\"summary\">";
  const auto item = [&](const std::string& words) { out += "<li>" + escaped(words) + "</li>"; };
  for (const std::string& words : count_words(machine)) item(words);
  const auto fact = [&](const char* what, const model::Fact<std::string>& value) {
    if (value) item(fmt::format("{} {}", what, clean(*value)));
  };
  fact("driver", machine.host.driver);
  fact("CUDA", machine.host.cuda);
  fact("kernel", machine.host.kernel);
  fact("hypervisor", machine.host.hypervisor);
  return out + "</ul>\n";
}

std::vector<DeviceId> picked(const Machine& machine) {
  std::vector<DeviceId> out = endpoints(machine, DeviceKind::gpu);
  const auto nics = endpoints(machine, DeviceKind::nic);
  out.insert(out.end(), nics.begin(), nics.end());
  return out;
}

const char* class_colour(const PathFacts& path) {
  if (!path.smi) return "none";
  switch (path.smi->kind) {
    case model::SmiClass::self: return "none";
    case model::SmiClass::nv: return "nv";
    case model::SmiClass::pix: return "pix";
    case model::SmiClass::pxb: return "pxb";
    case model::SmiClass::phb: return "phb";
    case model::SmiClass::node: return "node";
    case model::SmiClass::sys: return "sys";
  }
  return "none";
}

std::string cell(const PathFacts& path) {
  const std::string rate = rate_words(path.as_found, path.nominal);
  const bool below = rate.find(" of ") != std::string::npos;
  const std::string word = path.smi ? path.smi->text() : "?";
  std::string why = path.smi ? "" : "class unknown: " + path.smi.why();
  if (!path.as_found) why += (why.empty() ? "" : "; ") + ("rate unknown: " + path.as_found.why());
  return fmt::format("<td class=\"{}{}\"{}>{}<small>{}</small></td>", class_colour(path),
                     below ? " below" : "", why.empty() ? "" : " title=\"" + escaped(why) + "\"",
                     escaped(word), rate.empty() ? "?" : escaped(rate));
}

std::string matrix(const Machine& machine, const std::vector<PathFacts>& paths) {
  const auto ids = picked(machine);
  if (ids.size() < 2) return "";
  std::map<std::pair<DeviceId, DeviceId>, const PathFacts*> by_pair;
  for (const PathFacts& path : paths) {
    by_pair[{path.a, path.b}] = &path;
    by_pair[{path.b, path.a}] = &path;
  }
  std::string out =
      "<h2 id=\"matrix\">Matrix</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-labelledby=\"matrix\">\n<table class=\"matrix\"><caption>Class in nvidia-smi's words "
      "and the rate as found, one direction; red where the links could do "
      "more</caption>\n<thead><tr><td></td>";
  for (DeviceId id : ids) out += "<th scope=\"col\">" + escaped(id_of(machine, id)) + "</th>";
  out += "</tr></thead>\n<tbody>\n";
  for (DeviceId row : ids) {
    out += "<tr><th scope=\"row\">" + escaped(id_of(machine, row)) + "</th>";
    for (DeviceId column : ids)
      out += row == column ? "<td class=\"none\">X</td>" : cell(*by_pair.at({row, column}));
    out += "</tr>\n";
  }
  return out + "</tbody></table>\n</div>\n";
}

std::string pairs(const Machine& machine) {
  const auto gpus = endpoints(machine, DeviceKind::gpu);
  std::string out;
  for (const PairTable& table : pair_tables(machine)) {
    out += "<div class=\"scroll\" tabindex=\"0\">\n<table class=\"matrix pairs\"><caption>" +
           escaped(table.name + (table.legend.empty() ? "" : ": " + table.legend)) +
           "</caption>\n<thead><tr><td></td>";
    for (DeviceId id : gpus) out += "<th scope=\"col\">" + escaped(id_of(machine, id)) + "</th>";
    out += "</tr></thead>\n<tbody>\n";
    for (DeviceId row : gpus) {
      out += "<tr><th scope=\"row\">" + escaped(id_of(machine, row)) + "</th>";
      for (DeviceId column : gpus) {
        const std::string cell = row == column ? "X" : table.cell(row, column);
        out += std::string("<td class=\"") +
               (cell == "OK"                   ? "pix"
                : status_meaning(cell).empty() ? "none"
                                               : "sys") +
               "\">" + escaped(cell) + "</td>";
      }
      out += "</tr>\n";
    }
    out += "</tbody></table>\n</div>\n";
  }
  return out.empty() ? "" : "<h2>What the tools say of each pair</h2>\n" + out;
}

std::string picker(const Machine& machine) {
  const auto ids = picked(machine);
  if (ids.size() < 2) return "";
  const auto options = [&](std::size_t selected) {
    std::string out;
    for (std::size_t i = 0; i < ids.size(); ++i) {
      const std::string id = escaped(id_of(machine, ids[i]));
      const std::string name = escaped(short_name(machine[ids[i]]));
      out += fmt::format("<option value=\"{0}\"{1}>{0} {2}</option>", id,
                         i == selected ? " selected" : "", name);
    }
    return out;
  };
  return "<h2>Path between two devices</h2>\n<div class=\"picker\"><label>From <select "
         "id=\"from\">" +
         options(0) + "</select></label><label>To <select id=\"to\">" + options(1) +
         "</select></label></div>\n<output id=\"path-result\" for=\"from to\" "
         "aria-live=\"polite\"></output>\n";
}

std::string facts_words(const Device& device) {
  std::string out;
  const auto add = [&](const std::string& part) {
    if (!part.empty()) out += (out.empty() ? "" : ", ") + part;
  };
  if (device.gpu && device.gpu->memory_bytes) add(text_of_bytes(*device.gpu->memory_bytes));
  if (device.nic) {
    if (device.nic->netdev) add(clean(*device.nic->netdev));
    for (const auto& port : device.nic->ports) add(port_words(port));
  }
  if (device.cpu && device.cpu->cpus) add("cpus " + clean(*device.cpu->cpus));
  if (device.cpu && device.cpu->memory_bytes) add(text_of_bytes(*device.cpu->memory_bytes));
  return out;
}

std::string devices(const Machine& machine) {
  std::map<DeviceId, const model::Link*> uplinks;
  for (const auto& link : machine.links)
    if (link.kind == model::LinkKind::pcie && machine[link.a].parent == link.b)
      uplinks[link.a] = &link;
  std::string out =
      "<h2 id=\"devices\">Devices</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-labelledby=\"devices\">\n<table><thead><tr>";
  for (const char* head : {"id", "kind", "name", "PCI address", "NUMA node", "link", "more"})
    out += fmt::format("<th scope=\"col\">{}</th>", head);
  out += "</tr></thead>\n<tbody>\n";
  for (DeviceId id : machine.all()) {
    const Device& device = machine[id];
    const auto up = uplinks.find(id);
    const EdgeWords edge = up == uplinks.end() ? EdgeWords{} : edge_words(*up->second);
    out += fmt::format(
        "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td><td>{}</td><td>{}</td><td{}>{}</td>"
        "<td>{}</td></tr>\n",
        escaped(id_of(machine, id)), text(device.kind), escaped(short_name(device)),
        address_of(device), device.numa_node ? fmt::format("{}", *device.numa_node) : "",
        edge.health == Health::degraded ? " class=\"below\"" : "", escaped(edge.text()),
        escaped(facts_words(device)));
  }
  return out + "</tbody></table>\n</div>\n";
}

std::string remarks(const Machine& machine) {
  if (machine.remarks.empty()) return "";
  std::string out = "<h2>Remarks</h2>\n<ul class=\"remarks\">\n";
  const auto add = [&](model::RemarkLevel level, const char* word) {
    for (const auto& remark : machine.remarks) {
      if (remark.level != level) continue;
      out += fmt::format("<li><span class=\"badge {0}\">{0}</span>{1}", word, escaped(remark.text));
      if (remark.source.index != 0)
        out += " <small>" + escaped(machine.sources.text(remark.source)) + "</small>";
      out += "</li>\n";
    }
  };
  add(model::RemarkLevel::error, "error");
  add(model::RemarkLevel::warning, "warning");
  add(model::RemarkLevel::note, "note");
  return out + "</ul>\n";
}

}  // namespace

std::string html(const Machine& machine) {
  const auto paths = path_facts(machine);
  const std::string title = escaped(title_of(machine));
  std::string out = html_head(title_of(machine), {"page.css"});
  out += "<header><h1>" + title + "</h1>\n" + summary(machine) + "</header>\n<main>\n";
  out += remarks(machine);
  out +=
      "<h2 id=\"picture\">Picture</h2>\n<div class=\"scroll\" tabindex=\"0\" role=\"region\" "
      "aria-labelledby=\"picture\">\n" +
      html_picture(svg(machine)) + "</div>\n";
  out += picker(machine);
  out += matrix(machine, paths);
  out += pairs(machine);
  out += devices(machine);
  out += "</main>\n<script type=\"application/json\" id=\"machine\">\n" +
         json_for_script(machine_json(machine, paths)) + "\n</script>\n";
  if (picked(machine).size() >= 2) {
    out += "<script>\n";
    out += embedded_page("page.js");
    out += "</script>\n";
  }
  return out + "</body>\n</html>\n";
}

}  // namespace railgauge::present
