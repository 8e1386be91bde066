#include "observe/system/cgroup_capture.h"

#include <filesystem>
#include <optional>

#include "base/strings.h"
#include "observe/sysfs/directory.h"

namespace railgauge::observe {
namespace {

namespace fs = std::filesystem;

// Deeper than systemd and Kubernetes nest them together.
constexpr int deepest_group = 32;

// The group of a controller ("cpuset") in version 1, or that of version 2 (""): lines are
// "4:cpuset:/docker/0a1b…" and "0::/user.slice".
std::optional<std::string> group_of(std::string_view self, std::string_view controller) {
  for (LineCursor lines(self); lines.next() && lines.number() <= 64;) {
    const auto fields = split(lines.line().substr(0, 4096), ':');
    if (fields.size() < 3) continue;
    for (const auto one : split(fields[1], ','))
      if (one == controller) {
        std::string path(lines.line().substr(fields[0].size() + fields[1].size() + 2));
        // A group outside of our namespace: what we see is the root.
        return contains(path, "..") ? "/" : path;
      }
  }
  return std::nullopt;
}

Result<std::string> read_in(const fs::path& directory, const std::string& name) {
  const auto open = Directory::open(directory);
  if (!open) return tl::unexpected(open.error());
  return open->read(name);
}

// The file in the group or, where it lacks there (a container sees its own group as the root, an
// inner group has not the controller), in the nearest group above.
std::optional<std::string> nearest(const fs::path& mount, fs::path group, const std::string& name) {
  for (int depth = 0; depth < deepest_group; ++depth) {
    const auto text = read_in(mount / group, name);
    if (text && !trim(*text).empty()) return std::string(trim(*text));
    if (group.empty()) break;
    group = group.parent_path();
  }
  return std::nullopt;
}

// The tightest of the limits from the group to the root: all of them hold.
std::optional<std::string> tightest(const fs::path& mount, fs::path group,
                                    const std::string& name) {
  std::optional<std::string> found;
  std::optional<std::int64_t> least;
  for (int depth = 0; depth < deepest_group; ++depth) {
    const auto text = read_in(mount / group, name);
    if (text) {
      const auto number = parse_int(trim(*text));
      // Version 1 writes "no limit" as the largest multiple of a page.
      const bool limited = number && *number < INT64_MAX - (1 << 20);
      if (limited && (!least || *number < *least)) least = number;
      if (!found) found = "max";
    }
    if (group.empty()) break;
    group = group.parent_path();
  }
  return least ? std::to_string(*least) : found;
}

void add(const char* name, const std::optional<std::string>& text, Recording& recording) {
  if (text) recording.add_file(std::string("system/cgroup/") + name, *text + "\n");
}

}  // namespace

void capture_cgroup(const Root& root, std::string_view self, Recording& recording) {
  const fs::path mounts = root.prefix / "sys/fs/cgroup";
  const auto below = [](const std::optional<std::string>& group) {
    return fs::path(*group).relative_path().lexically_normal();
  };
  if (const auto cpuset = group_of(self, "cpuset")) {
    add("cpuset.cpus.effective", nearest(mounts / "cpuset", below(cpuset), "cpuset.effective_cpus"),
        recording);
    add("cpuset.mems.effective", nearest(mounts / "cpuset", below(cpuset), "cpuset.effective_mems"),
        recording);
  }
  if (const auto memory = group_of(self, "memory"))
    add("memory.max", tightest(mounts / "memory", below(memory), "memory.limit_in_bytes"),
        recording);
  const auto unified = group_of(self, "");
  if (!unified) return;
  for (const char* name : {"cpuset.cpus.effective", "cpuset.mems.effective"})
    if (recording.find(std::string("system/cgroup/") + name) == nullptr)
      add(name, nearest(mounts, below(unified), name), recording);
  if (recording.find("system/cgroup/memory.max") == nullptr)
    add("memory.max", tightest(mounts, below(unified), "memory.max"), recording);
}

}  // namespace railgauge::observe
