#include "observe/settings/manifest.h"

#include <fmt/format.h>
#include <yaml-cpp/eventhandler.h>
#include <yaml-cpp/yaml.h>

#include <algorithm>
#include <array>
#include <optional>
#include <sstream>

#include "base/strings.h"
#include "base/units.h"
#include "observe/settings/setting_sink.h"
#include "observe/settings/shell_script.h"
#include "observe/system/environment.h"

namespace railgauge::observe {
namespace {

// yaml-cpp takes about a second for a megabyte, and recurses into brackets.
constexpr std::size_t longest_bytes = 1u << 20;
constexpr int deepest = 64;
constexpr std::size_t most_documents = 500;

std::uint32_t line_of(const YAML::Mark& mark) {
  return static_cast<std::uint32_t>(std::max(mark.line, 0)) + 1;
}

// Follows the events of one document.
class Follower : public YAML::EventHandler {
 public:
  explicit Follower(SettingSink& sink) : sink_(sink) {}

  void OnDocumentStart(const YAML::Mark&) override { open_.clear(); }
  void OnDocumentEnd() override {}
  void OnNull(const YAML::Mark& mark, YAML::anchor_t) override { scalar({}, mark, false); }
  void OnAlias(const YAML::Mark& mark, YAML::anchor_t) override { scalar({}, mark, false); }
  void OnScalar(const YAML::Mark& mark, const std::string&, YAML::anchor_t,
                const std::string& value) override {
    scalar(value, mark, true);
  }
  void OnSequenceStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                       YAML::EmitterStyle::value) override {
    begin(false);
  }
  void OnSequenceEnd() override { end(); }
  void OnMapStart(const YAML::Mark&, const std::string&, YAML::anchor_t,
                  YAML::EmitterStyle::value) override {
    begin(true);
  }
  void OnMapEnd() override {
    if (!open_.empty()) entry(open_.back());
    end();
  }

 private:
  struct Frame {
    bool map = false;
    bool at_key = true;
    std::string key;
    std::string name;  // name: NCCL_DEBUG
    std::uint32_t name_line = 0;
    std::optional<std::string> value;  // value: INFO
    std::uint32_t value_line = 0;
  };

  void begin(bool map) {
    if (!open_.empty()) open_.back().at_key = true;  // what opens is the value of the key
    open_.push_back({.map = map});
  }
  void end() {
    if (!open_.empty()) open_.pop_back();
  }

  void scalar(const std::string& text, const YAML::Mark& mark, bool known) {
    if (open_.empty()) return;
    Frame& frame = open_.back();
    if (frame.map && frame.at_key) {
      frame.key = text;
      frame.at_key = false;
      return;
    }
    frame.at_key = true;
    if (frame.map) return member(frame, text, mark, known);
    const auto found = setting(text);
    if (known && found && !contains(found->value, " ") &&
        sink_.take(found->name, found->value, line_of(mark)))
      return;
    command_text(text, mark);
  }

  void member(Frame& frame, const std::string& text, const YAML::Mark& mark, bool known) {
    if (frame.key == "name") {
      frame.name = text;
      frame.name_line = line_of(mark);
    } else if (frame.key == "value") {
      if (known) frame.value = text;
      frame.value_line = line_of(mark);
    } else if (is_wanted_name(frame.key)) {
      if (known) sink_.take(frame.key, text, line_of(mark));
    } else {
      command_text(text, mark);
    }
  }

  // A script in a scalar: a command's argument, a `run: |` block.
  void command_text(const std::string& text, const YAML::Mark& mark) {
    if (!contains(text, "=") || !contains(text, " ")) return;
    const bool block = contains(text, "\n");
    shell_settings(text, line_of(mark) + (block ? 1 : 0), sink_);
  }

  void entry(const Frame& frame) {
    if (!is_wanted_name(frame.name)) return;
    if (frame.value)
      sink_.take(frame.name, *frame.value, frame.value_line);
    else
      sink_.note(frame.name +
                     " takes its value from elsewhere (valueFrom or an alias), so it is "
                     "not judged",
                 frame.name_line);
  }

  SettingSink& sink_;
  std::vector<Frame> open_;
};

// Brackets outside of plain text are not told from those in quotes: an upper bound is enough.
bool nests_too_deep(std::string_view bytes) {
  int depth = 0;
  int dashes = 0;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    const char c = bytes[i];
    if (c == '[' || c == '{') ++depth;
    if ((c == ']' || c == '}') && depth > 0) --depth;
    if (c == '\n') dashes = 0;
    if ((c == '-' || c == '?' || c == ':') && i + 1 < bytes.size() && bytes[i + 1] == ' ') ++dashes;
    if (depth > deepest || dashes > 8 * deepest) return true;
  }
  return false;
}

