#include "observe/system/confinement.h"

#include <sys/stat.h>

#include <array>

#include "base/strings.h"
#include "observe/sysfs/attributes.h"
#include "observe/sysfs/copy.h"
#include "observe/system/capture.h"
#include "observe/system/cgroup_capture.h"
#include "observe/system/host_text.h"

namespace railgauge::observe {
namespace {

using model::Limit;
using model::Trust;

constexpr const char* container_file = "system/container.txt";

struct Sign {
  std::string_view word;  // a path below the root, or a part of the control group's path
  std::string_view kind;
};
// The most specific first: a pod's container has the signs of Docker or containerd too.
constexpr std::array<Sign, 4> files{{{"var/run/secrets/kubernetes.io", "kubernetes"},
                                     {"run/.containerenv", "podman"},
                                     {".dockerenv", "docker"},
                                     {".singularity.d", "singularity"}}};
constexpr std::array<Sign, 6> groups{{{"kubepods", "kubernetes"},
                                      {"libpod", "podman"},
                                      {"/docker", "docker"},
                                      {"crio-", "cri-o"},
                                      {"cri-containerd", "containerd"},
                                      {"/lxc", "lxc"}}};
constexpr std::array<std::string_view, 3> status_lines{
    "Cpus_allowed_list:", "Mems_allowed_list:", "CapEff:"};

void capture_container(const Root& root, std::string_view cgroup, Recording& recording) {
  std::string lines;
  const auto add = [&](const Sign& sign, std::string_view where) {
    lines += std::string(sign.kind) + " " + std::string(where) + std::string(sign.word) + "\n";
  };
  struct stat ignored {};
  for (const Sign& sign : files)
    if (::lstat((root.prefix / sign.word).c_str(), &ignored) == 0) add(sign, "/");
  for (const Sign& sign : groups)
    if (contains(cgroup, sign.word)) add(sign, "control group ");
  recording.add_file(container_file, lines.empty() ? "none\n" : std::move(lines));
}

void read_container(const Recording& recording, model::Machine& machine) {
  const auto text = recording.text(container_file);
  if (!text) return;
  const auto source = machine.sources.add(container_file, Trust::kernel);
  // Every sign is right in its way; the first is the most specific.
  const auto words = split_blank(std::string_view(*text).substr(0, 4096));
  if (!words.empty()) machine.host.container.claim(valid_utf8(words[0]), source.at_line(1));
}

void read_status(const Recording& recording, model::Machine& machine) {
  const Entry* entry = recording.find("proc/self/status");
  if (entry == nullptr || entry->kind != Entry::Kind::file) return;
  const auto source = machine.sources.add("proc/self/status", Trust::kernel);
  for (LineCursor lines(entry->bytes); lines.next() && lines.number() <= 256;) {
    const auto take = [&](std::string_view key, model::Fact<std::string>& fact) {
      if (lines.line().starts_with(key))
        fact.claim(valid_utf8(trim(lines.line().substr(key.size(), 65536))),
                   source.at_line(lines.number()));
    };
    take("Cpus_allowed_list:", machine.host.cpus_allowed);
    take("Mems_allowed_list:", machine.host.numa_nodes_allowed);
  }
}

Reading<Limit> memory_limit(std::string_view text) {
  if (text == "max") return Limit{};
  const auto number = parse_int(text);
  if (!number || *number < 0) return Reading<Limit>::not_reported("a number of bytes, or max");
  return Limit{static_cast<std::uint64_t>(*number)};
}

}  // namespace

void capture_confinement(const Root& root, Recording& recording) {
  copy_path(root, "proc/self/limits", recording);
  copy_lines(root, "proc/self/status", status_lines, recording);
  const auto self = Directory::open(root.prefix / "proc/self");
  if (!self) return;
  const std::string cgroup = self->read("cgroup").value_or("");
  capture_cgroup(root, cgroup, recording);
  capture_container(root, cgroup, recording);
}

void read_confinement(const Recording& recording, model::Machine& machine) {
  if (const Entry* limits = recording.find("proc/self/limits");
      limits != nullptr && limits->kind == Entry::Kind::file)
    limits_text(limits->bytes, machine.sources.add("proc/self/limits", Trust::kernel), machine);
  read_status(recording, machine);
  Attributes cgroup(recording, machine, "system/cgroup");
  cgroup.fill(machine.host.cgroup_cpus, "cpuset.cpus.effective", plain_text);
  cgroup.fill(machine.host.cgroup_memory_limit_bytes, "memory.max", memory_limit);
  read_container(recording, machine);
}

}  // namespace railgauge::observe
