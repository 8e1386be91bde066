#include "observe/lspci/tree_lines.h"

#include "base/strings.h"

namespace railgauge::observe {
namespace {

constexpr std::size_t nodes_max = 65536;
constexpr std::size_t problems_max = 200;
constexpr std::size_t depth_max = 64;  // the deepest real trees have fewer than 10 bridges

bool is_hex_digit(char c) { return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f'); }

// A bus that is being drawn: where its siblings branch off, and who leads to it.
struct OpenBus {
  std::size_t column = 0;
  std::uint32_t domain = 0;
  int bus = 0;
  std::optional<std::size_t> bridge;
  bool roots = false;  // its items are root buses, not functions
};

class TreeParser {
 public:
  TreeText parse(std::string_view plain) {
    for (LineCursor lines(plain); lines.next();) {
      number_ = lines.number();
      if (found_.nodes.size() >= nodes_max || found_.problems.size() >= problems_max) {
        problem("the tree is larger than we read; the rest is left");
        break;
      }
      line(lines.line());
    }
    return std::move(found_);
  }

 private:
  void problem(std::string text) { found_.problems.emplace_back(number_, std::move(text)); }

  void line(std::string_view text) {
    text_ = text.substr(0, 4000);
    at_ = text_.find_first_not_of(" |");
    if (at_ == std::string_view::npos) return;
    if (text_.substr(at_, 2) == "-[") {  // the only root bus, or the first of them
      stack_.clear();
      ++at_;
      root_bus();
    } else if (text_.substr(at_, 4) == "-+-[") {
      stack_.assign(1, OpenBus{at_ + 1, 0, 0, std::nullopt, true});
      at_ += 3;
      root_bus();
    } else if ((text_[at_] == '+' || text_[at_] == '\\') && text_.substr(at_ + 1, 1) == "-") {
      branch();
    }
  }

  // "+-" or "\-" below a bus that an earlier line opened at the same column.
  void branch() {
    while (!stack_.empty() && stack_.back().column > at_) stack_.pop_back();
    if (stack_.empty() || stack_.back().column != at_) {
      if (text_.size() > at_ + 3 && (text_[at_ + 2] == '[' || is_hex_digit(text_[at_ + 2])))
        problem("this branch hangs below nothing: the lines above it are missing or moved");
      return;
    }
    at_ += 2;
    const OpenBus bus = stack_.back();
    if (bus.roots)
      root_bus();
    else
      function(bus);
  }

  // "[0000:16]" and what hangs below it.
  void root_bus() {
    OpenBus bus;
    int last = 0;
    if (!bus_number(bus, last)) return problem("expected a root bus such as [0000:16]");
    descend(bus);
  }

  // After a bus: "-+-" opens it for more lines, "---" leads to its only function, an end is empty.
  void descend(OpenBus bus) {
    while (at_ < text_.size() && text_[at_] == '-') ++at_;
    if (at_ < text_.size() && text_[at_] == '+') {
      bus.column = at_;
      if (stack_.size() >= depth_max) return problem("the tree is deeper than we read");
      stack_.push_back(bus);
      ++at_;
      while (at_ < text_.size() && text_[at_] == '-') ++at_;
    }
    if (at_ < text_.size() && is_hex_digit(text_[at_])) function(bus);
  }

  // "1c.0-[02-05]--…" or "00.0  Name". Iterates down a chain through descend() of bounded length:
  // each step eats at least 4 characters of a line of at most 4000.
  void function(const OpenBus& bus) {
    const std::string_view word = text_.substr(at_, 4);
    if (word.size() < 4 || word[2] != '.' || !is_hex_digit(word[0]) || !is_hex_digit(word[1]))
      return problem("expected a function such as 1c.0, got " + quoted(text_.substr(at_), 20));
    const auto device = parse_hex(word.substr(0, 2));
    const auto number = parse_hex(word.substr(3));
    if (!device || !number || *device > 31 || *number > 7)
      return problem("expected a function such as 1c.0, got " + quoted(word));
    TreeNode node;
    node.address = {bus.domain, static_cast<std::uint8_t>(bus.bus),
                    static_cast<std::uint8_t>(*device), static_cast<std::uint8_t>(*number)};
    node.bridge = bus.bridge;
    node.line = number_;
    at_ += 4;
    const std::size_t index = found_.nodes.size();
    if (text_.substr(at_, 2) != "-[") {
      node.name = std::string(trim(text_.substr(at_)));
      found_.nodes.push_back(std::move(node));
      return;
    }
    ++at_;
    OpenBus below{0, bus.domain, 0, index, false};
    int last = 0;
    const bool known = bus_number(below, last);
    if (known) {
      node.secondary_bus = below.bus;
      node.subordinate_bus = last;
    } else {
      problem("expected a bus such as [02-05]");
    }
    found_.nodes.push_back(std::move(node));
    if (!known) return;
    if (depth_ >= depth_max) return problem("the tree is deeper than we read");
    ++depth_;
    descend(below);
    --depth_;
  }

  // "[02]", "[02-05]", "[0000:16]"; leaves at_ behind it.
  bool bus_number(OpenBus& bus, int& last) {
    const std::size_t end = text_.find(']', at_);
    if (text_.substr(at_, 1) != "[" || end == std::string_view::npos) return false;
    std::string_view inside = text_.substr(at_ + 1, end - at_ - 1);
    if (const auto colon = inside.find(':'); colon != std::string_view::npos) {
      const auto domain = parse_hex(inside.substr(0, colon));
      if (!domain || *domain > 0xffffffff) return false;
      bus.domain = static_cast<std::uint32_t>(*domain);
      inside.remove_prefix(colon + 1);
    }
    const auto dash = inside.find('-');
    const auto first = parse_hex(inside.substr(0, dash));
    const auto second = dash == std::string_view::npos ? first : parse_hex(inside.substr(dash + 1));
    if (!first || !second || *first > 0xff || *second > 0xff) return false;
    bus.bus = static_cast<int>(*first);
    last = static_cast<int>(*second);
    at_ = end + 1;
    return true;
  }

  TreeText found_;
  std::vector<OpenBus> stack_;
  std::string_view text_;
  std::size_t at_ = 0;
  std::size_t depth_ = 0;
  std::uint32_t number_ = 0;
};

}  // namespace

TreeText parse_tree(std::string_view plain) { return TreeParser().parse(plain); }

}  // namespace railgauge::observe
