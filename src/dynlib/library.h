// A shared library found at run time, so that one binary starts on machines with and without it.
//   Result<Library> nvml = Library::open({"libnvidia-ml.so.1", "libnvidia-ml.so"});
//   auto* init = nvml->function<int()>("nvmlInit_v2");     // nullptr when the library lacks it
// Move-only: one owner hands out its functions. The library is never closed: NVIDIA's and the RDMA
// libraries start threads, register exit handlers and keep thread-local state that outlive
// dlclose(), so unmapping their code crashes the process later. One mapping per library is the
// whole cost.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"

namespace railgauge::dynlib {

// How every "there is no such library here" message starts; anything else means it is here but
// not usable.
inline constexpr std::string_view library_not_found = "library not found";

class Library {
 public:
  // The names are tried in order; a non-empty `path` is tried alone. Errors keep dlerror()'s words:
  // not_found when no name exists, device when a file exists but does not load.
  static Result<Library> open(const std::vector<std::string>& names, const std::string& path = {});

  Library(Library&& other) noexcept;
  Library& operator=(Library&& other) noexcept;
  Library(const Library&) = delete;
  Library& operator=(const Library&) = delete;
  ~Library() = default;

  void* symbol(const char* name) const;  // nullptr when absent

  template <class Function>
  Function* function(const char* name) const {
    return reinterpret_cast<Function*>(symbol(name));
  }

  const std::string& name() const { return name_; }  // the name that opened

 private:
  Library(void* handle, std::string name) : handle_(handle), name_(std::move(name)) {}

  void* handle_ = nullptr;
  std::string name_;
};

}  // namespace railgauge::dynlib
