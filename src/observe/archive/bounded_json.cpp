#include "observe/archive/bounded_json.h"

#include "base/strings.h"
#include "base/units.h"

namespace railgauge::observe {
namespace {

constexpr int deepest = 32;  // ours are two deep; the rest is room for keys of later versions

int depth_of(std::string_view text) {
  int depth = 0;
  int most = 0;
  bool in_string = false;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (in_string && c == '\\')
      ++i;
    else if (c == '"')
      in_string = !in_string;
    else if (!in_string && (c == '{' || c == '['))
      most = std::max(most, ++depth);
    else if (!in_string && (c == '}' || c == ']'))
      --depth;
  }
  return most;
}

// "[json.exception.parse_error.101] parse error at line 1, column 2: …" without its bracket.
std::string words_of(const char* what) {
  const std::string_view text(what);
  const std::size_t end = text.find("] ");
  const std::string words = end == text.npos ? what : what + end + 2;
  return valid_utf8(strip_terminal_codes(words.substr(0, 300)));
}

}  // namespace

Result<nlohmann::json> parse_bounded_json(std::string_view text, const std::string& name,
                                          std::size_t longest_bytes) {
  if (text.size() > longest_bytes)
    return fail(ErrorKind::limit,
                name + " is larger than " + text_of_bytes(longest_bytes) + ", the most we read");
  if (depth_of(text) > deepest)
    return fail(ErrorKind::limit, name + " is nested deeper than 32 levels");
  try {
    return nlohmann::json::parse(text);
  } catch (const nlohmann::json::exception& error) {
    return fail(ErrorKind::input, name + ": not valid JSON: " + words_of(error.what()));
  }
}

}  // namespace railgauge::observe
