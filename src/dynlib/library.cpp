#include "dynlib/library.h"

#include <dlfcn.h>
#include <fmt/format.h>

#include <utility>

#include "base/strings.h"

namespace railgauge::dynlib {
namespace {

// The loader has no error codes. Its words for a missing file are the C library's, for that file:
// "libx.so.1: cannot open shared object file: No such file or directory". The same words for
// another file mean that a dependency is missing, which is a library that is here and broken.
bool says_missing(std::string_view why, std::string_view name) {
  return why.substr(0, name.size()) == name && contains(why, "No such file or directory");
}

}  // namespace

Result<Library> Library::open(const std::vector<std::string>& names, const std::string& path) {
  const std::vector<std::string> tried = path.empty() ? names : std::vector<std::string>{path};
  std::string words;
  bool missing = true;
  for (const std::string& name : tried) {
    // RTLD_LOCAL: its symbols must not answer for ours. RTLD_NOW: a broken library fails here, with
    // a reason, and not in the middle of a call.
    if (void* handle = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL)) return Library(handle, name);
    const char* said = dlerror();
    const std::string why = said == nullptr ? name + ": no reason given" : said;
    missing = missing && says_missing(why, name);
    words += (words.empty() ? "" : "; ") + why;
  }
  if (tried.empty()) words = "no name given";
  if (missing)
    return fail(ErrorKind::not_found, fmt::format("{}: {}", std::string(library_not_found), words));
  return fail(ErrorKind::device, fmt::format("library does not load: {}", words));
}

Library::Library(Library&& other) noexcept
    : handle_(std::exchange(other.handle_, nullptr)), name_(std::move(other.name_)) {}

Library& Library::operator=(Library&& other) noexcept {
  handle_ = std::exchange(other.handle_, nullptr);
  name_ = std::move(other.name_);
  return *this;
}

void* Library::symbol(const char* name) const {
  return handle_ == nullptr ? nullptr : dlsym(handle_, name);
}

}  // namespace railgauge::dynlib
