// An XML element found in a longer text, parsed within bounds, with line numbers.
//   Result<BoundedXml> xml = parse_xml(input, "system", {});
//   for (pugi::xml_node cpu : xml->root().children()) xml->line(cpu);
// XML bombs do nothing here: a text that declares entities is refused, pugixml would not expand
// them anyway, and no DTD or other file is ever fetched. The bounds are checked on the text before
// the tree is built, so memory stays in proportion to them.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <pugixml.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "base/result.h"
#include "observe/reader.h"

namespace railgauge::observe {

struct XmlBounds {
  std::size_t bytes = 16u << 20;
  std::size_t nodes = 100'000;
  std::size_t attributes = 1'000'000;
  int depth = 64;
};

// Where "<name" opens outside comments, or nothing. Linear.
std::optional<std::size_t> find_element(std::string_view bytes, std::string_view name,
                                        std::size_t from = 0);

// The tag that opens at `at`: "<system version=\"1\">".
std::string_view tag_at(std::string_view bytes, std::size_t at);

// The name of the first element outside comments, declarations and plain text: "nvidia_smi_log".
// Only when the first thing in the text that is not blank is markup.
std::optional<std::string_view> root_name(std::string_view bytes);

class BoundedXml {
 public:
  pugi::xml_node root() const { return tree_->document_element(); }
  std::uint32_t line(pugi::xml_node node) const;
  std::uint32_t line_at(std::size_t offset) const;
  std::size_t end() const { return end_; }  // just behind the element, in the whole text

 private:
  friend Result<BoundedXml> parse_xml(const Input&, std::string_view, const XmlBounds&);
  std::unique_ptr<pugi::xml_document> tree_ = std::make_unique<pugi::xml_document>();
  std::size_t start_ = 0;
  std::size_t end_ = 0;
  std::vector<std::size_t> line_ends_;
};

// The first element of that name. Errors say the line: a limit, a tag that does not close, …
Result<BoundedXml> parse_xml(const Input& input, std::string_view name, const XmlBounds& bounds);

}  // namespace railgauge::observe
