#include "observe/hang_text/stack_lines.h"

#include <fmt/format.h>

#include "base/base_name.h"
#include "base/characters.h"
#include "base/strings.h"
#include "observe/hang_text/user_frame.h"
#include "observe/kernel_log/scan.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_frame = 160;

std::string printable(std::string_view text) {
  return valid_utf8(strip_terminal_codes(text.substr(0, longest_frame)));
}

std::string_view in_quotes(std::string_view text) {
  const auto open = text.find('"');
  return open == std::string_view::npos ? std::string_view() : until(text.substr(open + 1), "\"");
}

// A path whose directory tells whose code it is keeps two directories of it.
std::string short_path(std::string_view path) {
  std::size_t slash = path.size();
  for (int directories = 0; directories < 4; ++directories) {
    const auto before = path.rfind('/', slash == 0 ? 0 : slash - 1);
    if (before == std::string_view::npos || before == 0) return printable(path);
    slash = before;
  }
  return printable(path.substr(slash + 1));
}

}  // namespace

std::optional<ProcessLine> py_spy_process(std::string_view line) {
  const std::string_view text = trim(line);
  if (!text.starts_with("Process ")) return std::nullopt;
  const std::size_t digits = digits_at(text, 8);
  if (digits == 0 || digits > 9 || text.substr(8 + digits, 1) != ":") return std::nullopt;
  return ProcessLine{leading_int(text.substr(8)), trim(text.substr(9 + digits))};
}

std::optional<ThreadLine> py_spy_thread(std::string_view line) {
  if (!line.starts_with("Thread ") || contains(line, "LWP ")) return std::nullopt;
  for (const std::string_view state : {"(idle", "(active"}) {
    if (!contains(line, state)) continue;
    const std::string_view name = in_quotes(line);
    return ThreadLine{printable(name.empty() ? until(line, ":") : name), {}, {}};
  }
  return std::nullopt;
}

std::optional<std::string> py_spy_frame(std::string_view line) {
  // Locals and arguments stand deeper.
  if (!line.starts_with("    ") || line.starts_with("     ")) return std::nullopt;
  const std::string_view text = trim(line);
  const auto open = text.rfind(" (");
  if (open == std::string_view::npos || !text.ends_with(')')) return std::nullopt;
  const std::string_view function = text.substr(0, open);
  const std::string_view place = text.substr(open + 2, text.size() - open - 3);
  const auto colon = place.rfind(':');
  if (colon == std::string_view::npos || !leading_number(place.substr(colon + 1)))
    return printable(fmt::format("{} ({})", function.substr(0, 100), base_name(place)));
  return printable(fmt::format("{}:{} {}", short_path(place.substr(0, colon)),
                               until(place.substr(colon + 1), ")"), function.substr(0, 100)));
}

std::optional<ProcessLine> gdb_process(std::string_view line) {
  for (const std::string_view words :
       {"Attaching to process ", "gdb -p ", "gdb --pid ", "gdb --pid="})
    if (const auto rest = after(line, words))
      if (const auto id = leading_int(*rest)) return ProcessLine{id, {}};
  return std::nullopt;
}

std::optional<ThreadLine> gdb_thread(std::string_view line) {
  if (!line.starts_with("Thread ") || !contains(line, "LWP ")) return std::nullopt;
  ThreadLine out;
  out.number = leading_int(line.substr(7));
  if (!out.number) return std::nullopt;
  if (const auto light = after(line, "LWP ")) out.light_process = leading_int(*light);
  out.name = printable(in_quotes(line));
  if (out.name.empty()) out.name = fmt::format("Thread {}", *out.number);
  return out;
}

std::optional<std::string> gdb_frame(std::string_view line) {
  if (!line.starts_with('#')) return std::nullopt;
  const std::size_t digits = digits_at(line, 1);
  if (digits == 0 || digits > 5) return std::nullopt;
  std::string_view text = trim(line.substr(1 + digits));
  if (text.starts_with("0x"))
    if (const auto in = after(text, " in ")) text = *in;
  const std::string_view function = trim(text.substr(0, text.find(" (")));
  if (function.empty()) return std::nullopt;
  if (const auto library = after(text, ") from "))
    return printable(fmt::format("{} ({})", function.substr(0, 120), base_name(trim(*library))));
  const auto at = text.rfind(") at ");
  if (at == std::string_view::npos) return printable(function.substr(0, 120));
  const std::string_view place = trim(text.substr(at + 5));
  const auto colon = place.rfind(':');
  if (colon == std::string_view::npos) return printable(function.substr(0, 120));
  return printable(fmt::format("{}:{} {}", short_path(place.substr(0, colon)),
                               place.substr(colon + 1), function.substr(0, 100)));
}

}  // namespace railgauge::observe
