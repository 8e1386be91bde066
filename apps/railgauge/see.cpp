// railgauge see: from whatever was given to one picture of the machine.
#include <unistd.h>  // environ

#include <fmt/format.h>

#include <algorithm>

#include "apps/railgauge/envelope.h"
#include "apps/railgauge/live.h"
#include "apps/railgauge/output.h"
#include "apps/railgauge/parse.h"
#include "apps/railgauge/verb.h"
#include "base/strings.h"
#include "observe/catalogue/pci_ids.h"
#include "observe/observe.h"
#include "present/present.h"

namespace railgauge::app {
namespace {

constexpr std::string_view synthetic_prefix = "synthetic:";

Exit report(const Arguments& arguments, const Error& error, bool json) {
  if (json) write_result(arguments, error_envelope("railgauge.see/1", arguments, error));
  say_error(error.text());
  return Exit::could_not;
}

Result<observe::Observed> observe_live(const observe::Knowledge& knowledge) {
  const LiveRoot live;
  return observe::live_machine(live.root(), knowledge);
}

Result<observe::Observed> observe_all(const std::vector<std::string>& inputs,
                                      const observe::Knowledge& knowledge) {
  if (inputs.empty()) return observe_live(knowledge);
  observe::Observed all;
  std::vector<std::string> files;
  for (const std::string& input : inputs) {
    if (!input.starts_with(synthetic_prefix)) {
      files.push_back(input);
      continue;
    }
    auto machine = observe::synthetic(input.substr(synthetic_prefix.size()), knowledge.catalogue);
    if (!machine) return tl::unexpected(std::move(machine.error()));
    all.machines.push_back(std::move(*machine));
  }
  if (files.empty()) return all;
  auto read = observe::machines(files, knowledge);
  if (!read) return tl::unexpected(std::move(read.error()));
  std::move(read->machines.begin(), read->machines.end(), std::back_inserter(all.machines));
  all.times = std::move(read->times);
  all.passed_over = std::move(read->passed_over);
  return all;
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

std::vector<std::string> warnings_of(const observe::Observed& observed) {
  std::vector<std::string> warnings;
  for (const std::string& why : observed.passed_over) warnings.push_back("passed over: " + why);
  for (const model::Machine& machine : observed.machines)
    for (const model::Remark& remark : machine.remarks)
      if (remark.level != model::RemarkLevel::note) warnings.push_back(remark.text);
  return warnings;
}

std::string json_result(const std::vector<model::Machine>& machines) {
  if (machines.size() == 1) return "{\"machine\":" + present::machine_json(machines[0]) + "}";
  std::string list;
  for (const model::Machine& machine : machines)
    list += (list.empty() ? "" : ",") + present::machine_json(machine);
  return "{\"machines\":[" + list + "]}";
}

void print_times(const observe::Observed& observed) {
  for (const auto& [source, time] : observed.times)
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

Result<std::string> render_all(const observe::Observed& observed, const std::string& format,
                               const Arguments& arguments) {
  for (const model::Machine& machine : observed.machines)
    if (auto checked = check_pairs(machine, format); !checked)
      return tl::unexpected(std::move(checked.error()));
  if (format == "json")
    return envelope("railgauge.see/1", arguments, warnings_of(observed),
                    json_result(observed.machines));
  const bool several = observed.machines.size() > 1;
  const bool one_only = format != "text" && format != "matrix";
  if (several && one_only)
    return fail(ErrorKind::usage,
                fmt::format("{} holds one machine and these are {}: name one recording", format,
                            observed.machines.size()));
  std::string out;
  for (const model::Machine& machine : observed.machines) {
    if (several) out += fmt::format("{}=== {}\n", out.empty() ? "" : "\n", machine.name);
    auto text = render(machine, format, arguments, style_for(arguments));
    if (!text) return text;
    out += *text;
  }
  return out;
}

void next_step(const Arguments& arguments, const observe::Observed& observed,
               const std::string& format) {
  if (format != "text" || observed.machines.size() != 1) return;
  const model::Machine& machine = observed.machines[0];
  const auto gpus = machine.of_kind(model::DeviceKind::gpu);
  const auto nics = machine.of_kind(model::DeviceKind::nic);
  if (gpus.empty() || (nics.empty() && gpus.size() < 2)) return;
  const std::string to = nics.empty() ? machine[gpus.back()].id : machine[nics.back()].id;
  std::string inputs;
  for (const char* name : {"INPUT", "from"})
    for (const std::string& input : arguments.values(name)) inputs += " " + input;
  hint(arguments,
       fmt::format("next: railgauge see{} --path {} {}", inputs, machine[gpus[0]].id, to));
}

Result<observe::Knowledge> load_knowledge(const Arguments& arguments) {
  auto catalogue = observe::catalogue();
  if (!catalogue) return tl::unexpected(std::move(catalogue.error()));
  std::filesystem::path pci_ids = observe::system_pci_ids();
  if (arguments.has("pci-ids")) {
    const std::string chosen = arguments.value("pci-ids");
    pci_ids = chosen == "none" ? "" : chosen;
    std::error_code error;
    if (chosen != "none" && !std::filesystem::is_regular_file(chosen, error))
      return fail(ErrorKind::not_found, "--pci-ids: " + railgauge::quoted(chosen) +
                                            " is not a file; give a pci.ids file, or none");
  }
  return observe::Knowledge{std::move(*catalogue), pci_ids};
}

Exit run(const Arguments& arguments) {
  const std::string format = chosen_format(arguments);
  const bool json = format == "json";
  std::vector<std::string> inputs = arguments.values("INPUT");
  const auto& from = arguments.values("from");
  inputs.insert(inputs.end(), from.begin(), from.end());

  const auto knowledge = load_knowledge(arguments);
  if (!knowledge) return report(arguments, knowledge.error(), json);
  const auto observed = observe_all(inputs, *knowledge);
  if (!observed) return report(arguments, observed.error(), json);
  const auto text = render_all(*observed, format, arguments);
  if (!text) return report(arguments, text.error(), json);
  for (const std::string& why : observed->passed_over) say_error("warning: passed over: " + why);
  if (arguments.has("verbose")) print_times(*observed);
  const Exit exit = write_result(arguments, *text);
  if (exit == Exit::done) next_step(arguments, *observed, format);
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
      "synthetic:NAME is a known machine.";
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
      {"--pci-ids",
       "FILE",
       "Names of PCI ids; 'none' uses our own short list only",
       {},
       1,
       Completes::files},
      {"--json", "", "One JSON document, also on failure", {}},
  };
  verb.examples = {
      {"railgauge see", "this machine"},
      {"nvidia-smi topo -m | railgauge see -", "what a colleague pasted"},
      {"railgauge see --from synthetic:hgx-h100 --path gpu0 mlx5_3", "a path and its bottleneck"},
      {"railgauge see topo.txt lspci.txt --format html -o m.html", "a page to send on"},
  };
  verb.run = run;
  return verb;
}

}  // namespace railgauge::app
