// railgauge see: from whatever was given to one picture of the machine.
#include <unistd.h>  // environ

#include <fmt/format.h>

#include <algorithm>

#include "apps/railgauge/envelope.h"
#include "apps/railgauge/identities.h"
#include "apps/railgauge/look.h"
#include "apps/railgauge/output.h"
#include "apps/railgauge/parse.h"
#include "apps/railgauge/seen.h"
#include "apps/railgauge/verb.h"
#include "base/strings.h"
#include "observe/observe.h"
#include "present/fleet.h"
#include "present/present.h"

namespace railgauge::app {
namespace {

Exit report(const Arguments& arguments, const Error& error, bool json) {
  if (json) write_result(arguments, error_envelope("railgauge.see/1", arguments, error));
  say_error(error.text());
  return Exit::could_not;
}

std::vector<std::string> known_ids(const model::Machine& machine) {
  std::vector<std::string> ids;
  for (const model::Device& device : machine.devices) ids.push_back(device.id);
  return ids;
}

Result<model::DeviceId> find_device(const model::Machine& machine, const std::string& what) {
  if (const auto id = machine.find(what)) return *id;
  const std::string meant = did_you_mean(what, known_ids(machine));
  std::string some;
  for (const auto kind : {model::DeviceKind::gpu, model::DeviceKind::nic})
    for (const auto id : machine.of_kind(kind)) some += (some.empty() ? "" : " ") + machine[id].id;
  return fail(ErrorKind::usage, fmt::format("{} has no device {}.{} It has: {}", machine.name, what,
                                            meant.empty() ? "" : " Did you mean " + meant + "?",
                                            some.empty() ? "no GPU and no NIC" : some));
}

Result<std::string> path_text(const model::Machine& machine, const Arguments& arguments,
                              const present::Style& style) {
  const auto& ends = arguments.values("path");
  const auto from = find_device(machine, ends[0]);
  if (!from) return tl::unexpected(from.error());
  const auto to = find_device(machine, ends[1]);
  if (!to) return tl::unexpected(to.error());
  return present::text_path(machine, *from, *to, style);
}

// NCCL finds devices by PCI address alone, so a file without any would describe nothing.
Result<std::string> nccl_text(const model::Machine& machine) {
  const auto has_address = [](const model::Device& device) { return bool(device.address); };
  if (std::any_of(machine.devices.begin(), machine.devices.end(), has_address))
    return valid_utf8(present::nccl_xml(machine));
  return fail(ErrorKind::input, "an NCCL topology file needs PCI addresses and " + machine.name +
                                    " has none: give the output of lspci -vvv with it");
}

Result<std::string> render(const model::Machine& machine, const std::string& format,
                           const Arguments& arguments, const present::Style& style) {
  if (format == "path") return path_text(machine, arguments, style);
  if (format == "matrix") return present::text_matrix(machine, style);
  if (format == "svg") return present::svg(machine);
  if (format == "html") return present::html(machine);
  if (format == "dot") return present::dot(machine);
  if (format == "nccl-xml") return nccl_text(machine);
  return present::text_tree(machine, style);
}

std::string chosen_format(const Arguments& arguments) {
  if (arguments.has("json")) return "json";
  if (arguments.has("path") && !arguments.has("format")) return "path";
  if (arguments.has("matrix")) return "matrix";
  return arguments.value("format", "text");
}

std::vector<std::string> warnings_of(const Seen& seen) {
  std::vector<std::string> warnings;
  for (const std::string& why : seen.passed_over) warnings.push_back("passed over: " + why);
  warnings.insert(warnings.end(), seen.repeated.begin(), seen.repeated.end());
  if (seen.several() && !seen.each) return warnings;
  for (const model::Machine& machine : seen.machines)
    for (const model::Remark& remark : machine.remarks)
      if (remark.level != model::RemarkLevel::note) warnings.push_back(remark.text);
  return warnings;
}

std::string json_result(const Seen& seen) {
  if (!seen.several()) return "{\"machine\":" + present::machine_json(seen.machines[0]) + "}";
  std::string out = present::fleet_json(seen.report());
  if (seen.each) {
    std::string list;
    for (const model::Machine& machine : seen.machines)
      list += (list.empty() ? "" : ",") + present::machine_json(machine);
    out = "\"machines\":[" + list + "]," + out;
  }
  return "{" + out + "}";
}

void print_times(const Seen& seen) {
  for (const auto& [source, time] : seen.times)
    fmt::print(stderr, "{:>10.1f} ms  {}\n", static_cast<double>(time.count()) / 1000, source);
}

// These formats hold a line for every pair of GPUs and NICs: at this many, 80,000 lines and 200 MB.
constexpr std::size_t most_endpoints = 400;

Result<void> check_pairs(const model::Machine& machine, const std::string& format) {
  if (format != "json" && format != "html" && format != "matrix") return {};
  const std::size_t count = machine.of_kind(model::DeviceKind::gpu).size() +
                            machine.of_kind(model::DeviceKind::nic).size();
  if (count <= most_endpoints) return {};
  return fail(
      ErrorKind::limit,
      fmt::format("{} has {} GPUs and NICs; {} shows every pair of them and takes at most {}. The "
                  "text, svg and dot formats take any number",
                  machine.name, count, format, most_endpoints));
}

Result<void> check_count(const Seen& seen, const std::string& format) {
  const bool one_only = format != "text" && format != "matrix" && format != "json";
  if (seen.several() && one_only)
    return fail(ErrorKind::usage,
                fmt::format("{} holds one machine and these are {}: name one recording", format,
                            seen.count));
  const bool drawn = seen.each || format == "matrix";
  if (drawn && seen.count > Seen::drawn_at_most)
    return fail(ErrorKind::usage,
                fmt::format("these are {} machines, and at most {} are drawn one by one: leave out "
                            "--each to group them",
                            seen.count, Seen::drawn_at_most));
  return {};
}

Result<std::string> render_all(const Seen& seen, const std::string& format,
                               const Arguments& arguments) {
  if (auto counted = check_count(seen, format); !counted)
    return tl::unexpected(std::move(counted.error()));
  const bool grouped = seen.several() && !seen.each && format != "matrix";
  if (!grouped)
    for (const model::Machine& machine : seen.machines)
      if (auto checked = check_pairs(machine, format); !checked)
        return tl::unexpected(std::move(checked.error()));
  if (format == "json")
    return envelope("railgauge.see/1", arguments, warnings_of(seen), json_result(seen));
  if (grouped) return present::text_fleet(seen.report(), style_for(arguments));
  std::string out;
  for (const model::Machine& machine : seen.machines) {
    if (seen.several()) out += fmt::format("{}=== {}\n", out.empty() ? "" : "\n", machine.name);
    auto text = render(machine, format, arguments, style_for(arguments));
    if (!text) return text;
    out += *text;
  }
  return out;
}

// The odd one beside one of the largest group, where both have a name to be read by.
void next_of_fleet(const Arguments& arguments, const Seen& seen) {
  const auto& report = seen.report();
  if (report.groups.size() < 2) return;
  const std::string usual = seen.inputs[report.groups[0].example];
  const std::string odd = seen.inputs[report.groups.back().example];
  if (!usual.empty() && !odd.empty())
    hint(arguments, fmt::format("next: railgauge diff {} {} --ignore identity,counters",
                                shell_word(usual), shell_word(odd)));
}

void next_step(const Arguments& arguments, const Seen& seen, const std::string& format) {
  if (format == "text" && seen.several() && !seen.each) return next_of_fleet(arguments, seen);
  if (format != "text" || seen.several()) return;
  const model::Machine& machine = seen.machines[0];
  const auto gpus = machine.of_kind(model::DeviceKind::gpu);
  const auto nics = machine.of_kind(model::DeviceKind::nic);
  if (gpus.empty() || (nics.empty() && gpus.size() < 2)) return;
  const std::string to = nics.empty() ? machine[gpus.back()].id : machine[nics.back()].id;
  std::string inputs;
  for (const char* name : {"INPUT", "from"})
    for (const std::string& input : arguments.values(name)) inputs += " " + shell_word(input);
  hint(arguments,
       fmt::format("next: railgauge see{} --path {} {}", inputs, machine[gpus[0]].id, to));
}

Exit run(const Arguments& arguments) {
  const std::string format = chosen_format(arguments);
  const bool json = format == "json";
  std::vector<std::string> inputs = arguments.values("INPUT");
  const auto& from = arguments.values("from");
  inputs.insert(inputs.end(), from.begin(), from.end());

  const auto knowledge = load_knowledge(arguments);
  if (!knowledge) return report(arguments, knowledge.error(), json);
  const auto seen = see_inputs(inputs, *knowledge, arguments);
  if (!seen) return report(arguments, seen.error(), json);
  const auto text = render_all(*seen, format, arguments);
  if (!text) return report(arguments, text.error(), json);
  for (const std::string& why : seen->passed_over) say_error("warning: passed over: " + why);
  for (const std::string& what : seen->repeated) say_error("warning: " + what);
  if (arguments.has("verbose")) print_times(*seen);
  const Exit exit = write_result(arguments, *text);
  if (exit == Exit::done) next_step(arguments, *seen, format);
  return exit;
}

}  // namespace

VerbSpec see_verb() {
  VerbSpec verb;
  verb.name = "see";
  verb.summary =
      "Draw a machine: sockets, PCIe switches, GPUs, NICs, NVLink, with a rate on every edge";
  verb.description =
      "Builds one model of a machine from whatever is given and draws it. Without INPUT it looks "
      "at this "
      "machine. INPUT is any mixture of: the output of nvidia-smi topo -m or -p2p, rocm-smi "
      "--showtopo, lspci "
      "(-vvv, -nn, -tv, -xxxx), an NCCL topology XML, lstopo XML, a recording (directory or "
      "archive), '-' for "
      "standard input. Loose texts together are one machine; each recording is its own. "
      "synthetic:NAME is a known machine. Several machines are grouped by what they have in "
      "common, and "
      "the odd ones are named.";
  verb.positional = {
      "INPUT", "", "Files, directories, archives, '-' or synthetic:NAME; none: this machine",
      {},      -1, Completes::files};
  verb.options = {
      {"--from", "INPUT", "The same as INPUT", {}, -1, Completes::files},
      {"--format",
       "FORMAT",
       "How to show it",
       {"text", "matrix", "svg", "html", "json", "dot", "nccl-xml"},
       1,
       Completes::choices},
      {"--matrix", "", "The matrix of nvidia-smi topo -m, and the rate of each path", {}},
      {"--path", "A B", "Every hop from device A to device B, with the bottleneck", {}, 2},
      {"--each", "", "Draw each of several machines instead of grouping them; at most 4", {}},
      pci_ids_option(),
      {"--replace-identities",
       "",
       "Replace host names, addresses, GUIDs, serial and user names, as record does",
       {}},
      identity_key_option(),
      {"--json", "", "One JSON document, also on failure", {}},
  };
  verb.examples = {
      {"railgauge see", "this machine"},
      {"nvidia-smi topo -m | railgauge see -", "what a colleague pasted"},
      {"railgauge see --from synthetic:hgx-h100 --path gpu0 mlx5_3", "a path and its bottleneck"},
      {"railgauge see recordings/", "which of many machines are odd, and in what"},
      {"railgauge see topo.txt lspci.txt --format html -o m.html", "a page to send on"},
  };
  verb.run = run;
  return verb;
}

}  // namespace railgauge::app
