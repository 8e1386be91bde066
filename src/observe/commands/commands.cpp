#include "observe/commands/commands.h"

#include <fmt/format.h>

#include <iterator>
#include <nlohmann/json.hpp>

#include "base/strings.h"
#include "observe/join/join.h"
#include "observe/read_text.h"
#include "observe/sources.h"

namespace railgauge::observe {
namespace {

constexpr std::string_view folder = "commands";

std::string how_it_ended(const Command& command, const ProcessOutput& output,
                         std::chrono::milliseconds took) {
  const nlohmann::ordered_json document = {{"argv", command.argv},
                                           {"exit_status", output.exit_status},
                                           {"duration_ms", took.count()},
                                           {"err", output.err}};
  return document.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

void capture_command(const Root& root, const Command& command, Recording& recording) {
  const std::string path = fmt::format("{}/{}", folder, command.name);
  const auto started = std::chrono::steady_clock::now();
  auto output = root.run(command.argv, command.deadline);
  const auto took = std::chrono::duration_cast<std::chrono::milliseconds>(
      std::chrono::steady_clock::now() - started);
  if (!output) {
    if (output.error().kind != ErrorKind::not_found)
      recording.add_refused(path + ".txt", output.error().text());
    return;
  }
  recording.add_file(path + ".json", how_it_ended(command, *output, took));
  recording.add_file(path + ".txt", std::move(output->out));
}

// The display or accelerator functions of AMD that can be GPUs of a compute server.
bool has_amd_gpu(const Recording& recording) {
  for (const auto& [path, entry] : recording.entries) {
    if (!path.ends_with("/vendor") || !entry.bytes.starts_with("0x1002")) continue;
    const auto kind = recording.text(std::string(path.substr(0, path.size() - 6)) + "class");
    if (kind && (kind->starts_with("0x03") || kind->starts_with("0x12"))) return true;
  }
  return false;
}

bool has_rdma(const Recording& recording) {
  return recording.has_directory("sys/class/infiniband");
}

}  // namespace

const std::vector<Command>& commands() {
  using std::chrono::milliseconds;
  // Links between AMD GPUs, which sysfs does not tell; the version of NVIDIA's network drivers.
  static const std::vector<Command> all{
      {"rocm-smi-showtopo", {"rocm-smi", "--showtopo"}, milliseconds(1500), has_amd_gpu},
      {"ofed-info", {"ofed_info", "-s"}, milliseconds(500), has_rdma},
  };
  return all;
}

void capture_commands(const Root& root, Recording& recording) {
  if (!root.run) return;
  for (const Command& command : commands())
    if (command.wanted(recording)) capture_command(root, command, recording);
}

bool commands_present(const Recording& recording) { return recording.has_directory(folder); }

Result<model::Machine> read_commands(const Recording& recording) {
  std::vector<model::Machine> parts;
  model::Machine ours;
  for (const std::string& name : recording.list(folder)) {
    const std::string path = fmt::format("{}/{}", folder, name);
    const Entry* entry = recording.find(path);
    if (entry == nullptr || entry->kind != Entry::Kind::file || !name.ends_with(".txt")) continue;
    const Input input{path, std::string(entry->bytes)};
    if (sniff(input.bytes).empty()) continue;
    auto read = read_text(input);
    if (read)
      std::move(read->parts.begin(), read->parts.end(), std::back_inserter(parts));
    else
      ours.remark(model::RemarkLevel::warning, read.error().text(),
                  ours.sources.add(path, model::Trust::tool));
  }
  // "MLNX_OFED_LINUX-23.10-0.5.5.0:" is one line of no form that could be recognised elsewhere.
  if (const auto ofed = recording.text("commands/ofed-info.txt"); ofed && contains(*ofed, "OFED"))
    ours.host.ofed.claim(std::string(trim(split(*ofed, ':')[0])),
                         ours.sources.add("commands/ofed-info.txt", model::Trust::tool));
  parts.push_back(std::move(ours));
  return join(std::move(parts));
}

}  // namespace railgauge::observe
