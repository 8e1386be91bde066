#include <filesystem>

#include "base/strings.h"
#include "observe/sysfs/copy.h"
#include "observe/system/environment.h"

namespace railgauge::observe {
namespace {

// Who looks: what would name a person in a path.
struct Person {
  std::string_view home;  // "/home/ann"
  std::string_view user;  // "ann"
};

Person person_of(const std::vector<std::string>& environment) {
  Person person;
  for (const auto& entry : environment) {
    const auto found = setting(entry);
    if (!found) continue;
    if (found->name == "HOME") person.home = found->value;
    if (found->name == "USER" || found->name == "LOGNAME") person.user = found->value;
  }
  while (person.home.ends_with('/')) person.home.remove_suffix(1);
  return person;
}

// "/home/ann/topo.xml" is "~/topo.xml", "/scratch/ann/topo.xml" is "/scratch/(user)/topo.xml".
std::string impersonal(std::string_view value, const Person& person) {
  if (!contains(value, "/")) return valid_utf8(value);
  std::string out;
  for (std::size_t at = 0; at < value.size();) {
    const auto rest = value.substr(at);
    const auto ends_after = [&](std::size_t length) {
      return rest.size() == length ||
             std::string_view("/:,; ").find(rest[length]) != std::string_view::npos;
    };
    if (!person.home.empty() && rest.starts_with(person.home) && ends_after(person.home.size())) {
      out += "~";
      at += person.home.size();
    } else if (!person.user.empty() && at > 0 && value[at - 1] == '/' &&
               rest.starts_with(person.user) && ends_after(person.user.size())) {
      out += "(user)";
      at += person.user.size();
    } else {
      out += value[at++];
    }
  }
  return valid_utf8(out);
}

// Keeps one setting as a line of `lines`, or the reason why not beside it.
void take(const Setting& found, const std::string& file, const Person& person, std::string& lines,
          Recording& recording) {
  const Admitted admitted = admit(found.name, found.value);
  if (admitted.admission == Admission::taken)
    lines += std::string(found.name) + "=" + impersonal(found.value, person) + "\n";
  else if (admitted.admission == Admission::refused)
    recording.add_refused("refused/" + file + "/" + std::string(found.name), admitted.why);
}

// A file such as /etc/nccl.conf: settings by line, comments between them. Comments are not kept,
// nor what is not on the list.
void capture_settings(const Root& root, const std::filesystem::path& place, const std::string& path,
                      const Person& person, Recording& recording) {
  const auto directory = Directory::open(root.prefix / place.parent_path().relative_path());
  if (!directory) return;
  auto text = directory->read(place.filename().string());
  if (!text) return keep(std::move(text), path, recording);
  std::string lines;
  for (LineCursor cursor(*text); cursor.next();)
    if (const auto found = setting(trim(cursor.line())))
      take({trim(found->name), trim(found->value)}, path, person, lines, recording);
  recording.add_file(path, std::move(lines));
}

}  // namespace

void capture_environment(const Root& root, Recording& recording) {
  const Person person = person_of(root.environment);
  std::string lines;
  for (const auto& entry : root.environment)
    if (const auto found = setting(entry))
      take(*found, "environment.txt", person, lines, recording);
  if (!root.environment.empty()) recording.add_file("environment.txt", std::move(lines));
  capture_settings(root, "/etc/nccl.conf", "etc/nccl.conf", person, recording);
  if (person.home.starts_with('/'))
    capture_settings(root, std::filesystem::path(person.home) / ".nccl.conf", "home/.nccl.conf",
                     person, recording);
}

}  // namespace railgauge::observe
