#include <fmt/format.h>

#include "observe/sysfs/attributes.h"
#include "observe/system/host_text.h"
#include "observe/system/module_names.h"
#include "observe/system/modules.h"

namespace railgauge::observe {
namespace {

using model::SourceRef;
using model::Trust;

constexpr std::size_t most_modules = 512;

// An unset text parameter holds nothing, or "(null)": that is its value.
Reading<std::string> parameter(std::string_view text) {
  if (text.size() > 4096) return Reading<std::string>::not_reported("at most 4096 bytes");
  return valid_utf8(text);
}

void read_module(const Recording& recording, const std::string& name, model::Machine& machine) {
  const std::string path = "sys/module/" + name;
  model::KernelModule& module =
      module_named(machine, name, machine.sources.add(path, Trust::kernel));
  Attributes(recording, machine, path).fill(module.version, "version", plain_text);
  Attributes parameters(recording, machine, path + "/parameters");
  for (const auto& key : recording.list(path + "/parameters"))
    parameters.fill(module.parameters[valid_utf8(key)], key, parameter);
}

// "EnablePCIERelaxedOrderingMode: 1", "RegistryDwords: \"\"": what `modprobe nvidia NVreg_…` sets.
void read_nvidia_parameters(const Recording& recording, model::Machine& machine) {
  const std::string path = "proc/driver/nvidia/params";
  const Entry* entry = recording.find(path);
  if (entry == nullptr || entry->kind != Entry::Kind::file) return;
  const SourceRef source = machine.sources.add(path, Trust::kernel);
  model::KernelModule& nvidia = module_named(machine, "nvidia", source);
  for (LineCursor lines(entry->bytes); lines.next() && lines.number() <= 256;) {
    const auto colon = lines.line().find(": ");
    if (colon == std::string_view::npos) continue;
    auto value = trim(lines.line().substr(colon + 2));
    if (value.size() >= 2 && value.front() == '"' && value.back() == '"')
      value = value.substr(1, value.size() - 2);
    nvidia.parameters["NVreg_" + valid_utf8(lines.line().substr(0, colon))].claim(
        valid_utf8(value), source.at_line(lines.number()));
  }
}

// "nv_mem 1.3": the clients that may hand GPU memory to RDMA adapters, with their versions.
void read_peer_memory(const Recording& recording, model::Machine& machine) {
  const std::string peers = "sys/kernel/mm/memory_peers";
  std::string clients;
  for (const auto& name : recording.list(peers)) {
    const auto version = recording.text(peers + "/" + name + "/version");
    if (clients.size() > 1024) break;
    clients += (clients.empty() ? "" : ", ") + valid_utf8(name);
    if (version) clients += " " + valid_utf8(version->substr(0, 64));
  }
  if (!clients.empty())
    machine.host.peer_memory.claim(clients, machine.sources.add(peers, Trust::kernel));
}

// "name  size  used by": /proc/modules and lsmod agree up to here.
bool is_module_line(const std::vector<std::string_view>& words) {
  constexpr std::int64_t smallest_bytes = 1000;  // one page, on any machine
  if (words.size() < 3) return false;
  const auto size = parse_int(words[1]);
  const auto users = parse_int(words[2]);
  return size && *size >= smallest_bytes && users && *users >= -2;
}

}  // namespace

model::KernelModule& module_named(model::Machine& machine, std::string_view name,
                                  SourceRef source) {
  for (auto& module : machine.modules)
    if (module.name == name) return module;
  return machine.modules.emplace_back(model::KernelModule{std::string(name), {}, {}, source});
}

void read_modules(const Recording& recording, model::Machine& machine) {
  if (const Entry* list = recording.find("proc/modules");
      list != nullptr && list->kind == Entry::Kind::file)
    modules_text(list->bytes, machine.sources.add("proc/modules", Trust::kernel), machine);
  for (const auto& name : recording.list("sys/module"))
    if (is_module_of_interest(name) && machine.modules.size() < most_modules)
      read_module(recording, name, machine);
  read_nvidia_parameters(recording, machine);
  read_peer_memory(recording, machine);
}

bool modules_text(std::string_view text, SourceRef source, model::Machine& machine) {
  bool found = false;
  for (LineCursor lines(text); lines.next();) {
    const auto line = lines.line().substr(0, 4096);
    const auto words = split_blank(line);
    if (words.size() == 4 && words[0] == "Module" && words[1] == "Size" && words[2] == "Used")
      found = true;
    if (words.empty() || !is_module_of_interest(words[0]) || !is_module_line(words)) continue;
    found = true;
    if (machine.modules.size() < most_modules)
      module_named(machine, words[0], source.at_line(lines.number()));
  }
  return found;
}

// modinfo speaks of the file on disk. That the module is loaded does not follow, so it makes no
// module; the version of NVIDIA's driver is worth knowing all the same.
bool module_info_text(std::string_view text, SourceRef source, model::Machine& machine) {
  bool found = false;
  std::string_view file;
  for (LineCursor lines(text); lines.next();) {
    const auto line = lines.line().substr(0, 4096);
    const auto colon = line.find(':');
    if (colon == std::string_view::npos || colon > 20) continue;
    const auto key = line.substr(0, colon);
    const auto value = trim(line.substr(colon + 1));
    if (key == "filename" && contains(value, ".ko")) file = value.substr(value.rfind('/') + 1);
    if (key != "version" || file.empty() || value.empty()) continue;
    found = true;
    const auto here = source.at_line(lines.number());
    const auto name = file.substr(0, file.find(".ko"));
    if (name == "nvidia")
      machine.host.driver.claim(valid_utf8(value), {here.index, here.line, Trust::file});
    else if (machine.remarks.size() < 100)
      machine.remark(model::RemarkLevel::note,
                     fmt::format("{} {} is installed; whether it is loaded, modinfo does not say",
                                 railgauge::quoted(name), railgauge::quoted(value)),
                     here);
    file = {};
  }
  return found;
}

}  // namespace railgauge::observe
