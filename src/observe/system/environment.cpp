#include "observe/system/environment.h"

#include <algorithm>
#include <filesystem>
#include <optional>

#include "base/strings.h"
#include "observe/sysfs/copy.h"
#include "observe/system/environment_names.h"
#include "observe/system/host_text.h"

namespace railgauge::observe {
namespace {

// Longer than any setting a person wrote.
constexpr std::size_t longest_value_bytes = 4096;
constexpr std::size_t longest_name_bytes = 128;
// More settings than all of these libraries together know.
constexpr std::size_t most_variables = 2000;

bool is_name(std::string_view name) {
  return !name.empty() && name.size() <= longest_name_bytes &&
         std::all_of(name.begin(), name.end(), [](char c) {
           return c == '_' || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') ||
                  (c >= '0' && c <= '9');
         });
}

bool is_listed(std::string_view name) {
  const auto starts = [&](std::string_view prefix) { return name.starts_with(prefix); };
  return std::find(environment_names.begin(), environment_names.end(), name) !=
             environment_names.end() ||
         std::any_of(environment_prefixes.begin(), environment_prefixes.end(), starts);
}

std::optional<std::string_view> secret_in(std::string_view upper) {
  for (const auto word : secret_words)
    if (contains(upper, word)) return word;
  return std::nullopt;
}

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

// "http://user:password@host", "password=…", "token:…"
bool value_tells_secret(std::string_view value) {
  if (contains(value, "://") && contains(value, "@")) return true;
  const std::string text = upper(value);
  for (const auto word : secret_words)
    for (auto at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      const auto end = text.find_first_not_of("ABCDEFGHIJKLMNOPQRSTUVWXYZ_", at + word.size());
      if (end != std::string::npos && (text[end] == '=' || text[end] == ':')) return true;
      if (end == std::string::npos) break;
    }
  return false;
}

// Splits "NAME=VALUE"; nothing for a line that is no such thing.
struct Setting {
  std::string_view name;
  std::string_view value;
};
std::optional<Setting> setting(std::string_view line) {
  const auto equals = line.find('=');
  if (equals == std::string_view::npos) return std::nullopt;
  return Setting{line.substr(0, equals), line.substr(equals + 1)};
}

// Keeps one setting as a line of `lines`, or the reason why not beside it.
void take(const Setting& found, const std::string& file, std::string& lines, Recording& recording) {
  const Admitted admitted = admit(found.name, found.value);
  if (admitted.admission == Admission::taken)
    lines += std::string(found.name) + "=" + valid_utf8(found.value) + "\n";
  else if (admitted.admission == Admission::refused)
    recording.add_refused("refused/" + file + "/" + std::string(found.name), admitted.why);
}

// A file such as /etc/nccl.conf: settings by line, comments between them. Comments are not kept,
// nor what is not on the list.
void capture_settings(const Root& root, const std::filesystem::path& place, const std::string& path,
                      Recording& recording) {
  const auto directory = Directory::open(root.prefix / place.parent_path().relative_path());
  if (!directory) return;
  auto text = directory->read(place.filename().string());
  if (!text) return keep(std::move(text), path, recording);
  std::string lines;
  for (LineCursor cursor(*text); cursor.next();)
    if (const auto found = setting(trim(cursor.line())))
      take({trim(found->name), trim(found->value)}, path, lines, recording);
  recording.add_file(path, std::move(lines));
}

void read_settings(const Recording& recording, const std::string& path, model::Machine& machine) {
  const Entry* entry = recording.find(path);
  if (entry == nullptr || entry->kind == Entry::Kind::link) return;
  const auto source = machine.sources.add(path, model::Trust::kernel);
  if (entry->kind == Entry::Kind::refused)
    machine.remark(model::RemarkLevel::note, "not read: " + entry->bytes, source);
  else
    settings_text(entry->bytes, source, machine);
  for (const auto& name : recording.list("refused/" + path))
    if (const auto why = recording.text("refused/" + path + "/" + name); why.is_failed())
      machine.remark(model::RemarkLevel::note, name + " is set, but not kept: " + why.why(),
                     source);
}

// `export -p` writes export NAME="VALUE" or declare -x NAME="VALUE".
Setting unwrapped(Setting found, bool& quoted_value) {
  for (const std::string_view start : {"export ", "declare -x "})
    if (found.name.starts_with(start)) found.name.remove_prefix(start.size());
  quoted_value = false;
  if (found.value.size() < 2) return found;
  const char quote = found.value.front();
  if ((quote != '"' && quote != '\'') || found.value.back() != quote) return found;
  quoted_value = true;
  found.value = found.value.substr(1, found.value.size() - 2);
  return found;
}

}  // namespace

Admitted admit(std::string_view name, std::string_view value) {
  if (!is_name(name) || !is_listed(name)) return {};
  if (const auto word = secret_in(upper(name)))
    return {Admission::refused, "its name holds " + std::string(*word)};
  if (value.size() > longest_value_bytes)
    return {Admission::refused, "its value is longer than 4 KiB"};
  if (value.find_first_of(std::string_view("\n\r\0", 3)) != std::string_view::npos)
    return {Admission::refused, "its value has more than one line"};
  if (value_tells_secret(value)) return {Admission::refused, "its value looks like a password"};
  return {Admission::taken, {}};
}

void capture_environment(const Root& root, Recording& recording) {
  std::string lines;
  std::string_view home;
  for (const auto& entry : root.environment) {
    const auto found = setting(entry);
    if (!found) continue;
    if (found->name == "HOME") home = found->value;
    take(*found, "environment.txt", lines, recording);
  }
  if (!root.environment.empty()) recording.add_file("environment.txt", std::move(lines));
  capture_settings(root, "/etc/nccl.conf", "etc/nccl.conf", recording);
  if (home.starts_with('/'))
    capture_settings(root, std::filesystem::path(home) / ".nccl.conf", "home/.nccl.conf",
                     recording);
}

void read_environment(const Recording& recording, model::Machine& machine) {
  for (const char* path : {"environment.txt", "etc/nccl.conf", "home/.nccl.conf"})
    read_settings(recording, path, machine);
}

bool settings_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  bool found_any = false;
  for (LineCursor lines(text); lines.next() && machine.variables.size() < most_variables;) {
    const auto line = setting(trim(lines.line()));
    if (!line) continue;
    const Admitted admitted = admit(line->name, line->value);
    if (admitted.admission == Admission::passed_over) continue;
    found_any = true;
    const auto here = source.at_line(lines.number());
    if (admitted.admission == Admission::taken)
      machine.variables.push_back({std::string(line->name), valid_utf8(line->value), here});
    else
      machine.remark(model::RemarkLevel::note,
                     std::string(line->name) + " is set, but not kept: " + admitted.why, here);
  }
  return found_any;
}

bool environment_text(std::string_view text, model::SourceRef source, model::Machine& machine) {
  bool found_any = false;
  for (LineCursor lines(text); lines.next() && machine.variables.size() < most_variables;) {
    const auto line = setting(trim(lines.line()));
    if (!line) continue;
    bool quoted_value = false;
    const Setting found = unwrapped(*line, quoted_value);
    const Admitted admitted = admit(found.name, found.value);
    if (admitted.admission == Admission::passed_over) continue;
    const auto here = source.at_line(lines.number());
    // Settings before a command ("NCCL_DEBUG=INFO mpirun …") are no environment; only lists of CPUs
    // have blanks.
    if (!quoted_value && contains(found.value, " ") && found.name != "GOMP_CPU_AFFINITY") continue;
    found_any = true;
    if (admitted.admission == Admission::taken)
      machine.variables.push_back({std::string(found.name), valid_utf8(found.value), here});
    else
      machine.remark(model::RemarkLevel::note,
                     std::string(found.name) + " is set, but not kept: " + admitted.why, here);
  }
  return found_any;
}

}  // namespace railgauge::observe
