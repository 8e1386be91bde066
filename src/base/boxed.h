// An optional that keeps its value elsewhere, so that what lacks it stays small. A value like any
// other: copying copies what is inside, comparing compares it.
//   Boxed<GpuFacts> gpu;
//   if (!gpu) gpu.emplace();
//   gpu->uuid
#pragma once

#include <memory>
#include <utility>

namespace railgauge {

template <class T>
class Boxed {
 public:
  Boxed() = default;
  Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}  // a value is one, in a box
  Boxed(const Boxed& other) : value_(other ? std::make_unique<T>(*other) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) value_ = other ? std::make_unique<T>(*other) : nullptr;
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  T& emplace() { return *(value_ = std::make_unique<T>()); }
  void reset() { value_.reset(); }

  bool has_value() const { return value_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  T& operator*() { return *value_; }  // only when there is one, as all below
  const T& operator*() const { return *value_; }
  T* operator->() { return value_.get(); }
  const T* operator->() const { return value_.get(); }

  friend bool operator==(const Boxed& a, const Boxed& b) {
    return a && b ? *a == *b : a.has_value() == b.has_value();
  }

 private:
  std::unique_ptr<T> value_;
};

}  // namespace railgauge
