// One thing we tried to learn: its value, or why it is unknown. Never a sentinel (0, -1, NaN,
// "N/A").
//   Reading<int> width = device.link_width();
//   if (width) use(*width); else say("width unknown: " + width.why());
// Three states: a value; `not_reported` (nobody we asked speaks of it); `failed` (we asked and were
// refused).
#pragma once

#include <string>
#include <utility>
#include <variant>

namespace railgauge {

template <class T>
class Reading {
 public:
  Reading() : state_(NotReported{}) {}
  Reading(T value) : state_(std::move(value)) {}  // a value is a reading: implicit on purpose

  static Reading not_reported(std::string why = {}) {
    Reading r;
    r.state_ = NotReported{std::move(why)};
    return r;
  }
  static Reading failed(std::string why) {
    Reading r;
    r.state_ = Failed{std::move(why)};
    return r;
  }

  explicit operator bool() const { return known(); }
  bool known() const { return std::holds_alternative<T>(state_); }
  bool is_failed() const { return std::holds_alternative<Failed>(state_); }

  // Only for a known reading; std::get throws otherwise, which is a bug of the caller.
  const T& operator*() const { return std::get<T>(state_); }
  const T* operator->() const { return &std::get<T>(state_); }
  T value_or(T other) const { return known() ? std::get<T>(state_) : std::move(other); }

  // Why there is no value; empty for a known reading.
  std::string why() const {
    if (const auto* f = std::get_if<Failed>(&state_)) return f->why;
    if (const auto* n = std::get_if<NotReported>(&state_))
      return n->why.empty() ? std::string("not reported") : n->why;
    return {};
  }

  friend bool operator==(const Reading&, const Reading&) = default;

 private:
  struct NotReported {
    std::string why;
    friend bool operator==(const NotReported&, const NotReported&) = default;
  };
  struct Failed {
    std::string why;
    friend bool operator==(const Failed&, const Failed&) = default;
  };
  std::variant<NotReported, Failed, T> state_;
};

}  // namespace railgauge