// Keys that announce settings or a manifest.
constexpr std::array<std::string_view, 11> announcing{
    "apiVersion:", "services:", "env:",          "environment:", "envs:",   "env_vars:",
    "envVars:",    "extraEnv:", "extraEnvVars:", "data:",        "command:"};

std::string_view unquoted(std::string_view text) {
  text = trim(text);
  if (text.size() >= 2 && (text.front() == '"' || text.front() == '\'')) {
    const auto end = text.find(text.front(), 1);
    if (end != std::string_view::npos) return text.substr(1, end - 1);
  }
  return text;
}

// "- name: NCCL_DEBUG", "NCCL_DEBUG: INFO", "- NCCL_DEBUG=INFO", {"name": "NCCL_DEBUG", …}
bool sets_something(std::string_view line) {
  while (line.starts_with("- ")) line = trim(line.substr(2));
  if (line.starts_with('{')) line = trim(line.substr(1));
  const std::string_view head = unquoted(line.substr(0, line.find_first_of(":,=")));
  if (head == "name" && contains(line, ":")) {
    const std::string_view rest = line.substr(line.find(':') + 1);
    return is_wanted_name(unquoted(rest.substr(0, rest.find_first_of(",}#"))));
  }
  return line.size() > head.size() && is_wanted_name(head) &&
         (contains(line, ": ") || line.ends_with(':') || contains(line, "="));
}

// {"name": "NCCL_DEBUG", "value": "INFO"} anywhere in a line
bool sets_in_json(std::string_view line) {
  constexpr std::string_view key = "\"name\"";
  for (auto at = line.find(key); at != std::string_view::npos; at = line.find(key, at + 1)) {
    const std::string_view rest = trim(line.substr(at + key.size(), 200));
    if (!rest.starts_with(':')) continue;
    if (is_wanted_name(unquoted(rest.substr(1, rest.find_first_of(",}") - 1)))) return true;
  }
  return false;
}

}  // namespace

bool looks_like_manifest(std::string_view bytes) {
  if (bytes.starts_with("#!") || bytes.find('\0') != std::string_view::npos) return false;
  bool announced = false;
  bool sets = false;
  bool api = false;
  bool kind = false;
  bool list = false;
  for (LineCursor lines(bytes.substr(0, longest_bytes)); lines.next();) {
    std::string_view line = trim(lines.line());
    if (line.empty() || line.front() == '#') continue;
    api = api || line.starts_with("apiVersion:") || line.starts_with("\"apiVersion\":");
    kind = kind || line.starts_with("kind:") || line.starts_with("\"kind\":");
    if (line.starts_with("- ")) line = trim(line.substr(2));
    const auto is = [&](std::string_view key) { return line.starts_with(key); };
    const bool json = line.starts_with("\"env\"") || line.starts_with("\"environment\"");
    announced = announced || json || std::any_of(announcing.begin(), announcing.end(), is);
    if (contains(line, "_") && (sets_something(line) || sets_in_json(line))) {
      sets = true;
      list = list || !contains(line, "=") || trim(lines.line()).starts_with("- ");
    }
    if ((announced && sets && list) || (api && kind)) return true;
  }
  return false;
}

Result<model::Machine> read_manifest(const Input& input) {
  if (input.bytes.size() > longest_bytes)
    return fail(ErrorKind::limit, input.name + ": longer than any manifest we read (" +
                                      text_of_bytes(longest_bytes) + ")");
  if (nests_too_deep(input.bytes))
    return fail(ErrorKind::limit,
                fmt::format("{}: nests deeper than {} levels", input.name, deepest));
  model::Machine machine;
  machine.name = input.name;
  SettingSink sink(machine, machine.sources.add(input.name, model::Trust::tool));
  try {
    std::istringstream stream(input.bytes);
    YAML::Parser parser(stream);
    Follower follower(sink);
    for (std::size_t i = 0; i < most_documents && parser.HandleNextDocument(follower);) ++i;
  } catch (const YAML::Exception& e) {
    if (sink.empty())
      return fail(ErrorKind::input, fmt::format("{}:{}: no YAML that we can read: {}", input.name,
                                                line_of(e.mark), e.msg));
    sink.note("no YAML from here on: " + e.msg, line_of(e.mark));
  }
  if (sink.empty()) sink.note("no setting of NCCL, UCX or the like in this file", 0);
  sink.finish();
  return machine;
}

}  // namespace railgauge::observe
