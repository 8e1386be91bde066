#include "observe/hang_text/pickle.h"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <unordered_map>

#include "observe/hang_text/pickle_opcodes.h"

namespace railgauge::observe {
namespace {

using Id = ValueTree::Id;

class Machine {
 public:
  Machine(const std::string& name, std::string_view bytes) : name_(name), bytes_(bytes) {}

  Result<ValueTree> run() {
    while (at_ < bytes_.size()) {
      start_ = at_;
      const auto byte = static_cast<std::uint8_t>(bytes_[at_++]);
      if (static_cast<Opcode>(byte) == Opcode::stop) {
        if (stack_.empty()) return stop("STOP without a value");
        tree_.set_root(stack_.back());
        return std::move(tree_);
      }
      step(byte);
      if (!error_.empty()) return stop(error_);
      if (tree_.full() || stack_.size() > ValueTree::most_nodes ||
          memo_.size() > ValueTree::most_nodes)
        return fail(ErrorKind::limit, fmt::format("{}: more than {} values, the most we read",
                                                  name_, ValueTree::most_nodes));
    }
    return stop("it ends before STOP: the file is cut");
  }

 private:
  tl::unexpected<Error> stop(const std::string& why) const {
    return fail(ErrorKind::input, fmt::format("{}: at offset {}: {}", name_, start_, why));
  }

  void step(std::uint8_t byte) {
    const auto code = static_cast<Opcode>(byte);
    if (numbers(code) || strings(code) || containers(code) || memory(code)) return;
    if (const auto refused = refused_opcode(byte); !refused.empty())
      error_ = fmt::format(
          "{} ({:#04x}) is refused: a dump of the flight recorder holds data only, and this file "
          "would have Python import or call something",
          refused, byte);
    else
      error_ = fmt::format("{:#04x} is no opcode of a pickle", byte);
  }

  void push(Id id) { stack_.push_back(id); }
  void bad(const char* why) {
    if (error_.empty()) error_ = why;
  }

  // So many bytes; none, and an error, when the file has fewer.
  std::string_view take(std::uint64_t count) {
    if (count > bytes_.size() - at_) {
      bad("the file is cut inside a value");
      at_ = bytes_.size();
      return {};
    }
    const auto out = bytes_.substr(at_, count);
    at_ += count;
    return out;
  }
  std::uint64_t little(int count) {
    std::uint64_t out = 0;
    int shift = 0;
    for (const char c : take(static_cast<std::uint64_t>(count))) {
      out |= static_cast<std::uint64_t>(static_cast<unsigned char>(c)) << shift;
      shift += 8;
    }
    return out;
  }

  bool numbers(Opcode code) {
    switch (code) {
      case Opcode::none: push(tree_.none()); return true;
      case Opcode::new_true: push(tree_.boolean(true)); return true;
      case Opcode::new_false: push(tree_.boolean(false)); return true;
      case Opcode::bin_int: {
        const auto bits = static_cast<std::uint32_t>(little(4));
        push(tree_.add_integer(static_cast<std::int32_t>(bits)));
        return true;
      }
      case Opcode::bin_int1: push(tree_.add_integer(static_cast<std::int64_t>(little(1)))); break;
      case Opcode::bin_int2: push(tree_.add_integer(static_cast<std::int64_t>(little(2)))); break;
      case Opcode::long1: long_integer(take(little(1))); break;
      case Opcode::long4: long_integer(take(little(4))); break;
      case Opcode::bin_float: {
        std::uint64_t bits = 0;
        for (const char c : take(8)) bits = bits << 8 | static_cast<unsigned char>(c);
        push(tree_.add_number(std::bit_cast<double>(bits)));
        break;
      }
      default: return false;
    }
    return true;
  }

  // Two's complement, least significant byte first.
  void long_integer(std::string_view digits) {
    const bool negative =
        !digits.empty() && (static_cast<unsigned char>(digits.back()) & 0x80) != 0;
    if (digits.size() > 8) {
      double value = 0;
      for (auto it = digits.rbegin(); it != digits.rend(); ++it)
        value = value * 256 + static_cast<unsigned char>(*it);
      if (negative)
        value -= std::ldexp(1.0, static_cast<int>(8 * std::min<std::size_t>(digits.size(), 1000)));
      return push(tree_.add_number(value));
    }
    std::uint64_t value = negative ? ~std::uint64_t{0} : 0;
    for (auto it = digits.rbegin(); it != digits.rend(); ++it)
      value = value << 8 | static_cast<unsigned char>(*it);
    push(tree_.add_integer(static_cast<std::int64_t>(value)));
  }

  bool strings(Opcode code) {
    int length_bytes = 0;
    switch (code) {
      case Opcode::short_bin_unicode:
      case Opcode::short_bin_bytes:
      case Opcode::short_bin_string: length_bytes = 1; break;
      case Opcode::bin_unicode:
      case Opcode::bin_bytes:
      case Opcode::bin_string: length_bytes = 4; break;
      case Opcode::bin_unicode8:
      case Opcode::bin_bytes8:
      case Opcode::bytearray8: length_bytes = 8; break;
      default: return false;
    }
    push(tree_.add_text(take(little(length_bytes))));
    return true;
  }

