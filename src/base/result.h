// A value, or the Error that says why there is none.
//   Result<int> width = parse_count(text);
//   if (!width) return tl::unexpected(std::move(width.error()).because("link width"));
#pragma once

#include <tl/expected.hpp>

#include "base/error.h"

namespace railgauge {

template <class T>
using Result = tl::expected<T, Error>;

inline tl::unexpected<Error> fail(ErrorKind kind, std::string message) {
  return tl::unexpected<Error>(Error{kind, std::move(message), {}});
}

}  // namespace railgauge
