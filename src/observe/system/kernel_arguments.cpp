#include "observe/system/kernel_arguments.h"

#include <algorithm>

#include "base/strings.h"
#include "observe/system/host_text.h"
#include "observe/system/kernel_argument_names.h"

namespace railgauge::observe {
namespace {

constexpr std::string_view hidden = "(hidden)";
// COMMAND_LINE_SIZE is 2048 on x86 and 4096 elsewhere; more than twice that is no command line.
constexpr std::size_t longest_line_bytes = 16 << 10;

// The kernel's own rule: blanks part arguments, except between double quotes.
std::vector<std::string_view> arguments(std::string_view line) {
  std::vector<std::string_view> out;
  bool in_quotes = false;
  std::size_t start = 0;
  for (std::size_t i = 0; i <= line.size(); ++i) {
    const bool ends =
        i == line.size() ||
        (!in_quotes && (line[i] == ' ' || line[i] == '\t' || line[i] == '\n' || line[i] == '\r'));
    if (!ends) {
      if (line[i] == '"') in_quotes = !in_quotes;
      continue;
    }
    if (i > start) out.push_back(line.substr(start, i - start));
    start = i + 1;
  }
  return out;
}

bool same(char a, char b) { return a == b || ((a == '-' || a == '_') && (b == '-' || b == '_')); }

bool matches(std::string_view name, std::string_view pattern) {
  const bool open_end = pattern.ends_with('*');
  if (open_end) pattern.remove_suffix(1);
  if (open_end ? name.size() < pattern.size() : name.size() != pattern.size()) return false;
  return std::equal(pattern.begin(), pattern.end(), name.begin(), same);
}

template <class Names>
bool listed(std::string_view name, const Names& names) {
  return std::any_of(names.begin(), names.end(),
                     [&](std::string_view pattern) { return matches(name, pattern); });
}

// One argument as it may be kept.
std::string kept(std::string_view argument) {
  // A quote that is never closed takes in all that follows, whatever it is.
  if (std::count(argument.begin(), argument.end(), '"') % 2 != 0) return std::string(hidden);
  const auto equals = argument.find('=');
  const auto name = argument.substr(0, equals);
  if (listed(name, kept_arguments) || listed(name, harmless_arguments)) return valid_utf8(argument);
  if (equals != std::string_view::npos && listed(name, hidden_arguments))
    return valid_utf8(name) + "=" + std::string(hidden);
  return std::string(hidden);
}

std::vector<std::string> filtered(std::string_view line) {
  std::vector<std::string> out;
  bool for_init = false;  // what stands after "--" is for the first process, and may be anything
  for (const auto argument : arguments(line.substr(0, std::min(line.size(), longest_line_bytes)))) {
    if (argument == "--" && !for_init)
      out.emplace_back(argument);
    else
      out.push_back(for_init ? std::string(hidden) : kept(argument));
    for_init = for_init || argument == "--";
  }
  return out;
}

// A command line, bare or behind the words of the kernel's log; nothing for any other line.
std::string_view command_line_in(std::string_view line) {
  for (const std::string_view words : {"Kernel command line: ", "Command line: "})
    if (const auto at = line.find(words); at != std::string_view::npos)
      return line.substr(at + words.size());
  const auto plain = trim(line);
  return plain.starts_with("BOOT_IMAGE=") || plain.starts_with("root=") ||
                 contains(plain, " root=UUID=") || contains(plain, " BOOT_IMAGE=")
             ? plain
             : std::string_view{};
}

}  // namespace

std::string known_arguments(std::string_view command_line) {
  std::string out;
  for (const auto& argument : filtered(command_line)) out += (out.empty() ? "" : " ") + argument;
  return out;
}

std::vector<std::string> plain_arguments(std::string_view command_line) {
  auto out = filtered(command_line);
  std::erase_if(out, [](const std::string& argument) {
    return argument == "--" || std::string_view(argument).ends_with(hidden);
  });
  return out;
}

bool kernel_arguments_text(std::string_view text, model::SourceRef source,
                           model::Machine& machine) {
  bool found = false;
  for (LineCursor lines(text); lines.next();) {
    const auto line = command_line_in(lines.line());
    if (line.empty()) continue;
    found = true;
    auto known = plain_arguments(line);
    if (machine.host.kernel_arguments && *machine.host.kernel_arguments == known) continue;
    machine.host.kernel_arguments.claim(std::move(known), source.at_line(lines.number()));
    if (machine.host.kernel_arguments.claims().size() > 16) break;  // a log of many boots
  }
  return found;
}

}  // namespace railgauge::observe