  // What stands above the last mark, which goes away.
  std::vector<Id> above_mark() {
    if (marks_.empty() || marks_.back() > stack_.size()) {
      bad("a mark is missing");
      return {};
    }
    const auto from = stack_.begin() + static_cast<std::ptrdiff_t>(marks_.back());
    std::vector<Id> out(from, stack_.end());
    stack_.erase(from, stack_.end());
    marks_.pop_back();
    return out;
  }
  std::vector<Id> top(std::size_t count) {
    const std::size_t floor = marks_.empty() ? 0 : marks_.back();
    if (stack_.size() < count || stack_.size() - count < floor) {
      bad("the stack is too short");
      return {};
    }
    std::vector<Id> out(stack_.end() - static_cast<std::ptrdiff_t>(count), stack_.end());
    stack_.resize(stack_.size() - count);
    return out;
  }
  void add_to(ValueTree::Kind kind, const std::vector<Id>& items) {
    if (!error_.empty()) return;
    if (stack_.empty() || tree_.kind(stack_.back()) != kind) return bad("no such container");
    if (kind == ValueTree::Kind::dict && items.size() % 2 != 0) return bad("a key without a value");
    for (const Id item : items) tree_.append(stack_.back(), item);
  }
  void new_dict(const std::vector<Id>& items) {
    push(tree_.add_dict());
    add_to(ValueTree::Kind::dict, items);
  }

  bool containers(Opcode code) {
    switch (code) {
      case Opcode::mark: marks_.push_back(stack_.size()); break;
      case Opcode::pop_mark: above_mark(); break;
      case Opcode::pop: top(1); break;
      case Opcode::empty_list:
      case Opcode::empty_tuple:
      case Opcode::empty_set: push(tree_.add_list({})); break;
      case Opcode::list:
      case Opcode::tuple:
      case Opcode::frozen_set: push(tree_.add_list(above_mark())); break;
      case Opcode::tuple1: push(tree_.add_list(top(1))); break;
      case Opcode::tuple2: push(tree_.add_list(top(2))); break;
      case Opcode::tuple3: push(tree_.add_list(top(3))); break;
      case Opcode::append: add_to(ValueTree::Kind::list, top(1)); break;
      case Opcode::appends:
      case Opcode::add_items: add_to(ValueTree::Kind::list, above_mark()); break;
      case Opcode::empty_dict: push(tree_.add_dict()); break;
      case Opcode::dict: new_dict(above_mark()); break;
      case Opcode::set_item: add_to(ValueTree::Kind::dict, top(2)); break;
      case Opcode::set_items: add_to(ValueTree::Kind::dict, above_mark()); break;
      default: return false;
    }
    return marks_.size() <= ValueTree::most_nodes || (bad("too many marks"), true);
  }

  bool memory(Opcode code) {
    switch (code) {
      case Opcode::proto:
        if (const auto version = little(1); version < 2 || version > 5)
          error_ = fmt::format("protocol {}: we read 2 to 5", version);
        break;
      case Opcode::frame: little(8); break;  // how long it is; what is in it follows
      case Opcode::dup: dup(); break;
      case Opcode::bin_get: get(little(1)); break;
      case Opcode::long_bin_get: get(little(4)); break;
      case Opcode::bin_put: put(little(1)); break;
      case Opcode::long_bin_put: put(little(4)); break;
      case Opcode::memoize: put(memo_.size()); break;
      default: return false;
    }
    return true;
  }
  void dup() {
    if (stack_.empty()) return bad("the stack is too short");
    push(stack_.back());
  }
  void get(std::uint64_t number) {
    const auto found = memo_.find(number);
    if (found == memo_.end()) return bad("a value that was never put away is asked for");
    push(found->second);
  }
  void put(std::uint64_t number) {
    if (stack_.empty()) return bad("the stack is too short");
    memo_[number] = stack_.back();
  }

  const std::string& name_;
  std::string_view bytes_;
  std::size_t at_ = 0;
  std::size_t start_ = 0;  // of the opcode at hand
  ValueTree tree_;
  std::vector<Id> stack_;
  std::vector<std::size_t> marks_;
  std::unordered_map<std::uint64_t, Id> memo_;
  std::string error_;
};

}  // namespace

bool looks_like_pickle(std::string_view bytes) {
  return bytes.size() >= 4 && bytes[0] == '\x80' && bytes[1] >= 2 && bytes[1] <= 5;
}

Result<ValueTree> read_pickle(const std::string& name, std::string_view bytes) {
  if (!looks_like_pickle(bytes))
    return fail(ErrorKind::input, name + " does not start like a pickle of protocol 2 to 5");
  return Machine(name, bytes).run();
}

}  // namespace railgauge::observe
