#include "apps/railgauge/output.h"

#include <sys/ioctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>

#include "base/files.h"
#include "base/strings.h"

namespace railgauge::app {
namespace {

std::string environment(const char* name) {
  const char* value = std::getenv(name);
  return value == nullptr ? std::string() : std::string(value);
}

bool wants_color(const Arguments& arguments) {
  const std::string when = arguments.value("color", "auto");
  if (when != "auto") return when == "always";
  return ::isatty(STDOUT_FILENO) == 1 && !arguments.has("output") &&
         environment("NO_COLOR").empty() && environment("TERM") != "dumb";
}

// A terminal that says it has no UTF-8 gets plain ASCII; files and pipes get UTF-8.
bool wants_unicode() {
  if (::isatty(STDOUT_FILENO) != 1) return true;
  for (const char* name : {"LC_ALL", "LC_CTYPE", "LANG"}) {
    const std::string value = lower(environment(name));
    if (value.empty()) continue;
    return contains(value, "utf-8") || contains(value, "utf8");
  }
  return false;
}

int columns() {
  winsize size{};
  if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0)
    return std::clamp(static_cast<int>(size.ws_col), 80, 160);
  return 100;
}

// Devices and pipes cannot be replaced by rename; they are written to.
bool is_special(const std::string& path) {
  struct stat status {};
  return ::stat(path.c_str(), &status) == 0 && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode);
}

Result<void> write_stream(std::FILE* stream, std::string_view text, const std::string& name) {
  errno = 0;
  if (std::fwrite(text.data(), 1, text.size(), stream) == text.size() && std::fflush(stream) == 0)
    return {};
  return fail(ErrorKind::device, "cannot write to " + name + ": " + std::strerror(errno));
}

}  // namespace

namespace {

// One line without control bytes, whatever names of files and devices it quotes.
std::string one_line(std::string_view text) {
  std::string line = valid_utf8(strip_terminal_codes(text));
  std::replace(line.begin(), line.end(), '\n', ' ');
  return line;
}

}  // namespace

void say_error(std::string_view text) {
  std::fprintf(stderr, "railgauge: %s\n", one_line(text).c_str());
}

void hint(const Arguments& arguments, std::string_view text) {
  if (!arguments.has("quiet")) std::fprintf(stderr, "%s\n", one_line(text).c_str());
}

Result<void> write_to(const std::string& path, std::string_view bytes) {
  if (path.empty() || path == "-") return write_stream(stdout, bytes, "standard output");
  if (!is_special(path)) return write_file_atomically(path, bytes);
  const std::unique_ptr<std::FILE, int (*)(std::FILE*)> stream(std::fopen(path.c_str(), "w"),
                                                               std::fclose);
  if (!stream) return fail(ErrorKind::device, "cannot write " + path + ": " + std::strerror(errno));
  return write_stream(stream.get(), bytes, path);
}

Exit write_result(const Arguments& arguments, std::string_view text) {
  const auto written = write_to(arguments.value("output"), text);
  if (written) return Exit::done;
  say_error(written.error().text());
  return Exit::could_not;
}

Exit print_result(std::string_view text) { return write_result({}, text); }

std::string shell_word(const std::string& text) {
  constexpr std::string_view plain =
      "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:,+@%=";
  if (!text.empty() && text.find_first_not_of(plain) == std::string::npos) return text;
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + "'";
}

present::Style style_for(const Arguments& arguments) {
  present::Style style;
  style.color = wants_color(arguments);
  style.unicode = wants_unicode();
  style.columns = arguments.has("output") ? 100 : columns();
  style.verbose = arguments.has("verbose");
  return style;
}

}  // namespace railgauge::app
