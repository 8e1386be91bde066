// nvml.json: every call made to NVML and what it answered, one call a line.
//   {"call":"nvmlDeviceGetNvLinkState","args":[0,3],"value":true}
//   {"call":"nvmlDeviceGetNumaNodeId","args":[0],"error":"NVML_ERROR_NOT_SUPPORTED"}
// A call that fills a struct has an object of named members as its value. This file knows the form
// only; what the calls mean is known to capture*.cpp and read*.cpp.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "base/result.h"

namespace railgauge::observe::nvml {

using Scalar = std::variant<bool, std::uint64_t, std::string>;

struct Answer {
  std::string call;
  std::vector<Scalar> args;             // GPU index first, then link, peer or a word
  std::map<std::string, Scalar> value;  // a plain value stands under ""
  std::string error;                    // NVML's name of the return code; empty on success

  std::string source() const;  // "nvmlDeviceGetNvLinkState(0, 3)"

  // The plain value or a member, when it has that type.
  std::optional<bool> flag(std::string_view member = {}) const;
  std::optional<std::uint64_t> number(std::string_view member = {}) const;
  std::optional<std::string> word(std::string_view member = {}) const;
  std::optional<std::uint64_t> arg_number(std::size_t position) const;
  std::optional<std::string> arg_word(std::size_t position) const;

  friend bool operator==(const Answer&, const Answer&) = default;
};

struct Document {
  std::string library;                // what was opened
  std::string not_loaded;             // why there are no answers, when a driver was expected
  std::string stopped;                // why some questions were not asked
  std::vector<std::string> oddities;  // read: what was passed over, and why
  std::vector<Answer> answers;

  friend bool operator==(const Document&, const Document&) = default;
};

std::string write_document(const Document& document);

// Any bytes. Records that are not answers are passed over and named in `oddities`.
Result<Document> parse_document(std::string_view bytes);
// The same by the JSON library alone, which knows every layout and says what is wrong.
Result<Document> library_document(std::string_view bytes);

}  // namespace railgauge::observe::nvml
