#include "observe/nvml/quick_document.h"

#include <algorithm>
#include <charconv>

namespace railgauge::observe::nvml {
namespace {

constexpr std::size_t longest_call = 100;
constexpr std::size_t most_args = 4;
constexpr std::size_t most_answers = 100'000;
// Every number of so many digits fits into 64 bits.
constexpr std::size_t safe_digits = 19;

bool is_digit(char c) { return c >= '0' && c <= '9'; }

// A pointer that walks over JSON; every step says whether it found what it was sent for.
class Cursor {
 public:
  explicit Cursor(std::string_view text) : rest_(text) {}

  bool at_end() {
    skip_blanks();
    return rest_.empty();
  }

  bool take(char wanted) {
    skip_blanks();
    if (rest_.empty() || rest_.front() != wanted) return false;
    rest_.remove_prefix(1);
    return true;
  }

  // Printable ASCII without escapes: what it says is what is meant.
  bool word(std::string_view& out) {
    if (!take('"')) return false;
    std::size_t size = 0;
    for (; size < rest_.size() && rest_[size] != '"'; ++size)
      if (rest_[size] < ' ' || rest_[size] > '~' || rest_[size] == '\\') return false;
    if (size == rest_.size()) return false;
    out = rest_.substr(0, size);
    rest_.remove_prefix(size + 1);
    return true;
  }

  bool key(std::string_view& out) { return word(out) && take(':'); }

  bool scalar(Scalar& out) {
    skip_blanks();
    if (rest_.empty()) return false;
    if (rest_.front() == '"') {
      std::string_view text;
      if (!word(text)) return false;
      out.emplace<std::string>(text);
      return true;
    }
    if (is_digit(rest_.front())) return number(out);
    return constant("true", true, out) || constant("false", false, out);
  }

 private:
  void skip_blanks() {
    while (!rest_.empty() && (rest_.front() == ' ' || rest_.front() == '\n' ||
                              rest_.front() == '\t' || rest_.front() == '\r'))
      rest_.remove_prefix(1);
  }

  bool constant(std::string_view name, bool value, Scalar& out) {
    if (!rest_.starts_with(name)) return false;
    rest_.remove_prefix(name.size());
    out = value;
    return true;
  }

  // Without a fraction, an exponent or a leading zero.
  bool number(Scalar& out) {
    std::size_t size = 0;
    while (size < rest_.size() && is_digit(rest_[size])) ++size;
    if (size > safe_digits || (size > 1 && rest_.front() == '0')) return false;
    if (size == rest_.size() || std::string_view(".eE").find(rest_[size]) != std::string_view::npos)
      return false;
    std::uint64_t value = 0;
    std::from_chars(rest_.data(), rest_.data() + size, value);
    rest_.remove_prefix(size);
    out = value;
    return true;
  }

  std::string_view rest_;
};

// "[" or "{", what `one` takes, commas between, and the end.
template <class One>
bool list(Cursor& at, char open, char close, One&& one) {
  if (!at.take(open)) return false;
  if (at.take(close)) return true;
  do {
    if (!one()) return false;
  } while (at.take(','));
  return at.take(close);
}

// False for a name that was there before: which one counts is not said here.
bool first_time(bool& seen) { return !std::exchange(seen, true); }

class Reader {
 public:
  explicit Reader(std::string_view bytes) : at_(bytes) {}

  std::optional<Document> all() {
    bool calls = false;
    bool library = false;
    bool not_loaded = false;
    bool stopped = false;
    bool schema = false;
    const bool good = list(at_, '{', '}', [&] {
      std::string_view key;
      Scalar number;
      if (!at_.key(key)) return false;
      if (key == "calls") return first_time(calls) && answers();
      if (key == "library") return first_time(library) && text(out_.library);
      if (key == "not_loaded") return first_time(not_loaded) && text(out_.not_loaded);
      if (key == "stopped") return first_time(stopped) && text(out_.stopped);
      return key == "schema" && first_time(schema) && at_.scalar(number);
    });
    if (!good || !calls || !at_.at_end()) return std::nullopt;
    return std::move(out_);
  }

 private:
  bool text(std::string& out) {
    std::string_view word;
    if (!at_.word(word)) return false;
    out = word;
    return true;
  }

  bool answers() {
    return list(at_, '[', ']', [&] {
      if (out_.answers.size() == most_answers) return false;
      return answer(out_.answers.emplace_back());
    });
  }

  bool answer(Answer& out) {
    bool call = false;
    bool args = false;
    bool value = false;
    bool error = false;
    const bool good = list(at_, '{', '}', [&] {
      std::string_view key;
      if (!at_.key(key)) return false;
      if (key == "call") return first_time(call) && text(out.call);
      if (key == "args") return first_time(args) && arguments(out);
      if (key == "value") return first_time(value) && this->value(out);
      return key == "error" && first_time(error) && text(out.error);
    });
    if (!good || !call || out.call.size() > longest_call) return false;
    if (!error) return value;
    out.value.clear();  // an error is all that such an answer says
    return !out.error.empty();
  }

  bool arguments(Answer& out) {
    out.args.reserve(most_args);
    return list(at_, '[', ']',
                [&] { return out.args.size() < most_args && at_.scalar(out.args.emplace_back()); });
  }

  bool value(Answer& out) {
    Scalar plain;
    if (at_.scalar(plain)) return out.value.emplace("", std::move(plain)).second;
    return list(at_, '{', '}', [&] {
      std::string_view name;
      return at_.key(name) && at_.scalar(plain) && out.value.emplace(name, std::move(plain)).second;
    });
  }

  Cursor at_;
  Document out_;
};

}  // namespace

std::optional<Document> quick_document(std::string_view bytes) { return Reader(bytes).all(); }

}  // namespace railgauge::observe::nvml
