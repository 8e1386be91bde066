#include "observe/settings/dockerfile.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/strings.h"
#include "base/units.h"
#include "observe/settings/setting_sink.h"
#include "observe/settings/shell_variables.h"
#include "observe/settings/shell_words.h"
#include "observe/system/environment.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_bytes = 1u << 20;
constexpr std::size_t most_settings = 2000;
constexpr std::size_t most_stages = 50;
constexpr std::array<std::string_view, 17> instructions{
    "FROM",    "RUN",  "ENV",    "ARG",   "COPY",   "ADD",     "CMD",         "ENTRYPOINT", "LABEL",
    "WORKDIR", "USER", "EXPOSE", "SHELL", "VOLUME", "ONBUILD", "HEALTHCHECK", "STOPSIGNAL"};

struct Instruction {
  std::string name;  // in capitals
  std::string rest;  // continuation lines joined; each line break is a blank and a line break
  std::uint32_t line = 0;
};

std::string upper(std::string_view text) {
  std::string out(text);
  for (char& c : out)
    if (c >= 'a' && c <= 'z') c = static_cast<char>(c - 'a' + 'A');
  return out;
}

std::string_view first_word(std::string_view line) {
  return line.substr(0, line.find_first_of(" \t"));
}

// Instructions with their continuation lines; comments between those are left out.
class Instructions {
 public:
  explicit Instructions(std::string_view text) : lines_(text) {}

  bool next(Instruction& out) {
    while (lines_.next()) {
      const std::string_view line = trim(lines_.line());
      if (line.empty() || line.front() == '#') continue;
      const std::string_view word = first_word(line);
      out = {upper(word), {}, lines_.number()};
      append(line.substr(word.size()), out.rest);
      return true;
    }
    return false;
  }

 private:
  void append(std::string_view line, std::string& rest) {
    while (true) {
      line = trim(line);
      const bool more = line.ends_with('\\');
      if (more) line.remove_suffix(1);
      rest += line;
      if (!more) return;
      do {
        if (!lines_.next()) return;
        rest += "\\\n";
        line = trim(lines_.line());
      } while (line.empty() || line.front() == '#');
    }
  }

  LineCursor lines_;
};

struct Kept {
  std::string name;
  std::string value;
  std::uint32_t line;
};

class Stages {
 public:
  explicit Stages(SettingSink& sink) : sink_(sink) {}

  void take(const Instruction& one) {
    if (one.name == "FROM") return from(one);
    if (one.name != "ENV" && one.name != "ARG") return;
    const ShellText text = shell_commands(one.rest, one.line);
    if (text.commands.empty()) return;
    const auto& words = text.commands.front().words;
    if (!contains(words.front().text, "=")) {
      if (one.name == "ENV") old_form(one, words.front());
      return;
    }
    for (const ShellWord& word : words)
      if (const auto found = setting(word.text)) {
        std::string value = variables_.expand(found->value);
        variables_.set(found->name, value);
        if (one.name == "ENV") keep(found->name, std::move(value), word.line);
      }
  }

  void finish() {
    for (const Kept& one : now_) sink_.take(one.name, one.value, one.line);
  }

 private:
  // FROM base AS name: a stage begins with what the base, an earlier stage, left.
  void from(const Instruction& one) {
    const auto words = split_blank(one.rest);
    std::size_t i = 0;
    while (i < words.size() && words[i].starts_with("--")) ++i;
    if (!name_.empty() && stages_.size() < most_stages) stages_[name_] = now_;
    const auto base = i < words.size() ? stages_.find(lower(words[i])) : stages_.end();
    now_ = base == stages_.end() ? std::vector<Kept>() : base->second;
    name_ = i + 2 < words.size() && equal_nocase(words[i + 1], "AS") ? lower(words[i + 2]) : "";
  }

  // ENV NAME the rest of the line
  void old_form(const Instruction& one, const ShellWord& name) {
    const std::string_view rest = trim(std::string_view(one.rest));
    const ShellText value = shell_commands(trim(rest.substr(first_word(rest).size())), one.line);
    std::string joined;
    for (const ShellCommand& command : value.commands)
      for (const ShellWord& word : command.words)
        joined += (joined.empty() ? "" : " ") + variables_.expand(word.text);
    variables_.set(name.text, joined);
    keep(name.text, std::move(joined), one.line);
  }

  void keep(std::string_view name, std::string value, std::uint32_t line) {
    if (is_wanted_name(name) && now_.size() < most_settings)
      now_.push_back({std::string(name), std::move(value), line});
  }

  SettingSink& sink_;
  ShellVariables variables_;
  std::string name_;
  std::vector<Kept> now_;
  std::map<std::string, std::vector<Kept>, std::less<>> stages_;
};

}  // namespace

bool looks_like_dockerfile(std::string_view bytes) {
  bool from = false;
  Instruction one;
  std::size_t seen = 0;
  for (Instructions all(bytes.substr(0, 1u << 16)); seen < 100 && all.next(one); ++seen) {
    if (std::find(instructions.begin(), instructions.end(), one.name) == instructions.end())
      return false;
    if (!from && one.name != "FROM" && one.name != "ARG") return false;
    if (one.name == "FROM") {
      // "From: someone" of a letter, or a sentence, is none.
      const auto words = split_blank(one.rest);
      if (words.empty() || words.size() > 4 || one.rest.starts_with(':')) return false;
      from = true;
    } else if (from) {
      return true;
    }
    if (contains(one.rest, "<<")) return from;
  }
  return from && seen > 0;
}

Result<model::Machine> read_dockerfile(const Input& input) {
  if (input.bytes.size() > longest_bytes)
    return fail(ErrorKind::limit, input.name + ": longer than any Dockerfile we read (" +
                                      text_of_bytes(longest_bytes) + ")");
  model::Machine machine;
  machine.name = input.name;
  SettingSink sink(machine, machine.sources.add(input.name, model::Trust::tool));
  Stages stages(sink);
  Instruction one;
  for (Instructions all(input.bytes); all.next(one);) stages.take(one);
  stages.finish();
  if (sink.empty()) sink.note("no ENV of NCCL, UCX or the like in the last stage", 0);
  sink.finish();
  return machine;
}

}  // namespace railgauge::observe
