// What went wrong, in words a person can act on.
//   return fail(ErrorKind::input, "topo.txt:4: row GPU1 has 7 of 9 cells");
//   return tl::unexpected(std::move(r.error()).because("reading the topology matrix"));
// An Error is a value: it never throws, prints or exits.
#pragma once

#include <string>
#include <vector>

namespace railgauge {

enum class ErrorKind {
  usage,       // the command line is wrong
  input,       // what was given cannot be understood
  permission,  // it exists, but we may not read it
  not_found,   // it does not exist
  limit,       // a bound was hit: size, depth, count, time
  device,      // hardware, driver or library said no
  internal,    // a bug of ours
};

struct Error {
  ErrorKind kind = ErrorKind::internal;
  std::string message;               // what happened, where, and what to do
  std::vector<std::string> context;  // what we were doing, innermost first

  Error&& because(std::string doing) && {
    context.push_back(std::move(doing));
    return std::move(*this);
  }

  // "reading topo.txt: row GPU1 has 7 of 9 cells" (outermost context first).
  std::string text() const {
    std::string out;
    for (auto it = context.rbegin(); it != context.rend(); ++it) out += *it + ": ";
    return out + message;
  }
};

}  // namespace railgauge
