#include "observe/hang_text/user_frame.h"

#include <fmt/format.h>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t longest_name = 80;

// PyTorch's and Python's own, native code among them.
bool of_the_runtime(std::string_view file) {
  if (file.starts_with("torch/") || file.starts_with("<") || file.empty()) return true;
  for (const std::string_view part :
       {"/torch/", "/lib/python3", "/multiprocessing/", "/threading.py"})
    if (contains(file, part) && !contains(file, "-packages/")) return true;
  if (contains(file, "-packages/torch/")) return true;
  for (const std::string_view name : {"threading.py", "queue.py", "selectors.py", "socket.py",
                                      "subprocess.py", "connection.py", "runpy.py"})
    if (file == name) return true;
  return file.ends_with(".so") || contains(file, ".so.") || file.ends_with(".cpp") ||
         file.ends_with(".cc") || file.ends_with(".c");
}

bool installed(std::string_view file) {
  return contains(file, "site-packages/") || contains(file, "dist-packages/");
}

}  // namespace

std::string frame_text(const CodeFrame& frame) {
  const auto slash = frame.file.rfind('/');
  const std::string_view name =
      slash == std::string_view::npos ? frame.file : frame.file.substr(slash + 1);
  const std::string file = valid_utf8(strip_terminal_codes(name.substr(0, longest_name)));
  const std::string function =
      valid_utf8(strip_terminal_codes(frame.function.substr(0, longest_name)));
  if (frame.line <= 0) return fmt::format("{} {}", file, function);
  return fmt::format("{}:{} {}", file, frame.line, function);
}

std::string user_frame(std::span<const CodeFrame> frames) {
  const CodeFrame* of_package = nullptr;
  for (const CodeFrame& frame : frames) {
    if (of_the_runtime(frame.file)) continue;
    if (!installed(frame.file)) return frame_text(frame);
    if (of_package == nullptr) of_package = &frame;
  }
  if (of_package != nullptr) return frame_text(*of_package);
  return frames.empty() ? std::string() : frame_text(frames.front());
}

}  // namespace railgauge::observe
