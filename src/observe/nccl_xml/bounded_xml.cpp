#include "observe/nccl_xml/bounded_xml.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/strings.h"

namespace railgauge::observe {
namespace {

bool ends_name(char c) {
  return c == ' ' || c == '\t' || c == '\r' || c == '\n' || c == '>' || c == '/';
}

bool begins_name(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == ':';
}

// Behind the comment, declaration or instruction that opens at `at`; `at` itself for anything else.
std::size_t skip_non_element(std::string_view bytes, std::size_t at) {
  const std::string_view rest = bytes.substr(at);
  const auto behind = [&](std::string_view mark) {
    const std::size_t found = bytes.find(mark, at + 2);
    return found == std::string_view::npos ? bytes.size() : found + mark.size();
  };
  if (rest.substr(0, 4) == "<!--") return behind("-->");
  if (rest.substr(0, 2) == "<?") return behind("?>");
  return at;
}

// Behind the end tag that belongs to the element at `start`. A tag that closes itself ends there;
// without an end tag the rest of the text is taken, and the parser then says what is missing.
std::size_t element_end(std::string_view bytes, std::size_t start, std::string_view name) {
  const std::string_view tag = tag_at(bytes, start);
  if (tag.size() >= 2 && tag.substr(tag.size() - 2) == "/>") return start + tag.size();
  const std::string end_tag = fmt::format("</{}>", name);
  std::size_t at = start + tag.size();
  while ((at = bytes.find('<', at)) != std::string_view::npos) {
    const std::size_t behind = skip_non_element(bytes, at);
    if (behind != at) {
      at = behind;
      continue;
    }
    if (bytes.substr(at, end_tag.size()) == end_tag) return at + end_tag.size();
    ++at;
  }
  return bytes.size();
}

// Preorder without recursion, so that the check itself needs no bound.
Result<void> check_depth(const BoundedXml& xml, const XmlBounds& bounds) {
  int depth = 1;
  for (pugi::xml_node node = xml.root(); node;) {
    if (depth > bounds.depth)
      return fail(ErrorKind::limit, fmt::format("line {}: elements nest deeper than {} levels",
                                                xml.line(node), bounds.depth));
    if (node.first_child()) {
      node = node.first_child();
      ++depth;
      continue;
    }
    while (node != xml.root() && !node.next_sibling()) {
      node = node.parent();
      --depth;
    }
    if (node == xml.root()) break;
    node = node.next_sibling();
  }
  return {};
}

Result<void> check_size(const Input& input, std::string_view slice, const XmlBounds& bounds) {
  const auto over = [&](std::string_view what, std::size_t limit) {
    return fail(ErrorKind::limit, fmt::format("{}: more than {} {}", input.name, limit, what));
  };
  if (slice.size() > bounds.bytes) return over("bytes of XML", bounds.bytes);
  // Every element has at most two '<', every attribute one '='.
  const auto opens = static_cast<std::size_t>(std::count(slice.begin(), slice.end(), '<'));
  const auto equals = static_cast<std::size_t>(std::count(slice.begin(), slice.end(), '='));
  if (opens > 2 * bounds.nodes) return over("XML elements", bounds.nodes);
  if (equals > bounds.attributes) return over("XML attributes", bounds.attributes);
  return {};
}

}  // namespace

std::optional<std::size_t> find_element(std::string_view bytes, std::string_view name,
                                        std::size_t from) {
  std::size_t at = from;
  while ((at = bytes.find('<', at)) != std::string_view::npos) {
    const std::size_t behind = skip_non_element(bytes, at);
    if (behind != at) {
      at = behind;
      continue;
    }
    ++at;
    if (bytes.substr(at, name.size()) != name) continue;
    const std::size_t next = at + name.size();
    if (next < bytes.size() && ends_name(bytes[next])) return at - 1;
  }
  return std::nullopt;
}

std::string_view tag_at(std::string_view bytes, std::size_t at) {
  const std::size_t end = bytes.find('>', at);
  return bytes.substr(at, end == std::string_view::npos ? end : end + 1 - at);
}

std::optional<std::string_view> root_name(std::string_view bytes) {
  if (bytes.substr(0, 3) == "\xef\xbb\xbf") bytes.remove_prefix(3);
  const std::string_view text = trim(bytes);
  if (text.empty() || text.front() != '<') return std::nullopt;
  std::size_t at = 0;
  while ((at = text.find('<', at)) != std::string_view::npos) {
    const std::size_t behind = skip_non_element(text, at);
    if (behind != at) {
      at = behind;
      continue;
    }
    ++at;
    if (at >= text.size() || !begins_name(text[at])) continue;
    std::size_t end = at;
    while (end < text.size() && !ends_name(text[end])) ++end;
    return text.substr(at, end - at);
  }
  return std::nullopt;
}

std::uint32_t BoundedXml::line_at(std::size_t offset) const {
  const auto found = std::lower_bound(line_ends_.begin(), line_ends_.end(), offset);
  return static_cast<std::uint32_t>(found - line_ends_.begin()) + 1;
}

std::uint32_t BoundedXml::line(pugi::xml_node node) const {
  const std::ptrdiff_t offset = node.offset_debug();
  return line_at(start_ + (offset < 0 ? 0 : static_cast<std::size_t>(offset)));
}

Result<BoundedXml> parse_xml(const Input& input, std::string_view name, const XmlBounds& bounds) {
  const std::string_view bytes = input.bytes;
  const auto start = find_element(bytes, name);
  if (!start)
    return fail(ErrorKind::input, fmt::format("{}: no <{}> element found", input.name, name));
  if (contains(bytes.substr(0, *start), "<!ENTITY"))
    return fail(ErrorKind::input,
                input.name +
                    " declares XML entities, which no topology tool writes: refused. Remove "
                    "the <!DOCTYPE …[…]> if you trust the file");
  BoundedXml xml;
  xml.start_ = *start;
  xml.end_ = element_end(bytes, *start, name);
  for (std::size_t at = bytes.find('\n'); at != std::string_view::npos;
       at = bytes.find('\n', at + 1))
    xml.line_ends_.push_back(at);
  const std::string_view slice = bytes.substr(*start, xml.end_ - *start);
  if (auto checked = check_size(input, slice, bounds); !checked)
    return tl::unexpected(std::move(checked.error()));
  const std::size_t zero = slice.find('\0');
  if (zero != std::string_view::npos)
    return fail(ErrorKind::input, fmt::format("{}:{}: a zero byte inside the XML", input.name,
                                              xml.line_at(*start + zero)));
  const pugi::xml_parse_result parsed =
      xml.tree_->load_buffer(slice.data(), slice.size(), pugi::parse_default, pugi::encoding_utf8);
  if (!parsed) {
    const auto offset = static_cast<std::size_t>(std::max<std::ptrdiff_t>(parsed.offset, 0));
    return fail(ErrorKind::input, fmt::format("{}:{}: not well-formed XML: {}", input.name,
                                              xml.line_at(*start + offset), parsed.description()));
  }
  if (auto checked = check_depth(xml, bounds); !checked)
    return tl::unexpected(std::move(checked.error()).because(input.name));
  return xml;
}

}  // namespace railgauge::observe
