#include "observe/read_text.h"

#include <fmt/format.h>

#include "base/strings.h"
#include "base/units.h"
#include "observe/archive/plain_text.h"
#include "observe/hang_text/flight_recorder.h"

namespace railgauge::observe {
namespace {

std::string what_we_read() {
  std::string list;
  for (const Reader& reader : readers()) {
    if (reader.kind == InputKind::other_xml) continue;
    list += (list.empty() ? "" : ", ") + std::string(reader.name);
  }
  return list;
}

tl::unexpected<Error> unknown_input(const Input& input) {
  const std::string what =
      looks_binary(input.bytes) ? binary_words(input.bytes) : std::string("is nothing we know");
  return fail(ErrorKind::input,
              fmt::format("{} {}. We read: {}, and recordings", input.name, what, what_we_read()));
}

// No table, listing or document that we read has lines like this; splitting one into words would
// cost many times its size in memory. XML and a dump of the flight recorder may be one line, and
// their readers have bounds of their own.
constexpr std::size_t longest_line_bytes = 1u << 20;

Result<void> check_lines(const Input& input) {
  if (trim(std::string_view(input.bytes).substr(0, 4096)).starts_with('<') ||
      looks_like_flight_recorder(input.bytes))
    return {};
  for (LineCursor lines(input.bytes); lines.next();) {
    if (lines.line().size() > longest_line_bytes)
      return fail(
          ErrorKind::limit,
          fmt::format("{}:{}: a line of {}; the longest we read is {}", input.name, lines.number(),
                      text_of_bytes(lines.line().size()), text_of_bytes(longest_line_bytes)));
  }
  return {};
}

}  // namespace

Result<ReadText> read_text(const Input& input) {
  if (auto checked = check_lines(input); !checked)
    return tl::unexpected(std::move(checked.error()));
  auto known = sniff(input.bytes);
  if (known.empty()) return unknown_input(input);
  // One value from its first byte to its last: what looks like another's line in it is none.
  if (known.front()->kind == InputKind::flight_recorder) known.resize(1);
  ReadText out;
  auto& parts = out.parts;
  std::vector<Error> errors;
  for (const Reader* reader : known) {
    Result<model::Machine> part = reader->read(input);
    if (!part) {
      errors.push_back(std::move(part.error())
                           .because(fmt::format("reading {} as {}", input.name, reader->name)));
      continue;
    }
    if (part->name.empty()) part->name = input.name;
    parts.push_back(std::move(*part));
    out.kinds.emplace_back(reader->name);
  }
  if (parts.empty()) return tl::unexpected(std::move(errors.front()));
  for (const Error& error : errors) {
    const auto here = parts.front().sources.add(input.name, model::Trust::tool);
    parts.front().remark(model::RemarkLevel::error, error.text(), here);
  }
  return out;
}

}  // namespace railgauge::observe
